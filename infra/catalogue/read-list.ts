import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { cellFaultOf, cellsOf, type ListLine, type Text } from '../../shared/domain/csv/cells.ts';
import { counterOf, isOpen, linesOf, MAX_LINES, textsIn } from '../../shared/domain/csv/list-lines.ts';
import { normaliseHeader } from './formats.ts';

/** Open list that is read line by line. */
export interface List {
  /** Names of the columns, from the first line. */
  readonly headers: readonly string[];
  readonly lines: AsyncIterable<ListLine>;
  /** Fraction of the file that has been read, from 0 to 1. */
  readonly progress: () => number;
}

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
    throw new NotAListError(file, `its first line does not name columns (${cellFaultOf(error)})`, error);
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

/**
 * Opens a CSV list, whose first line names the columns. Lines are read on demand.
 *
 * @throws NotAListError
 */
export const openList = async (file: string): Promise<List> => {
  const { count, progress } = counterOf(await sizeOf(file));
  const texts = textsIn(createReadStream(file, 'utf8'));
  const { text, line } = await readHeader(texts);
  const headers = headersOf(file, text);
  count(text);
  return { headers, lines: linesOf(texts, { headers, line }, count), progress };
};
