import {
  type BarColumns,
  barCount,
  columnsOf,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { closingTime } from '../../domain/candles/closed.ts';
import { deriveBars } from '../../domain/candles/derive.ts';
import { periodsOf } from '../../domain/candles/periods.ts';
import { INTRADAY_MS, sourcesOf } from '../../domain/candles/timeframes.ts';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import type { Store } from '../table/store.ts';
import { type Range, type Reading, readBars, readManyBars, type WantedBars } from './read-bars.ts';
import { findSeries, inNewestUnits, type Series } from './series.ts';
import { sealedSpan } from './spans.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const EMPTY = columnsOf([]);

/** Candles of a symbol and timeframe. */
export interface Candles {
  /** Series that holds them, or the smaller bars from which they are derived. */
  readonly series: Series;
  readonly bars: BarColumns;
  /** 1 for each bar that is not closed yet or lacks smaller bars; absent if the bars are stored as they are. */
  readonly incomplete?: Uint8Array;
}

/** Returns the timeframes whose series can answer for a timeframe, the best first. */
export const candidatesFor = (timeframe: Timeframe): Timeframe[] => [timeframe, ...sourcesOf(timeframe)];

/** Finds the stored series that answers for a timeframe: its own, else the largest to derive it from. One call. */
export const findCandleSeries = async (
  store: Store,
  symbol: string,
  timeframe: Timeframe,
): Promise<Series | undefined> =>
  (await findSeries(store, symbol, candidatesFor(timeframe))).find((series) => series !== undefined);

const cutCandles = ({ series, bars, incomplete }: Candles, from: number, to: number): Candles => ({
  series,
  bars: sliceBars(bars, from, to),
  ...(incomplete && { incomplete: incomplete.subarray(from, to) }),
});

/** Returns the candles that stored bars of a series make, in its newest units. */
export const deriveCandles = (series: Series, timeframe: Timeframe, stored: BarColumns): Candles => {
  const bars = inNewestUnits(series, stored);
  if (series.timeframe === timeframe || series.timeframe === '1w') return { series, bars };
  return { series, ...deriveBars(bars, calendarById(series.calendar), series.timeframe, timeframe) };
};

/** Returns how far before and after a range the smaller bars of its candles reach. */
export const reachOf = (series: Series, timeframe: Timeframe): number => {
  if (series.timeframe === timeframe) return 0;
  return timeframe === '1w' ? WEEK_MS + DAY_MS : 2 * DAY_MS;
};

/** Candles to read: those of a timeframe that start in a range. */
export interface WantedCandles {
  readonly series: Series;
  readonly timeframe: Timeframe;
  readonly range: Range;
}

/** Returns the stored bars from which candles are made. */
export const barsBehind = ({ series, timeframe, range: { from, to } }: WantedCandles): WantedBars => {
  const reach = reachOf(series, timeframe);
  return { series, range: { from: from - reach, to: to + reach } };
};

/**
 * Reads the candles of several ranges together. Reads computed keys only, 40 items a call: ten years of daily bars, or a
 * year of minute bars, are one call.
 */
export const readManyCandles = async (
  store: Store,
  wanted: readonly WantedCandles[],
  reading: Reading = {},
): Promise<Candles[]> => {
  const found = await readManyBars(store, wanted.map(barsBehind), reading);
  return wanted.map(({ series, timeframe, range }, index) => {
    const candles = deriveCandles(series, timeframe, found[index] ?? EMPTY);
    return cutCandles(candles, firstBarFrom(candles.bars, range.from), firstBarFrom(candles.bars, range.to));
  });
};

/** Reads the candles of a range, as {@link readManyCandles} does. */
export const readCandles = async (
  store: Store,
  series: Series,
  timeframe: Timeframe,
  range: Range,
): Promise<Candles> => {
  const [candles = { series, bars: EMPTY }] = await readManyCandles(store, [{ series, timeframe, range }]);
  return candles;
};

/**
 * Returns the end of the candles that are closed: the start of the first that is not, or a moment after the last one.
 * The newest candle is closed by its last bar, by a bar of the next candle, or by the watermark of the series.
 */
export const closedUntil = (series: Series, timeframe: Timeframe): number => {
  if (series.timeframe === timeframe) return series.last + 1;
  const calendar = calendarById(series.calendar);
  const periods = periodsOf(calendar, series.timeframe, timeframe);
  const current = periods.startOf(series.last);
  if (Number.isNaN(current) || periods.closesWith(series.last)) return series.last + 1;
  const { through = Number.NEGATIVE_INFINITY } = series;
  return through >= closingTime(calendar, series.timeframe, timeframe, current) ? series.last + 1 : current;
};

/** Returns the start of the newest closed candle; that of the newest stored bar if the calendar does not tell. */
export const lastClosed = (series: Series, timeframe: Timeframe): number => {
  const { bars, last } = series;
  if (series.timeframe === timeframe) return last;
  const until = closedUntil(series, timeframe);
  const before = bars.start[firstBarFrom(bars, until) - 1] ?? until - 1;
  const periods = periodsOf(calendarById(series.calendar), series.timeframe, timeframe);
  const start = periods.startOf(before);
  return Number.isNaN(start) ? last : start;
};

/** Items that a read of the newest candles may take. */
const MAX_ITEMS = 40;
/** Reserve over the mean distance of bars, for spans with fewer of them. */
const RESERVE = 1.5;
/** Mean distance of daily bars where weekends have none. */
const DAILY_MS = (7 / 5) * DAY_MS;

/** Returns the mean distance between candles. */
export const distanceOf = (series: Series, timeframe: Timeframe): number => {
  const length = INTRADAY_MS[timeframe];
  if (series.timeframe !== timeframe && length === undefined) return timeframe === '1d' ? DAILY_MS : WEEK_MS;
  const distance = (series.last - series.first) / Math.max(1, series.count - 1);
  return (distance * (length ?? 1)) / (INTRADAY_MS[series.timeframe] ?? length ?? 1);
};

/** Returns the earliest start at which a range up to `to` takes at most 40 items. */
const earliestOf = (series: Series, to: number): number => {
  let span = sealedSpan(series.timeframe, Math.min(to - 1, series.last));
  for (let items = 1; items < MAX_ITEMS && span.start > series.first; items++) {
    span = sealedSpan(series.timeframe, span.start - 1);
  }
  return Math.max(series.first, span.start);
};

/**
 * Reads the newest candles of a range, at most `limit`, in one or two calls. Reads at most 40 items, so candles that
 * are derived from much smaller bars reach back some hundred days.
 */
export const readNewestCandles = async (
  store: Store,
  series: Series,
  timeframe: Timeframe,
  { from, to }: Range,
  limit: number,
): Promise<Candles> => {
  const reach = reachOf(series, timeframe);
  const lowest = Math.max(earliestOf(series, to), from - reach);
  const wanted = Math.min(to, series.last + 1) - distanceOf(series, timeframe) * limit * RESERVE - reach;
  const first = Math.max(lowest, Math.floor(wanted));
  const top = to + reach;

  const finish = (bars: BarColumns, begin: number): Candles => {
    const candles = deriveCandles(series, timeframe, bars);
    const count = barCount(candles.bars);
    const end = firstBarFrom(candles.bars, to);
    // The first derived candle may lack the bars before the range that was read.
    const whole = reach > 0 && begin > series.first ? Math.min(1, count) : 0;
    const start = Math.max(firstBarFrom(candles.bars, from), whole, end - limit);
    return cutCandles(candles, Math.min(start, end), end);
  };

  const newest = await readBars(store, series, { from: first, to: top });
  const candles = finish(newest, first);
  if (barCount(candles.bars) >= limit || first <= lowest) return candles;
  const before = await readBars(store, series, { from: lowest, to: first });
  return finish(concatBars([before, newest]), lowest);
};
