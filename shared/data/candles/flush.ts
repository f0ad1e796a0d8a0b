import { type BarColumns, barCount, concatBars, firstBarFrom, sliceBars } from '../../domain/candles/bars.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import { addBars, readBarsItems } from './packed-bars.ts';
import type { Series } from './series.ts';
import { openSpan, sealedSpan, spansBetween } from './spans.ts';

const openKeys = ({ symbol, timeframe }: Series, from: number, to: number): Key[] =>
  spansBetween(openSpan, timeframe, from, to).map(({ name }) => keys.openCandles(symbol, timeframe, name));

/** Copies the bars of the head that are in no other item yet to the open items of their spans. */
const flushToOpen = async (store: Store, series: Series): Promise<void> => {
  const { symbol, timeframe, bars } = series;
  let from = firstBarFrom(bars, series.flushed + 1);
  while (from < barCount(bars)) {
    const span = openSpan(timeframe, bars.start[from] ?? 0);
    const to = firstBarFrom(bars, span.end);
    await addBars(store, keys.openCandles(symbol, timeframe, span.name), sliceBars(bars, from, to), 'keep');
    from = to;
  }
};

/** Copies the bars of the open items to the sealed item of their span. */
const seal = async (store: Store, series: Series, openFrom: number): Promise<void> => {
  const { symbol, timeframe } = series;
  const parts = await readBarsItems(store, openKeys(series, openFrom, series.last + 1));
  const bars: BarColumns = concatBars(parts);
  const { name } = sealedSpan(timeframe, openFrom);
  if (barCount(bars) > 0) {
    await addBars(store, keys.sealedCandles(symbol, timeframe, name), bars, 'replace');
  }
};

/** Removes the open items of a span that was sealed by an earlier flush, unless bars are appended to it again. */
const removeStale = async (store: Store, series: Series, openFrom: number | undefined): Promise<void> => {
  if (series.stale_from === undefined || series.stale_from === openFrom) return;
  const { end } = sealedSpan(series.timeframe, series.stale_from);
  await store.batchWrite(openKeys(series, series.stale_from, end).map((key) => ({ delete: key })));
};

/**
 * Flushes the newest bars of a series from its head to the item of their span, and seals the span if it has ended. A
 * repeat after a crash changes nothing. Open items of a sealed span stay until the next flush, for readers that read the
 * head before.
 *
 * @returns the series to store: all its bars are flushed.
 */
export const flushSeries = async (
  store: Store,
  series: Series,
  { isSpanOver }: { readonly isSpanOver: boolean },
): Promise<Series> => {
  await flushToOpen(store, series);
  const firstUnflushed = series.bars.start[firstBarFrom(series.bars, series.flushed + 1)];
  const openFrom =
    series.open_from ??
    (firstUnflushed === undefined ? undefined : sealedSpan(series.timeframe, firstUnflushed).start);
  if (isSpanOver && openFrom !== undefined) await seal(store, series, openFrom);
  await removeStale(store, series, openFrom);
  const { open_from: _open, stale_from: _stale, ...rest } = series;
  return {
    ...rest,
    flushed: series.last,
    ...(openFrom !== undefined && (isSpanOver ? { stale_from: openFrom } : { open_from: openFrom })),
  };
};
