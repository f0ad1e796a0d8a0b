import type { Timeframe } from '../../domain/strategies/strategies.ts';

const DAY_MS = 24 * 3_600_000;
const MONTHS_OF_YEAR = 12;
const EPOCH_YEAR = 1970;
const THIRD_DAYS = 10;
const THIRDS = 3;

/** Length of a span of time in UTC: a day, a third of a month, or a number of months that divides a decade. */
type Length = 'day' | 'third' | number;

/** A span of time that one item holds; named after its first day. */
export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Spans of sealed items: a year of minute bars is 36 of them, ten years of daily bars at most two. */
const SEALED: Readonly<Record<Timeframe, Length>> = {
  '1m': 'third',
  '3m': 'third',
  '5m': 1,
  '15m': 3,
  '30m': 6,
  '1h': 12,
  '4h': 40,
  '1d': 120,
  '1w': 120,
};

/** Spans of items that are still appended to; each lies within one sealed span. */
const OPEN: Readonly<Record<Timeframe, Length>> = {
  '1m': 'day',
  '3m': 'day',
  '5m': 'day',
  '15m': 'third',
  '30m': 'third',
  '1h': 1,
  '4h': 8,
  '1d': 12,
  '1w': 120,
};

const spanOf = (start: number, end: number): Span => ({
  name: new Date(start).toISOString().slice(0, 10),
  start,
  end,
});

const spanAt = (length: Length, at: number): Span => {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (length === 'day') {
    const start = Math.floor(at / DAY_MS) * DAY_MS;
    return spanOf(start, start + DAY_MS);
  }
  if (length === 'third') {
    const third = Math.min(THIRDS - 1, Math.floor((date.getUTCDate() - 1) / THIRD_DAYS));
    const start = Date.UTC(year, month, 1 + third * THIRD_DAYS);
    const isLast = third === THIRDS - 1;
    return spanOf(start, isLast ? Date.UTC(year, month + 1) : start + THIRD_DAYS * DAY_MS);
  }
  const months = (year - EPOCH_YEAR) * MONTHS_OF_YEAR + month;
  const first = Math.floor(months / length) * length;
  return spanOf(Date.UTC(EPOCH_YEAR, first), Date.UTC(EPOCH_YEAR, first + length));
};

/** Returns the span of the sealed item that holds a bar. */
export const sealedSpan = (timeframe: Timeframe, at: number): Span => spanAt(SEALED[timeframe], at);

/** Returns the span of the open item that holds a bar. */
export const openSpan = (timeframe: Timeframe, at: number): Span => spanAt(OPEN[timeframe], at);

/** Returns the spans that hold bars from `from` to `to`, without `to`. */
export const spansBetween = (
  span: (timeframe: Timeframe, at: number) => Span,
  timeframe: Timeframe,
  from: number,
  to: number,
): Span[] => {
  const spans: Span[] = [];
  for (let at = from; at < to; ) {
    const next = span(timeframe, at);
    spans.push(next);
    at = next.end;
  }
  return spans;
};
