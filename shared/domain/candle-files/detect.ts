import type { SampleLine } from '../csv/sample-lines.ts';
import { CandleFileError } from './candle-file-error.ts';
import { columnName, columnOf, DIALECTS, type Dialect, dialectOf, headlessDialectOf } from './dialects.ts';
import type { Columns } from './read-bars.ts';

/** Dialect of a file, with the names of its columns and the line after which its candles begin. */
interface Detected {
  readonly dialect: Dialect;
  readonly names: readonly string[];
  readonly after: number;
}

const plainDialect = (): Dialect => {
  const plain = DIALECTS.at(-1);
  if (!plain) throw new Error('there are no dialects');
  return plain;
};

/** Lines before the headers that a file may have, such as an address. */
const MOST_BEFORE = 5;
/** A line of candles has a time and four prices. */
const LEAST_CELLS = 5;

const hasDigit = (cell: string): boolean => /\d/.test(cell);

/** Names the cells that have no name by their place, so that they count as cells under headers. */
const padded = (names: readonly string[], length: number): string[] =>
  Array.from({ length: Math.max(length, names.length) }, (_, index) => names[index] ?? `column_${index + 1}`);

/** Takes the names that the caller gives, whose file may have headers, which are passed over. */
const named = (text: string, lines: readonly SampleLine[]): Detected => {
  const names = text
    .split(',')
    .map((name, index) => (name.trim() === '-' ? `column_${index + 1}` : columnName(name)));
  const [first] = lines;
  const open = first?.cells[names.indexOf('open')] ?? '';
  const after = first && !hasDigit(open) ? first.last : (first?.last ?? 1) - 1;
  const known = dialectOf(names, first?.cells ?? []) ?? plainDialect();
  const dialect = { ...known, name: 'columns as named' };
  return { dialect, names: padded(names, first?.cells.length ?? 0), after };
};

/** Finds the dialect of a file by its first lines. @throws CandleFileError if they are not UTF-8. */
export const detect = (
  lines: readonly SampleLine[],
  headers: readonly string[] | undefined,
  columns: string | undefined,
): Detected => {
  if (columns !== undefined) return named(columns, lines);
  if (headers) {
    const dialect = dialectOf(headers, lines[0]?.cells ?? []) ?? plainDialect();
    return { dialect, names: headers, after: 0 };
  }
  const wide = lines.slice(0, MOST_BEFORE).findIndex(({ cells }) => cells.length >= LEAST_CELLS);
  const at = Math.max(0, wide);
  const first = lines[at];
  if (!first) return { dialect: plainDialect(), names: [], after: 0 };
  if (first.cells.some((cell) => cell.includes('\ufffd'))) {
    throw new CandleFileError('The first line is not UTF-8: save the file as UTF-8.');
  }
  const headless = headlessDialectOf(first.cells);
  if (headless) {
    const names = (headless.cells ?? []).map(([name]) => name);
    return { dialect: headless, names: padded(names, first.cells.length), after: lines[at - 1]?.last ?? 0 };
  }
  const names = first.cells.map(columnName);
  const dialect = dialectOf(names, lines[at + 1]?.cells ?? []) ?? plainDialect();
  let after = first.last;
  for (const { cells, last } of lines.slice(at + 1)) {
    if (!dialect.passed?.includes(columnName(cells[0] ?? ''))) break;
    after = last;
  }
  return { dialect, names, after };
};

const REQUIRED = ['time', 'open', 'high', 'low', 'close'] as const;

const missingText = (missing: readonly string[], names: readonly string[]): string => {
  return names.some((name) => /^\d/.test(name)) && names.length >= LEAST_CELLS
    ? 'The first line does not name columns, and no known program writes it so.'
    : `The columns ${missing.join(', ')} are missing. Columns: time,open,high,low,close,volume, in any order.`;
};

/** Finds the columns of a file. @throws CandleFileError if one is missing, or there twice. */
export const columnsIn = ({ dialect, names }: Detected): Columns => {
  const [time, open, high, low, close] = REQUIRED.map((field) => columnOf(dialect, field, names));
  if (
    time === undefined ||
    open === undefined ||
    high === undefined ||
    low === undefined ||
    close === undefined
  ) {
    const missing = REQUIRED.filter((field) => columnOf(dialect, field, names) === undefined);
    throw new CandleFileError(missingText(missing, names), 'columns');
  }
  const columns = {
    ...{ time, open, high, low, close },
    clock: columnOf(dialect, 'clock', names),
    volume: columnOf(dialect, 'volume', names),
    symbol: columnOf(dialect, 'symbol', names),
  };
  const repeated = Object.values(columns).find(
    (name) => name !== undefined && names.indexOf(name) !== names.lastIndexOf(name),
  );
  if (repeated === undefined) return columns;
  throw new CandleFileError(
    `The file has several columns ${repeated}. Keep one, rename or remove the others, or name the columns.`,
    'columns',
  );
};
