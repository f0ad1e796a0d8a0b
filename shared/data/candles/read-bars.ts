import {
  type BarColumns,
  barCount,
  columnsOf,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../domain/candles/bars.ts';
import { mergeBars } from '../../domain/candles/merge.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import { readBarsItems } from './packed-bars.ts';
import type { Series } from './series.ts';
import { openSpan, sealedSpan, spansBetween } from './spans.ts';

/** A range of starts in milliseconds: from `from` to `to`, without `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const cut = (bars: BarColumns, { from, to }: Range): BarColumns =>
  sliceBars(bars, firstBarFrom(bars, from), firstBarFrom(bars, to));

const EMPTY = columnsOf([]);

/** Returns the part of a range that the items of a series can hold. */
const within = (series: Series, range: Range): Range => ({
  from: Math.max(range.from, series.first),
  to: Math.min(range.to, series.flushed + 1),
});

/** Returns the keys of the items that hold the bars of a range, sealed ones first, each kind oldest first. */
const keysOf = (series: Series, range: Range): Key[] => {
  const { symbol, timeframe, open_from: openFrom } = series;
  const { from, to } = within(series, range);
  const sealed = spansBetween(sealedSpan, timeframe, from, to);
  const open = openFrom === undefined ? [] : spansBetween(openSpan, timeframe, Math.max(from, openFrom), to);
  return [
    ...sealed.map(({ name }) => keys.sealedCandles(symbol, timeframe, name)),
    ...open.map(({ name }) => keys.openCandles(symbol, timeframe, name)),
  ];
};

/** Joins parts. A bar of a later part replaces one with the same start: appended bars win over imported ones. */
const join = (parts: readonly BarColumns[]): BarColumns => {
  const runs: BarColumns[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    if (barCount(part) === 0) continue;
    if ((part.start[0] ?? 0) > last) runs.push(part);
    else runs.splice(0, runs.length, mergeBars(concatBars(runs), part, 'replace').bars);
    last = Math.max(last, part.start.at(-1) ?? last);
  }
  return runs.length === 1 ? (runs[0] ?? EMPTY) : concatBars(runs);
};

const correctionKeysOf = (series: Series, { from, to }: Range): Key[] => {
  const { symbol, timeframe, first, last, through = last } = series;
  // A late bar before the watermark can be newer than the newest appended bar.
  const end = Math.min(to, Math.max(last, through) + 1);
  return spansBetween(sealedSpan, timeframe, Math.max(from, first), end).map(({ name }) =>
    keys.candleCorrections(symbol, timeframe, name),
  );
};

/** Bars of a series to read. */
export interface WantedBars {
  readonly series: Series;
  readonly range: Range;
}

interface ReadPlan extends WantedBars {
  readonly appended: readonly Key[];
  readonly corrections: readonly Key[];
}

export interface Reading {
  /** Leaves corrections out: the bars as programs saw them. */
  readonly asAppended?: boolean;
}

const planOf = ({ series, range }: WantedBars, { asAppended = false }: Reading): ReadPlan => ({
  series,
  range,
  appended: keysOf(series, range),
  corrections: series.late_bars > 0 && !asAppended ? correctionKeysOf(series, range) : [],
});

/** Returns the number of items that a read takes. */
export const itemsToRead = (wanted: readonly WantedBars[], reading: Reading = {}): number =>
  wanted.reduce((sum, one) => {
    const { appended, corrections } = planOf(one, reading);
    return sum + appended.length + corrections.length;
  }, 0);

/**
 * Reads the bars of several ranges together by computed keys, 40 items a call.
 */
export const readManyBars = async (
  store: Store,
  wanted: readonly WantedBars[],
  reading: Reading = {},
): Promise<BarColumns[]> => {
  const plans = wanted.map((one) => planOf(one, reading));
  const found = await readBarsItems(
    store,
    plans.flatMap(({ appended, corrections }) => [...appended, ...corrections]),
  );
  let at = 0;
  const take = (count: number): BarColumns[] => {
    at += count;
    return found.slice(at - count, at);
  };
  return plans.map(({ series, range, appended, corrections }) => {
    const parts = take(appended.length);
    return cut(join([...parts, series.bars, ...take(corrections.length)]), range);
  });
};

/** Counts the bars of ranges that programs missed: they arrived, or were imported, after later ones. */
export const countLateBars = async (store: Store, wanted: readonly WantedBars[]): Promise<number> => {
  const corrected = wanted.filter(({ series }) => series.late_bars > 0);
  const [all, appended] = await Promise.all([
    readManyBars(store, corrected),
    readManyBars(store, corrected, { asAppended: true }),
  ]);
  const total = (read: readonly BarColumns[]) => read.reduce((sum, bars) => sum + barCount(bars), 0);
  return total(all) - total(appended);
};

/** Reads the bars of a range, as {@link readManyBars} does. */
export const readBars = async (
  store: Store,
  series: Series,
  range: Range,
  options: Reading = {},
): Promise<BarColumns> => {
  const [bars = EMPTY] = await readManyBars(store, [{ series, range }], options);
  return bars;
};
