import { type ListLine, rowOf } from '../csv/cells.ts';
import type { SampleLine } from '../csv/sample-lines.ts';
import type { CandleBytes } from './candle-bytes.ts';
import { CandleFileError } from './candle-file-error.ts';
import { columnName } from './dialects.ts';

/** The most bytes of a JSON file, as it is held whole. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Candles of a JSON file as the cells of a list. A file of objects has headers. */
interface JsonCandles {
  readonly headers: readonly string[] | undefined;
  readonly lines: readonly SampleLine[];
  /** True if the service has more pages. */
  readonly isPage: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Lists the candles of the series of one symbol, or of an object by symbol. @throws CandleFileError for several. */
const seriesIn = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const lists = Object.entries(value).filter(([, one]) => Array.isArray(one));
  if (lists.length > 1) {
    throw new CandleFileError(
      `The file has several symbols: ${lists.map(([symbol]) => symbol).join(', ')}. Divide it.`,
    );
  }
  const [, list] = lists[0] ?? [];
  return Array.isArray(list) ? list : undefined;
};

/** Lists the candles of an object by time, as Alpha Vantage writes them with names such as `1. open`. */
const byTime = (value: Json): Json[] =>
  Object.entries(value).map(([timestamp, one]) => ({
    timestamp,
    ...Object.fromEntries(
      Object.entries(isObject(one) ? one : {}).map(([name, cell]) => [name.replace(/^\d+\. /, ''), cell]),
    ),
  }));

const listIn = (json: unknown): readonly unknown[] => {
  const root = isObject(json) && isObject(json.data) ? json.data : json;
  const named = isObject(root) ? (root.bars ?? root.candles) : root;
  const found = seriesIn(named);
  if (found) return found;
  const times = isObject(json)
    ? Object.entries(json).find(([name]) => name.startsWith('Time Series'))
    : undefined;
  if (times && isObject(times[1])) return byTime(times[1]);
  throw new CandleFileError(
    'The JSON has no candles at a known place: a list, bars, candles, data.candles or Time Series. Export CSV.',
  );
};

const textOfFile = async (file: CandleBytes): Promise<string> => {
  const parts: string[] = [];
  for await (const part of file.parts('utf8')) parts.push(part);
  return parts.join('');
};

/** Reads the candles of a JSON file, which is held whole. @throws CandleFileError */
export const readJsonCandles = async (file: CandleBytes): Promise<JsonCandles> => {
  if (file.size > MOST_BYTES)
    throw new CandleFileError('The JSON is larger than 256 MiB. Export CSV, or divide the file.');
  let json: unknown;
  try {
    json = JSON.parse((await textOfFile(file)).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CandleFileError(`It begins as JSON and is not valid JSON: ${error.message}.`);
  }
  const list = listIn(json);
  const isPage = isObject(json) && typeof json.next_page_token === 'string';
  if (list.every((one) => Array.isArray(one))) {
    return {
      headers: undefined,
      lines: list.map((one, at) => ({ last: at + 1, cells: one.map(textOf) })),
      isPage,
    };
  }
  const names = Object.keys(list.find(isObject) ?? {});
  const lines = list.map((one, at) => ({
    last: at + 1,
    cells: names.map((name) => (isObject(one) ? textOf(one[name]) : '')),
  }));
  return { headers: names.map(columnName), lines, isPage };
};

/** Puts the candles of a JSON file under headers. Lines count candles. */
export const jsonRows = async function* (
  lines: readonly SampleLine[],
  headers: readonly string[],
): AsyncGenerator<ListLine> {
  for (const { last, cells } of lines) yield rowOf(last, cells, headers);
};
