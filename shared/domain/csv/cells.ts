// Runs in browsers too, which have no Buffer.
import { CsvError, parse } from 'csv-parse/browser/esm/sync';

/** Line of a list: its cells by header, or its error. */
export type ListLine =
  | { readonly line: number; readonly row: Readonly<Record<string, string>> }
  | { readonly line: number; readonly fault: string };

/** Text of a line, which a quoted cell continues over further ones. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

/** Columns of a list. */
export interface Shape {
  readonly headers: readonly string[];
  readonly separator?: string | undefined;
}

/** Divides a text into its cells. @throws CsvError */
export const cellsOf = (text: string, separator = ','): string[] => {
  // The parser takes 30 times as long, and most lines have no quotes.
  if (!text.includes('"') && !text.startsWith('\ufeff')) return text.split(separator);
  const [cells = []] = parse(text, { bom: true, relax_column_count: true, delimiter: separator });
  return cells;
};

/** Returns the fault of a text that `cellsOf` refuses. */
export const cellFaultOf = (error: unknown): string => {
  if (!(error instanceof CsvError)) throw error;
  // The parser gets one line at a time, so its line numbers are useless.
  return error.message.replace(/,? (on|at) line \d+/, '');
};

type CellLine =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string };

/** Divides a line into its cells. */
export const cellLineOf = ({ line, text }: Text, separator?: string): CellLine => {
  if (text.includes('\ufffd')) return { line, fault: 'the text is not UTF-8' };
  try {
    return { line, cells: cellsOf(text, separator) };
  } catch (error) {
    return { line, fault: cellFaultOf(error) };
  }
};

/** Puts the cells of a line under headers. */
export const rowOf = (line: number, cells: readonly string[], headers: readonly string[]): ListLine => {
  if (cells.slice(headers.length).some((cell) => cell !== '')) {
    return { line, fault: `there are ${cells.length} cells under ${headers.length} headers` };
  }
  return { line, row: Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ''])) };
};

/** Reads a line under headers. */
export const lineOf = (text: Text, { headers, separator }: Shape): ListLine => {
  const one = cellLineOf(text, separator);
  return 'fault' in one ? one : rowOf(one.line, one.cells, headers);
};
