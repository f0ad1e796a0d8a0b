import { open } from 'node:fs/promises';
import {
  type Encoding,
  type ListLine,
  openLayout,
  type SampleLine,
  sampleLines,
  sampleTexts,
  sizeOf,
} from '../catalogue/read-list.ts';
import { UsageError } from '../commands/command-line.ts';
import { jsonRows, readJsonCandles } from './read-json-candles.ts';

/** Rows of a file, and its first ones. */
interface Source {
  readonly headers: readonly string[] | undefined;
  readonly sample: readonly SampleLine[];
  readonly open: (
    names: readonly string[],
    after: number,
  ) => Promise<{ readonly lines: AsyncIterable<ListLine>; readonly progress: () => number }>;
  /** Facts of the file for its reader. */
  readonly facts: readonly string[];
}

const SAMPLE = 2000;
const HEAD_BYTES = 4096;

/** First bytes of files that hold no text, in hexadecimal. */
const OTHER_FILES: readonly { readonly head: string; readonly cure: string }[] = [
  { head: '504b0304', cure: 'It is a ZIP archive or an Excel workbook: unpack it, or save it as CSV.' },
  { head: '1f8b', cure: 'It is compressed with gzip: unpack it.' },
  { head: 'feff', cure: 'It is big-endian UTF-16: save it as UTF-8.' },
];

const WEB_PAGE = /^\s*<(?:!doctype|html|\?xml)/i;

const headOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Returns the encoding of a file. UTF-16 begins with a mark, or has a zero after its first letter. */
const encodingOf = (head: Buffer): Encoding =>
  (head[0] === 0xff && head[1] === 0xfe) || (head.length > 1 && head[0] !== 0 && head[1] === 0)
    ? 'utf16le'
    : 'utf8';

const SEPARATORS = ['\t', ';', ',', '|'];
const NAMES: Readonly<Record<string, string>> = { '\t': 'tabs', ';': 'semicolons', '|': 'bars' };

/** Returns the separator of a file: the first of those that a line with enough cells has. */
const separatorOf = (texts: readonly string[]): string =>
  SEPARATORS.find((one) => texts.slice(0, 5).some((text) => text.split(one).length > 4)) ?? ',';

const textSource = async (file: string, encoding: Encoding): Promise<Source> => {
  const texts = await sampleTexts(file, encoding, SAMPLE);
  const separator = separatorOf(texts);
  const mark = NAMES[separator];
  return {
    headers: undefined,
    sample: sampleLines(texts, separator),
    open: (headers, after) => openLayout(file, { headers, separator, encoding, after }),
    facts: [...(encoding === 'utf16le' ? ['UTF-16'] : []), ...(mark === undefined ? [] : [mark])],
  };
};

const jsonSource = async (file: string, size: number): Promise<Source> => {
  const { headers, lines, isPage } = await readJsonCandles(file, size);
  return {
    headers,
    sample: lines.slice(0, SAMPLE),
    open: async (names) => ({ lines: jsonRows(lines, names), progress: () => 1 }),
    facts: ['JSON, whose lines count candles', ...(isPage ? ['one page of several'] : [])],
  };
};

/** Opens a file and recognises its encoding and separator. @throws NotAListError, UsageError */
export const openSource = async (file: string): Promise<Source> => {
  const size = await sizeOf(file);
  const head = await headOf(file);
  const other = OTHER_FILES.find((one) => head.toString('hex').startsWith(one.head));
  if (other) throw new UsageError(other.cure);
  if (WEB_PAGE.test(head.toString('utf8'))) {
    throw new UsageError('It is a web page or XML: download the candles as CSV.');
  }
  const isJson = /^\uFEFF?\s*[[{]/.test(head.toString('utf8'));
  return isJson ? jsonSource(file, size) : textSource(file, encodingOf(head));
};
