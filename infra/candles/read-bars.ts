import { parseBarTime } from '../../shared/domain/candles/bar-time.ts';
import type { Bar } from '../../shared/domain/candles/bars.ts';
import { faultOf, type SeriesKind } from '../../shared/domain/candles/checks.ts';
import type { TimeZone } from '../../shared/domain/candles/time-zone.ts';
import { readNumber } from '../../shared/domain/read-number.ts';
import type { ListLine } from '../catalogue/read-list.ts';
import { UsageError } from '../commands/command-line.ts';

const TIME_HEADERS = ['time', 'date', 'datetime', 'timestamp'];
const PRICE_HEADERS = ['open', 'high', 'low', 'close'];
const VOLUME_HEADERS = ['volume', 'vol'];

/** Headers of the columns to read. */
interface Columns {
  readonly time: string;
  /** Absent if the file has no volumes. */
  readonly volume: string | undefined;
}

/** Finds the columns of a file. @throws UsageError if one is missing. */
export const columnsIn = (headers: readonly string[]): Columns => {
  const time = TIME_HEADERS.find((name) => headers.includes(name));
  const missing = [
    ...(time === undefined ? ['time'] : []),
    ...PRICE_HEADERS.filter((name) => !headers.includes(name)),
  ];
  if (time === undefined || missing.length > 0) {
    throw new UsageError(
      `The columns ${missing.join(', ')} are missing. Columns: time,open,high,low,close,volume, in any order.`,
    );
  }
  return { time, volume: VOLUME_HEADERS.find((name) => headers.includes(name)) };
};

/** Bars to read from a file. */
export interface BarReading {
  readonly columns: Columns;
  readonly kind: SeriesKind;
  /** Time zone of times without one. */
  readonly zone: TimeZone;
}

/** A bar of a file, or the reason why its line is refused. */
export type BarLine =
  | { readonly line: number; readonly bar: Bar }
  | { readonly line: number; readonly fault: string };

const numberOf = (text: string | undefined): number => readNumber(text ?? '') ?? Number.NaN;

/** Returns the bar of a line; a text with the reason if its time is none. */
const barOf = (row: Readonly<Record<string, string>>, { columns, kind, zone }: BarReading): Bar | string => {
  const start = parseBarTime(row[columns.time]?.trim() ?? '', kind.calendar, kind.timeframe, zone);
  return typeof start === 'string'
    ? start
    : {
        start,
        open: numberOf(row.open),
        high: numberOf(row.high),
        low: numberOf(row.low),
        close: numberOf(row.close),
        volume: columns.volume === undefined ? 0 : numberOf(row[columns.volume]),
      };
};

/** The file begins with its newest bar. */
export class NewestFirstError extends UsageError {
  constructor() {
    super('The bars are sorted newest first. Sort the lines by time, oldest first.');
    this.name = 'NewestFirstError';
  }
}

/**
 * Reads the bars of a file, oldest first. A line that is no valid bar, or not after the bar before, is refused; the
 * others are kept.
 *
 * @throws NewestFirstError
 */
export const readBarLines = async function* (
  lines: AsyncIterable<ListLine>,
  reading: BarReading,
): AsyncGenerator<BarLine> {
  let previous: Bar | undefined;
  let previousLine = 0;
  let isFirst = true;
  for await (const one of lines) {
    const { line } = one;
    if ('fault' in one) {
      yield one;
      continue;
    }
    const bar = barOf(one.row, reading);
    if (typeof bar === 'string') {
      yield { line, fault: bar };
      continue;
    }
    if (previous && bar.start <= previous.start) {
      if (isFirst && bar.start < previous.start) throw new NewestFirstError();
      const relation = bar.start === previous.start ? 'is the same as' : 'is before';
      yield { line, fault: `the time ${relation} that of line ${previousLine}` };
      continue;
    }
    isFirst = previous === undefined;
    const fault = faultOf(bar, previous, reading.kind);
    if (fault !== undefined) {
      yield { line, fault };
      continue;
    }
    previous = bar;
    previousLine = line;
    yield { line, bar };
  }
};
