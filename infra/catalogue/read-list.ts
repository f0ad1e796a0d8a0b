import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { CsvError, parse } from 'csv-parse/sync';
import { normaliseHeader } from './formats.ts';

/** A line of a list: its cells by header, or what is wrong with it. */
export type ListLine =
  | { readonly line: number; readonly row: Readonly<Record<string, string>> }
  | { readonly line: number; readonly fault: string };

/** A list that is being read, a line at a time. */
export interface List {
  /** The names of the columns, from the first line. */
  readonly headers: readonly string[];
  readonly lines: AsyncIterable<ListLine>;
  /** How much of the file has been read, from 0 to 1. */
  readonly progress: () => number;
}

interface Text {
  readonly line: number;
  readonly text: string;
}

/** A quoted cell may go on over so many lines; one that goes on longer was never closed. */
const MAX_LINES = 5;

const isOpen = (text: string): boolean => (text.split('"').length - 1) % 2 === 1;

const cellsOf = (text: string): string[] => {
  const [cells = []] = parse(text, { bom: true, relax_column_count: true });
  return cells;
};

const faultOf = (error: unknown): string => {
  if (!(error instanceof CsvError)) throw error;
  // The parser sees one line at a time: its own line numbers mean nothing.
  return error.message.replace(/,? (on|at) line \d+/, '');
};

const lineOf = ({ line, text }: Text, headers: readonly string[]): ListLine => {
  if (text.includes('\ufffd')) return { line, fault: 'the text is not UTF-8' };
  try {
    const cells = cellsOf(text);
    if (cells.slice(headers.length).some((cell) => cell !== '')) {
      return { line, fault: `there are ${cells.length} cells under ${headers.length} headers` };
    }
    return { line, row: Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ''])) };
  } catch (error) {
    return { line, fault: faultOf(error) };
  }
};

/** The first line of those at hand, with the lines over which a quoted cell of it goes on. */
const joined = (texts: readonly Text[]): { readonly text: string; readonly length: number } => {
  let text = texts[0]?.text ?? '';
  let length = 1;
  for (; isOpen(text) && length < texts.length; length++) text += `\n${texts[length]?.text}`;
  return { text, length };
};

/**
 * Reads line by line, putting those of a quoted cell together. The parser is not given the file as a
 * whole: a quote that is never closed would cost it the rest, and here costs its own line.
 */
const linesOf = async function* (
  texts: AsyncIterable<string>,
  headers: readonly string[],
  onText: (text: string) => void,
): AsyncGenerator<ListLine> {
  let held: Text[] = [];
  const release = function* (rest: boolean): Generator<ListLine> {
    for (let [first] = held; first; [first] = held) {
      const { text, length } = joined(held);
      if (isOpen(text) && !rest && held.length < MAX_LINES) return;
      const together = lineOf({ line: first.line, text }, headers);
      const alone = length > 1 && 'fault' in together;
      if (first.text.trim() !== '') yield alone ? lineOf(first, headers) : together;
      held = held.slice(alone ? 1 : length);
    }
  };
  // The first line names the columns.
  let line = 1;
  for await (const text of texts) {
    onText(text);
    held.push({ line: ++line, text });
    yield* release(false);
  }
  yield* release(true);
};

/** The file is no list. */
export class NoList extends Error {
  constructor(file: string, why: string, cause?: unknown) {
    super(`${file} is no list: ${why}.`, { cause });
    this.name = 'NoList';
  }
}

const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw new NoList(file, 'it cannot be read', cause);
  }
  throw new NoList(file, 'it is no file');
};

const headersOf = (file: string, text: string): string[] => {
  try {
    return cellsOf(text).map(normaliseHeader);
  } catch (error) {
    throw new NoList(file, `its first line does not name columns (${faultOf(error)})`, error);
  }
};

/**
 * Opens a CSV list, whose first line names the columns. It is read as it is asked for. Throws NoList.
 */
export const openList = async (file: string): Promise<List> => {
  const size = await sizeOf(file);
  const input = createReadStream(file);
  const texts = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  const first = await texts.next();
  const headers = headersOf(file, first.value ?? '');
  // What the stream has read says little: it runs ahead of what is asked for.
  let bytes = 0;
  const count = (text: string): void => {
    bytes += Buffer.byteLength(text) + 1;
  };
  count(first.value ?? '');
  return {
    headers,
    lines: linesOf({ [Symbol.asyncIterator]: () => texts }, headers, count),
    progress: () => Math.min(1, bytes / Math.max(1, size)),
  };
};
