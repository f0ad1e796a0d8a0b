import { type Bar, type BarColumns, columnsOf, concatBars } from '../../shared/domain/candles/bars.ts';
import type { SeriesKind } from '../../shared/domain/candles/checks.ts';
import type { TimeZone } from '../../shared/domain/candles/time-zone.ts';
import { columnsIn, readBarLines } from '../candles/read-bars.ts';
import { progressOn } from '../catalogue/progress.ts';
import { type List, NotAListError, openList } from '../catalogue/read-list.ts';
import { UsageError } from '../commands/command-line.ts';

/** Bars that become columns together. An object per bar takes several times the memory of its columns. */
const PART = 10_000;

interface FileCandles {
  readonly bars: BarColumns;
  /** Lines that were left out. */
  readonly skipped: number;
}

interface Reading {
  readonly kind: SeriesKind;
  /** Time zone of local times. */
  readonly zone: TimeZone;
  /** Leaves lines with faults out instead of refusing the file. */
  readonly skipFaults: boolean;
}

const barsIn = async (
  file: string,
  list: List,
  { kind, zone, skipFaults }: Reading,
): Promise<FileCandles> => {
  const progress = progressOn(process.stderr);
  const parts: BarColumns[] = [];
  let held: Bar[] = [];
  let skipped = 0;
  for await (const one of readBarLines(list.lines, { columns: columnsIn(list.headers), kind, zone })) {
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
    progress.show(list.progress(), file);
  }
  progress.clear();
  return { bars: concatBars([...parts, columnsOf(held)]), skipped };
};

/** Reads all candles of a CSV file. @throws UsageError with the file and the line. */
export const readCandles = async (file: string, reading: Reading): Promise<FileCandles> => {
  try {
    return await barsIn(file, await openList(file), reading);
  } catch (error) {
    if (error instanceof NotAListError) throw new UsageError(error.message);
    if (error instanceof UsageError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
};
