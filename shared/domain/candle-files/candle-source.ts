import type { ListLine } from '../csv/cells.ts';
import { counterOf, linesOf, textsIn } from '../csv/list-lines.ts';
import { type SampleLine, sampleLines } from '../csv/sample-lines.ts';
import type { CandleBytes, Encoding } from './candle-bytes.ts';
import { CandleFileError } from './candle-file-error.ts';
import { jsonRows, readJsonCandles } from './json-candles.ts';

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

/** First bytes of files that hold no text. */
const OTHER_FILES: readonly { readonly head: readonly number[]; readonly cure: string }[] = [
  {
    head: [0x50, 0x4b, 0x03, 0x04],
    cure: 'It is a ZIP archive or an Excel workbook: unpack it, or save it as CSV.',
  },
  { head: [0x1f, 0x8b], cure: 'It is compressed with gzip: unpack it.' },
  { head: [0xfe, 0xff], cure: 'It is big-endian UTF-16: save it as UTF-8.' },
];

const WEB_PAGE = /^\s*<(?:!doctype|html|\?xml)/i;

/** Returns the encoding of a file. UTF-16 begins with a mark, or has a zero after its first letter. */
const encodingOf = (head: Uint8Array): Encoding =>
  (head[0] === 0xff && head[1] === 0xfe) || (head.length > 1 && head[0] !== 0 && head[1] === 0)
    ? 'utf16le'
    : 'utf8';

const SEPARATORS = ['\t', ';', ',', '|'];
const NAMES: Readonly<Record<string, string>> = { '\t': 'tabs', ';': 'semicolons', '|': 'bars' };

/** Returns the separator of a file: the first of those that a line with enough cells has. */
const separatorOf = (texts: readonly string[]): string =>
  SEPARATORS.find((one) => texts.slice(0, 5).some((text) => text.split(one).length > 4)) ?? ',';

const sampleTexts = async (file: CandleBytes, encoding: Encoding): Promise<string[]> => {
  const texts: string[] = [];
  for await (const text of textsIn(file.parts(encoding))) if (texts.push(text) >= SAMPLE) break;
  return texts;
};

const textSource = async (file: CandleBytes, encoding: Encoding): Promise<Source> => {
  const sample = await sampleTexts(file, encoding);
  const separator = separatorOf(sample);
  const mark = NAMES[separator];
  return {
    headers: undefined,
    sample: sampleLines(sample, separator),
    open: async (headers, after) => {
      const { count, progress } = counterOf(file.size, encoding === 'utf16le' ? 2 : 1);
      const texts = textsIn(file.parts(encoding));
      for (let line = 1; line <= after; line++) count((await texts.next()).value ?? '');
      return { lines: linesOf(texts, { headers, separator, line: after }, count), progress };
    },
    facts: [...(encoding === 'utf16le' ? ['UTF-16'] : []), ...(mark === undefined ? [] : [mark])],
  };
};

const jsonSource = async (file: CandleBytes): Promise<Source> => {
  const { headers, lines, isPage } = await readJsonCandles(file);
  return {
    headers,
    sample: lines.slice(0, SAMPLE),
    open: async (names) => ({ lines: jsonRows(lines, names), progress: () => 1 }),
    facts: ['JSON, whose lines count candles', ...(isPage ? ['one page of several'] : [])],
  };
};

/** Opens a file and recognises its encoding and separator. @throws CandleFileError */
export const openSource = async (file: CandleBytes): Promise<Source> => {
  const head = await file.head(HEAD_BYTES);
  const other = OTHER_FILES.find((one) => one.head.every((byte, index) => head[index] === byte));
  if (other) throw new CandleFileError(other.cure);
  const text = new TextDecoder().decode(head);
  if (WEB_PAGE.test(text)) {
    throw new CandleFileError('It is a web page or XML: download the candles as CSV.');
  }
  return /^\uFEFF?\s*[[{]/.test(text) ? jsonSource(file) : textSource(file, encodingOf(head));
};
