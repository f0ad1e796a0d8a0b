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

/**
 * Puts the lines of quoted cells together. A quote that is never closed costs its own line and no other,
 * which is why the lines are not left to the parser: it would read the rest of the file as one cell.
 */
const recordsOf = async function* (texts: AsyncIterable<string>): AsyncGenerator<Text> {
  let held: Text[] = [];
  const release = function* (all: boolean): Generator<Text> {
    while (held.length > 0) {
      const [first] = held;
      if (!first) return;
      let length = 1;
      let text = first.text;
      for (; isOpen(text) && length < held.length; length++) text += `\n${held[length]?.text}`;
      if (isOpen(text)) {
        if (!all && held.length < MAX_LINES) return;
        length = 1;
        text = first.text;
      }
      yield { line: first.line, text };
      held = held.slice(length);
    }
  };
  let line = 0;
  for await (const text of texts) {
    held.push({ line: ++line, text });
    yield* release(false);
  }
  yield* release(true);
};

const cellsOf = (text: string): string[] => {
  const [cells = []] = parse(text, { bom: true, relax_column_count: true });
  return cells;
};

const faultOf = (error: unknown): string => {
  if (!(error instanceof CsvError)) throw error;
  // The parser sees one record at a time: its own line numbers mean nothing.
  return error.message.replace(/,? (on|at) line \d+/, '');
};

const lineOf = ({ line, text }: Text, headers: readonly string[]): ListLine => {
  if (text.includes('\ufffd')) return { line, fault: 'the text is not UTF-8' };
  try {
    const cells = cellsOf(text);
    if (cells.length > headers.length) {
      return { line, fault: `there are ${cells.length} cells under ${headers.length} headers` };
    }
    return { line, row: Object.fromEntries(cells.map((cell, index) => [headers[index] ?? '', cell])) };
  } catch (error) {
    return { line, fault: faultOf(error) };
  }
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
  const source = createReadStream(file);
  const records = recordsOf(createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY }));
  const first = await records.next();
  const headers = first.done ? [] : headersOf(file, first.value.text);
  const lines = async function* (): AsyncGenerator<ListLine> {
    for await (const record of records) {
      if (record.text.trim() !== '') yield lineOf(record, headers);
    }
  };
  return { headers, lines: lines(), progress: () => (size === 0 ? 1 : source.bytesRead / size) };
};
