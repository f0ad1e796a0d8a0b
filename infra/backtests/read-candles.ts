import type { CandleChoices } from '../../shared/domain/candle-files/open-candles.ts';
import { type Bar, type BarColumns, columnsOf, concatBars } from '../../shared/domain/candles/bars.ts';
import type { Calendar } from '../../shared/domain/candles/calendar.ts';
import { type CandleFileOnDisk, openCandleFile } from '../candles/open-candle-file.ts';
import { progressOn } from '../catalogue/progress.ts';
import { NotAListError } from '../catalogue/read-list.ts';
import { UsageError } from '../commands/command-line.ts';

/** Bars that become columns together. An object per bar takes several times the memory of its columns. */
const PART = 10_000;

/** Candles of a file, and the facts of it that a result needs. */
export interface FileCandles {
  readonly bars: BarColumns;
  /** Calendar on whose grid the candles start. */
  readonly calendar: Calendar;
  /** Lines that were left out. */
  readonly skipped: number;
  /** Describes what was recognised in the file. */
  readonly dialect: string;
  /** Facts of the file that change a result. */
  readonly warnings: readonly string[];
}

interface Reading extends CandleChoices {
  /** Leaves lines with faults out instead of refusing the file. */
  readonly skipFaults: boolean;
}

const barsIn = async (
  file: string,
  candles: CandleFileOnDisk,
  { skipFaults }: Pick<Reading, 'skipFaults'>,
): Promise<FileCandles> => {
  const progress = progressOn(process.stderr);
  const parts: BarColumns[] = [];
  let held: Bar[] = [];
  let skipped = 0;
  for await (const one of candles.lines) {
    if ('bar' in one) held.push(one.bar);
    else if (skipFaults) skipped += 1;
    else {
      progress.clear();
      throw new UsageError(
        `line ${one.line}: ${one.fault}. Correct it, set --timeframe, or leave such lines out with --skip-faults.`,
      );
    }
    if (held.length < PART) continue;
    parts.push(columnsOf(held));
    held = [];
    progress.show(candles.progress(), file);
  }
  progress.clear();
  const warnings = [candles.warning, candles.findings.summary()].filter((one) => one !== undefined);
  const { dialect, kind } = candles;
  return {
    bars: concatBars([...parts, columnsOf(held)]),
    calendar: kind.calendar,
    skipped,
    dialect,
    warnings,
  };
};

/** Reads all candles of a file. @throws UsageError with the file and the line. */
export const readCandles = async (file: string, reading: Reading): Promise<FileCandles> => {
  try {
    return await barsIn(file, await openCandleFile(file, reading), reading);
  } catch (error) {
    if (error instanceof NotAListError) throw new UsageError(error.message);
    if (error instanceof UsageError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
};
