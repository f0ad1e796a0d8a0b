import {
  BAR_FIELDS,
  type Bar,
  type BarColumns,
  barCount,
  columnsOf,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../domain/candles/bars.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import { correctBars } from './corrections.ts';
import { flushSeries } from './flush.ts';
import { readBars } from './read-bars.ts';
import { findSeries, headItem, type Series, type SeriesFacts } from './series.ts';
import { sealedSpan } from './spans.ts';

/** Bars that the head of a series holds before they are flushed. */
const MAX_UNFLUSHED = 16;
const MAX_ATTEMPTS = 5;

/** Result of an append: the series after it, and whether the bar was new. */
export interface Append {
  readonly series: Series;
  readonly outcome: 'appended' | 'repeated' | 'late';
}

const isSame = (bars: BarColumns, index: number, bar: Bar): boolean =>
  BAR_FIELDS.every((field) => bars[field][index] === bar[field]);

const created = async (store: Store, facts: SeriesFacts, bar: Bar): Promise<Series> => {
  const series: Series = {
    ...facts,
    rev: 1,
    first: bar.start,
    last: bar.start,
    count: 1,
    bars: columnsOf([bar]),
    // No bar is flushed yet.
    flushed: bar.start - 1,
    appended_from: bar.start,
    late_bars: 0,
  };
  await store.put(headItem(series), { condition: 'attribute_not_exists(pk)' });
  return series;
};

const appended = async (store: Store, series: Series, bar: Bar): Promise<Series> => {
  const unflushed = barCount(series.bars) - firstBarFrom(series.bars, series.flushed + 1);
  const leavesSpan =
    sealedSpan(series.timeframe, bar.start).start !== sealedSpan(series.timeframe, series.last).start;
  const ready =
    unflushed >= MAX_UNFLUSHED || leavesSpan ? await flushSeries(store, series, leavesSpan) : series;
  const kept = sliceBars(ready.bars, firstBarFrom(ready.bars, ready.flushed + 1));
  const next: Series = {
    ...ready,
    rev: series.rev + 1,
    last: bar.start,
    count: series.count + 1,
    appended_from: series.appended_from ?? bar.start,
    bars: concatBars([kept, columnsOf([bar])]),
  };
  await store.put(headItem(next), {
    condition: 'rev = :rev AND #last < :start',
    names: { '#last': 'last' },
    values: { ':rev': series.rev, ':start': bar.start },
  });
  return next;
};

/** Stores a bar that arrived after a later one, unless it is stored already. */
const corrected = async (store: Store, series: Series, bar: Bar): Promise<Append> => {
  const stored = await readBars(store, series, { from: bar.start, to: bar.start + 1 });
  if (barCount(stored) > 0 && isSame(stored, 0, bar)) return { series, outcome: 'repeated' };
  return { series: await correctBars(store, series, columnsOf([bar])), outcome: 'late' };
};

const attempt = async (
  store: Store,
  facts: SeriesFacts,
  series: Series | undefined,
  bar: Bar,
): Promise<Append> => {
  if (!series) return { series: await created(store, facts, bar), outcome: 'appended' };
  if (bar.start > series.last) return { series: await appended(store, series, bar), outcome: 'appended' };
  return corrected(store, series, bar);
};

/**
 * Appends a valid bar to a series: one write, and with every 16th bar a flush to the item of its span. A bar that is
 * stored already changes nothing. A bar that arrives after a later one is stored as a correction and counted.
 *
 * @param known the series as last read or appended to; read again if it has changed since.
 */
export const appendBar = async (
  store: Store,
  facts: SeriesFacts,
  bar: Bar,
  known?: Series,
): Promise<Append> => {
  let series = known ?? (await findSeries(store, facts.symbol, [facts.timeframe]))[0];
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(store, facts, series, bar);
    } catch (error) {
      const isStale = error instanceof ConditionFailedError || error instanceof TransactionRefusedError;
      if (!isStale || tries === MAX_ATTEMPTS) throw error;
      [series] = await findSeries(store, facts.symbol, [facts.timeframe]);
    }
  }
};
