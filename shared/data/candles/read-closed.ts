import { type BarColumns, barCount, columnsOf, firstBarFrom, sliceBars } from '../../domain/candles/bars.ts';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import type { Store } from '../table/store.ts';
import { itemsToRead, type Range, readBars, readManyBars } from './read-bars.ts';
import { closedUntil, deriveCandles, reachOf } from './read-candles.ts';
import type { Series } from './series.ts';
import { sealedSpan } from './spans.ts';

/** Spans that one read takes. */
const MAX_SPANS = 36;

/** Closed bars that follow one another. */
export interface ClosedBars {
  readonly bars: BarColumns;
  /** True if no closed bar comes after them. */
  readonly isAll: boolean;
}

/** Returns the end of a read: that of the last span which it takes. */
const endOfRead = ({ timeframe }: Series, from: number): number => {
  let { end } = sealedSpan(timeframe, from);
  for (let spans = 1; spans < MAX_SPANS; spans++) end = sealedSpan(timeframe, end).end;
  return end;
};

/**
 * Reads the closed bars of a timeframe that start after a moment, as they were appended: programs never see
 * corrections. One call reads about a year of minute bars; none if the head of the series has the bars.
 *
 * @param isBar whether a bar of the timeframe starts at the moment, so that the next one can be derived without earlier
 *   bars.
 */
export const readClosedBars = async (
  store: Store,
  series: Series,
  timeframe: Timeframe,
  { after, isBar }: { readonly after: number; readonly isBar: boolean },
): Promise<ClosedBars> => {
  const closed = closedUntil(series, timeframe);
  const isOwn = series.timeframe === timeframe;
  const reach = reachOf(series, timeframe);
  const first = Math.max(after, series.first - 1);
  let start = first + 1;
  let from = isBar && first === after ? first : start - reach;
  while (start < closed) {
    const to = Math.min(endOfRead(series, start), series.last + 1);
    const read = await readBars(store, series, { from, to }, { asAppended: true });
    const { bars } = deriveCandles(series, timeframe, read);
    const isAll = to > series.last;
    // The last bar of a read that stops before the head may go on in the next one.
    const count = isAll ? firstBarFrom(bars, closed) : barCount(bars) - (isOwn ? 0 : 1);
    const begin = firstBarFrom(bars, first + 1);
    if (isAll || count > begin) return { bars: sliceBars(bars, begin, Math.max(begin, count)), isAll };
    start = to;
    from = to - reach;
  }
  return { bars: columnsOf([]), isAll: true };
};

/** Closed bars of a timeframe that start after a moment. */
export interface WantedClosed {
  readonly series: Series;
  readonly timeframe: Timeframe;
  readonly after: number;
  /** True if a bar of the timeframe starts at the moment. */
  readonly isBar: boolean;
}

/** Items that one call reads. */
const ITEMS_PER_CALL = 40;

/** Returns the stored bars behind all closed bars after a moment. */
const rangeOf = ({ series, timeframe, after, isBar }: WantedClosed): Range => {
  const isAfterFirst = after >= series.first;
  const first = isAfterFirst ? after : series.first - 1;
  return {
    from: isBar && isAfterFirst ? first : first + 1 - reachOf(series, timeframe),
    to: series.last + 1,
  };
};

/**
 * Reads all closed bars of several series, as they were appended, in at most one call.
 *
 * @returns undefined for those that do not fit into the call together with the ones before.
 */
export const readManyClosedBars = async (
  store: Store,
  wanted: readonly WantedClosed[],
): Promise<(BarColumns | undefined)[]> => {
  let room = ITEMS_PER_CALL;
  const plans = wanted.map((one) => {
    const part = { series: one.series, range: rangeOf(one) };
    const items = itemsToRead([part], { asAppended: true });
    if (items > room) return undefined;
    room -= items;
    return part;
  });
  const fitting = plans.filter((part) => part !== undefined);
  const found = await readManyBars(store, fitting, { asAppended: true });
  const bySeries = new Map(fitting.map((part, index) => [part, found[index]]));
  return wanted.map(({ series, timeframe, after }, index) => {
    const plan = plans[index];
    const read = plan && bySeries.get(plan);
    if (!read) return undefined;
    const { bars } = deriveCandles(series, timeframe, read);
    const begin = firstBarFrom(bars, Math.max(after, series.first - 1) + 1);
    return sliceBars(bars, begin, Math.max(begin, firstBarFrom(bars, closedUntil(series, timeframe))));
  });
};
