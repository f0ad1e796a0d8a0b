import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CandleBytes } from '../../shared/domain/candle-files/candle-bytes.ts';
import {
  CandleFileError,
  type Choice,
  type Doubt,
} from '../../shared/domain/candle-files/candle-file-error.ts';
import {
  type CandleChoices,
  type CandleFile,
  openCandles,
} from '../../shared/domain/candle-files/open-candles.ts';
import { sizeOf } from '../catalogue/read-list.ts';
import { UsageError } from '../commands/command-line.ts';

/** Flags that decide a doubtful fact. */
const CURES: Readonly<Record<Choice, string>> = {
  time_zone: 'Give --time-zone, such as Europe/Athens.',
  dates: 'Name it with --dates dmy or --dates mdy.',
  decimal: 'Name the mark of decimals with --decimal comma or --decimal point.',
  anchor: 'Name --anchor clock or --anchor session, or leave it out.',
  columns:
    'Name the columns from the left with --columns time,open,high,low,close,volume; - passes one over.',
};

const textOf = ({ text, choice }: Doubt): string => (choice ? `${text} ${CURES[choice]}` : text);

const usageOf = (error: unknown): unknown =>
  error instanceof CandleFileError ? new UsageError(textOf(error)) : error;

const headOf = async (file: string, bytes: number): Promise<Uint8Array> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

const bytesOf = async (file: string): Promise<CandleBytes> => ({
  size: await sizeOf(file),
  head: (bytes) => headOf(file, bytes),
  parts: (encoding) => createReadStream(file, encoding),
});

const linesIn = async function* ({ lines }: CandleFile): CandleFile['lines'] {
  try {
    yield* lines;
  } catch (error) {
    throw usageOf(error);
  }
};

/** Open file of a command. */
export interface CandleFileOnDisk extends Omit<CandleFile, 'doubt'> {
  /** Says which volumes are read as 0; undefined if there is a column of volume. */
  readonly warning: string | undefined;
}

/**
 * Opens a file of candles on a disk. Lines are read on demand.
 *
 * @throws NotAListError, or UsageError with the flag that decides where the file is ambiguous.
 */
export const openCandleFile = async (file: string, choices: CandleChoices): Promise<CandleFileOnDisk> => {
  try {
    const { doubt, ...candles } = await openCandles(await bytesOf(file), choices);
    return { ...candles, warning: doubt && textOf(doubt), lines: linesIn({ doubt, ...candles }) };
  } catch (error) {
    throw usageOf(error);
  }
};
