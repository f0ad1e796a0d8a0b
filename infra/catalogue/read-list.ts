import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { normaliseHeader } from './formats.ts';

/** Line of a list: its cells by header, or its error. */
export type ListLine =
  | { readonly line: number; readonly row: Readonly<Record<string, string>> }
  | { readonly line: number; readonly fault: string };

/** Open list that is read line by line. */
export interface List {
  /** Names of the columns, from the first line. */
  readonly headers: readonly string[];
  readonly lines: AsyncIterable<ListLine>;
  /** Fraction of the file that has been read, from 0 to 1. */
  readonly progress: () => number;
}

interface Text {
  readonly line: number;
  readonly text: string;
}

/** Columns of a list. */
interface Shape {
  readonly headers: readonly string[];
  readonly separator?: string | undefined;
}

/** Encodings of lists. */
export type Encoding = 'utf8' | 'utf16le';

/** Columns of a list, and the line after which they begin. */
export interface Layout extends Shape {
  readonly encoding: Encoding;
  readonly after: number;
}

/** Maximum number of lines of a quoted cell. A longer cell has no closing quote. */
const MAX_LINES = 5;

const isOpen = (text: string): boolean => (text.split('"').length - 1) % 2 === 1;

const cellsOf = (text: string, separator = ','): string[] => {
  // The parser takes 30 times as long, and most lines have no quotes.
  if (!text.includes('"') && !text.startsWith('\ufeff')) return text.split(separator);
  const [cells = []] = parse(text, { bom: true, relax_column_count: true, delimiter: separator });
  return cells;
};

const faultOf = (error: unknown): string => {
  if (!(error instanceof CsvError)) throw error;
  // The parser gets one line at a time, so its line numbers are useless.
  return error.message.replace(/,? (on|at) line \d+/, '');
};

type CellLine =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string };

const cellLineOf = ({ line, text }: Text, separator?: string): CellLine => {
  if (text.includes('\ufffd')) return { line, fault: 'the text is not UTF-8' };
  try {
    return { line, cells: cellsOf(text, separator) };
  } catch (error) {
    return { line, fault: faultOf(error) };
  }
};

/** Puts the cells of a line under headers. */
export const rowOf = (line: number, cells: readonly string[], headers: readonly string[]): ListLine => {
  if (cells.slice(headers.length).some((cell) => cell !== '')) {
    return { line, fault: `there are ${cells.length} cells under ${headers.length} headers` };
  }
  return { line, row: Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ''])) };
};

const lineOf = (text: Text, { headers, separator }: Shape): ListLine => {
  const one = cellLineOf(text, separator);
  return 'fault' in one ? one : rowOf(one.line, one.cells, headers);
};

/** Takes the next line, including the continuation lines of a quoted cell. */
const joined = (texts: readonly Text[]): { readonly text: string; readonly length: number } => {
  let text = texts[0]?.text ?? '';
  let length = 1;
  for (; isOpen(text) && length < texts.length; length++) text += `\n${texts[length]?.text}`;
  return { text, length };
};

/**
 * Reads line by line and joins the lines of a quoted cell. Parsing the whole file at once would lose the rest of it
 * after a missing closing quote; here only its own line is lost.
 */
const linesOf = async function* (
  texts: AsyncIterable<string>,
  { line: last, ...shape }: Shape & { readonly line: number },
  onText: (text: string) => void,
): AsyncGenerator<ListLine> {
  let held: Text[] = [];
  const release = function* (rest: boolean): Generator<ListLine> {
    for (let [first] = held; first; [first] = held) {
      const { text, length } = joined(held);
      if (isOpen(text) && !rest && held.length < MAX_LINES) return;
      const together = lineOf({ line: first.line, text }, shape);
      const alone = length > 1 && 'fault' in together;
      if (first.text.trim() !== '') yield alone ? lineOf(first, shape) : together;
      held = held.slice(alone ? 1 : length);
    }
  };
  let line = last;
  for await (const text of texts) {
    onText(text);
    held.push({ line: ++line, text });
    yield* release(false);
  }
  yield* release(true);
};

/** The file is not a list. */
export class NotAListError extends Error {
  constructor(file: string, why: string, cause?: unknown) {
    super(`${file} is not a list: ${why}.`, { cause });
    this.name = 'NotAListError';
  }
}

/** Returns the size of a file. @throws NotAListError */
export const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw new NotAListError(file, 'it cannot be read', cause);
  }
  throw new NotAListError(file, 'it is not a file');
};

/** Matches headers that no column is read by: nothing is left of them, or a mark at an end. */
const UNREAD = /^_|_$|^$/;

const headersOf = (file: string, text: string): string[] => {
  let headers: string[];
  try {
    headers = cellsOf(text).map(normaliseHeader);
  } catch (error) {
    throw new NotAListError(file, `its first line does not name columns (${faultOf(error)})`, error);
  }
  const repeated = headers.find((header, index) => !UNREAD.test(header) && headers.indexOf(header) < index);
  if (repeated === undefined) return headers;
  throw new NotAListError(
    file,
    `it has several columns ${repeated}. Keep one, and rename or remove the others`,
  );
};

/** Reads the first line that is not blank, with the continuation lines of a quoted cell. @returns it, with its end. */
const readHeader = async (texts: AsyncIterator<string>): Promise<Text> => {
  let text = '';
  let length = 0;
  for (let line = 1; ; line++) {
    const next = await texts.next();
    if (next.done) return { line, text };
    text += next.value;
    if (text.trim() === '') continue;
    length += 1;
    if (!isOpen(text) || length >= MAX_LINES) return { line, text };
    text += '\n';
  }
};

/** Reads the lines of a file. Only carriage returns and line feeds end lines, as in editors that number them. */
const textsOf = async function* (
  file: string,
  encoding: Encoding = 'utf8',
): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const part of createReadStream(file, encoding)) {
    const texts = `${rest}${part}`.split(/\r?\n|\r(?=[^\n])/);
    rest = texts.pop() ?? '';
    yield* texts;
  }
  const last = rest.replace(/\r$/, '');
  if (last !== '') yield last;
  return undefined;
};

/** Counts the bytes of lines. The position of the stream is not the progress, as the stream reads ahead. */
const counterOf = (size: number) => {
  let bytes = 0;
  return {
    count: (text: string): void => {
      bytes += Buffer.byteLength(text) + 1;
    },
    progress: () => Math.min(1, bytes / Math.max(1, size)),
  };
};

/**
 * Opens a CSV list, whose first line names the columns. Lines are read on demand.
 *
 * @throws NotAListError
 */
export const openList = async (file: string): Promise<List> => {
  const { count, progress } = counterOf(await sizeOf(file));
  const texts = textsOf(file);
  const { text, line } = await readHeader(texts);
  const headers = headersOf(file, text);
  count(text);
  return { headers, lines: linesOf(texts, { headers, line }, count), progress };
};

/** Opens a list whose layout is known. Lines are read on demand. @throws NotAListError */
export const openLayout = async (file: string, layout: Layout): Promise<List> => {
  const { headers, separator, encoding, after } = layout;
  const { count, progress } = counterOf(await sizeOf(file));
  const texts = textsOf(file, encoding);
  for (let line = 1; line <= after; line++) count((await texts.next()).value ?? '');
  return { headers, lines: linesOf(texts, { headers, separator, line: after }, count), progress };
};

/** Line of a sample: its cells, and the last line of the file that they take. */
export interface SampleLine {
  readonly last: number;
  readonly cells: readonly string[];
}

/** Reads the first texts of a file. */
export const sampleTexts = async (file: string, encoding: Encoding, most: number): Promise<string[]> => {
  const texts: string[] = [];
  for await (const text of textsOf(file, encoding)) if (texts.push(text) >= most) break;
  return texts;
};

/** Divides the first texts of a file into cells. A line with a fault in its quotes is divided at each separator. */
export const sampleLines = (texts: readonly string[], separator: string): SampleLine[] => {
  const lines: SampleLine[] = [];
  let rest = texts.map((text, index) => ({ line: index + 1, text }));
  for (let [first] = rest; first; [first] = rest) {
    const { text, length } = joined(rest.slice(0, MAX_LINES));
    const taken = isOpen(text) ? 1 : length;
    const together = cellLineOf({ line: first.line, text: taken === 1 ? first.text : text }, separator);
    if (first.text.trim() !== '') {
      const cells = 'cells' in together ? together.cells : first.text.split(separator);
      lines.push({ last: first.line + taken - 1, cells });
    }
    rest = rest.slice(taken);
  }
  return lines;
};
