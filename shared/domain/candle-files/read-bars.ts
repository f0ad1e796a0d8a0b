import { parseBarTime } from '../candles/bar-time.ts';
import type { Bar } from '../candles/bars.ts';
import { type CalendarDay, dayAt } from '../candles/calendar.ts';
import { faultOf, type SeriesKind } from '../candles/checks.ts';
import { isOnGrid } from '../candles/periods.ts';
import { isInSession } from '../candles/sessions.ts';
import type { TimeZone } from '../candles/time-zone.ts';
import { INTRADAY_MS } from '../candles/timeframes.ts';
import type { ListLine } from '../csv/cells.ts';
import { CandleFileError } from './candle-file-error.ts';
import type { DateOrder, Field } from './dialects.ts';
import type { Findings } from './findings.ts';
import { type Decimal, fileNumber, isoTime } from './notation.ts';

type Required = Exclude<Field, 'clock' | 'volume' | 'symbol'>;

/** Names of the columns to read. A file may lack the time of day, volumes and symbols. */
export type Columns = Readonly<Record<Required, string>> &
  Readonly<Record<Exclude<Field, Required>, string | undefined>>;

/** Bars to read from a file, and how it writes them. */
export interface BarReading {
  readonly columns: Columns;
  readonly kind: SeriesKind;
  /** Time zone of times without one. */
  readonly zone: TimeZone;
  readonly dates: DateOrder | undefined;
  readonly decimal: Decimal;
  readonly isNewestFirst: boolean;
  /** The most lines that are held of a file that begins with the newest one. */
  readonly mostHeld: number;
  readonly findings: Findings;
}

/** A bar of a file, or the reason why its line is refused. */
export type BarLine =
  | { readonly line: number; readonly bar: Bar }
  | { readonly line: number; readonly fault: string };

type Row = Readonly<Record<string, string>>;

const NO_VOLUME = /^(?:-|null|nan|n\/a|none)?$/i;

/** Returns the time of a row as ISO 8601 or an epoch, as far as its form is known. */
export const timeText = (row: Row, { time, clock }: Columns, dates: DateOrder | undefined): string => {
  const text = row[time] ?? '';
  const rest = clock === undefined ? undefined : row[clock]?.trim();
  return isoTime(rest ? `${text.trim()} ${rest}` : text, dates);
};

/** Reads the lines of a file as bars that are not checked yet. */
const parserOf = (reading: BarReading): ((one: ListLine) => BarLine) => {
  const { columns, kind, zone, dates, decimal, findings } = reading;
  const { symbol } = columns;
  let firstSymbol: string | undefined;

  const volumeOf = (row: Row, line: number): number => {
    if (columns.volume === undefined) return 0;
    const text = row[columns.volume] ?? '';
    const volume = fileNumber(text, decimal);
    if (!Number.isNaN(volume) || !NO_VOLUME.test(text.trim())) return volume;
    findings.add('no volume', line);
    return 0;
  };

  return (one) => {
    if ('fault' in one) return one;
    const { line, row } = one;
    if (symbol !== undefined) {
      const name = row[symbol] ?? '';
      firstSymbol ??= name;
      if (name !== firstSymbol) {
        return {
          line,
          fault: `the symbol is ${name}, and that of the file is ${firstSymbol}: divide the file`,
        };
      }
    }
    const start = parseBarTime(timeText(row, columns, dates), kind.calendar, kind.timeframe, zone);
    if (typeof start === 'string') return { line, fault: start };
    const bar = {
      start,
      open: fileNumber(row[columns.open], decimal),
      high: fileNumber(row[columns.high], decimal),
      low: fileNumber(row[columns.low], decimal),
      close: fileNumber(row[columns.close], decimal),
      volume: volumeOf(row, line),
    };
    return { line, bar };
  };
};

/** Reads all lines and returns them from the last to the first. @throws CandleFileError if they are too many to hold. */
const reversed = async function* (
  lines: AsyncIterable<ListLine>,
  parse: (one: ListLine) => BarLine,
  most: number,
): AsyncGenerator<BarLine> {
  const held: BarLine[] = [];
  for await (const one of lines) {
    held.push(parse(one));
    if (held.length <= most) continue;
    throw new CandleFileError(
      `The candles are sorted newest first, and more than ${most.toLocaleString('en')}. Sort the lines by time, oldest first, or divide the file.`,
    );
  }
  for (let last = held.pop(); last; last = held.pop()) yield last;
};

/** Returns a function that tells whether a bar has no part in a session. A week has one for certain. */
const outsideTest = ({ calendar, timeframe }: SeriesKind): ((start: number) => boolean) => {
  if (timeframe === '1w') return () => false;
  let day: CalendarDay | undefined;
  return (start) => {
    if (!day || start < day.start || start >= day.end) day = dayAt(calendar, start);
    const isWithin = start >= day.open && start < day.close;
    return !isWithin && !isInSession(day, timeframe, start);
  };
};

/** Tells the local time of a start that is off the grid. */
const localStart = ({ calendar }: SeriesKind, start: number): string =>
  `; this one starts at ${new Date(start + calendar.timeZone.offsetAt(start)).toISOString().slice(11, 16)}`;

/**
 * Reads the bars of a file, oldest first. A line that is no valid bar, or not after the bar before, is refused; the
 * others are kept.
 */
export const readBarLines = async function* (
  lines: AsyncIterable<ListLine>,
  reading: BarReading,
): AsyncGenerator<BarLine> {
  const { kind, findings, isNewestFirst, mostHeld } = reading;
  const parse = parserOf(reading);
  const isOutside = outsideTest(kind);
  let previous: Bar | undefined;
  let previousLine = 0;
  for await (const read of isNewestFirst ? reversed(lines, parse, mostHeld) : lines) {
    const one = 'row' in read ? parse(read) : read;
    if ('fault' in one) {
      yield one;
      continue;
    }
    const { line, bar } = one;
    if (previous && bar.start <= previous.start) {
      const isSame = bar.start === previous.start;
      findings.add(isSame ? 'duplicate' : 'unsorted', line);
      const relation = isSame ? 'is the same as' : 'is before';
      yield { line, fault: `the time ${relation} that of line ${previousLine}` };
      continue;
    }
    const fault = faultOf(bar, previous, kind);
    if (fault !== undefined) {
      const isOff =
        INTRADAY_MS[kind.timeframe] !== undefined && !isOnGrid(kind.calendar, kind.timeframe, bar.start);
      yield { line, fault: isOff ? `${fault}${localStart(kind, bar.start)}` : fault };
      continue;
    }
    if (isOutside(bar.start)) findings.add('outside', line);
    previous = bar;
    previousLine = line;
    yield { line, bar };
  }
};
