import { newFrom } from '../data/candles/append-bars.ts';
import { changeHead } from '../data/candles/change-head.ts';
import { findSeries, kindOf, type Series, splitsOf } from '../data/candles/series.ts';
import { areInUse } from '../data/engine/series-in-use.ts';
import type { Store } from '../data/table/store.ts';
import { isOnGrid } from '../domain/candles/periods.ts';
import { ratioText } from '../domain/splits/ratio.ts';
import type { SeriesSplit } from '../domain/splits/split-bars.ts';
import { TIMEFRAMES } from '../domain/strategies/strategies.ts';

const DAY_MS = 86_400_000;
/** Longest time ahead for which a split can be declared. */
const MAX_AHEAD_MS = 60 * DAY_MS;
/** Most splits of a series. Its head has all of them. */
const MAX_SPLITS = 20;

/** A split cannot be declared or withdrawn. */
export class SplitRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SplitRefusedError';
  }
}

const isoOf = (at: number): string => new Date(at).toISOString();

const isSame = (one: SeriesSplit, other: SeriesSplit): boolean =>
  one.at === other.at && one.units === other.units && one.of === other.of;

/** Returns whether a split is declared or done. */
const isKnown = (series: Series, wanted: SeriesSplit): boolean =>
  splitsOf(series).some((one) => isSame(one, wanted));

/** Returns why a series cannot be split; undefined if it can. */
const refusalOf = (series: Series, { at }: SeriesSplit, now: Date): string | undefined => {
  const { asset_class: assetClass, split, splits = [] } = series;
  const { calendar, timeframe } = kindOf(series);
  if (assetClass === 'forex') return 'currencies have no splits';
  if (split) return `a split of ${ratioText(split)} at ${isoOf(split.at)} is declared and not done`;
  // Accounts know splits by their time.
  const done = splits.find((one) => one.at >= at);
  if (done) return `a split of ${ratioText(done)} at ${isoOf(done.at)} is done: declare one for a later bar`;
  if (at < newFrom(series)) return 'bars from then on were taken';
  if (!isOnGrid(calendar, timeframe, at)) return `no bar of ${timeframe} starts at ${isoOf(at)}`;
  if (at > now.getTime() + MAX_AHEAD_MS) return 'the time is more than 60 days ahead';
  return splits.length < MAX_SPLITS ? undefined : `a series can have at most ${MAX_SPLITS} splits`;
};

/** @throws SplitRefusedError */
const declared = (series: Series, { at, units, of }: SeriesSplit, now: Date): Series | undefined => {
  const split = { at, units, of };
  if (isKnown(series, split)) return undefined;
  const reason = refusalOf(series, split, now);
  if (reason !== undefined) throw new SplitRefusedError(`${series.symbol} ${series.timeframe}: ${reason}`);
  return { ...series, split };
};

/**
 * Checks that the series of a symbol that programs use is the only one with new bars. Last prices are per symbol: those
 * of another series would be in new units while accounts are in old ones, or the other way round.
 *
 * @throws SplitRefusedError
 */
const requireOneInUse = async (store: Store, all: readonly Series[]): Promise<void> => {
  const used = await areInUse(store, all);
  if (!used.includes(true)) return;
  const fed = all.filter(({ appended_from: appended }, index) => used[index] || appended !== undefined);
  if (fed.length <= 1) return;
  const names = fed.map(({ timeframe }) => timeframe).join(', ');
  throw new SplitRefusedError(
    `several series of ${fed[0]?.symbol} get bars (${names}), and programs use one`,
  );
};

/**
 * Declares a split of series of a symbol. No bar from its time on is taken before all accounts and programs are
 * restated. No-op for a series for which the same split is declared or done.
 *
 * @param isMeant tells which series of the symbol are meant.
 * @returns the series after it, that are meant.
 * @throws SplitRefusedError before anything is written, unless a series changes meanwhile
 */
export const declareSplit = async (
  store: Store,
  symbol: string,
  isMeant: (series: Series) => boolean,
  split: SeriesSplit,
  now: Date,
): Promise<Series[]> => {
  const found = await findSeries(store, symbol, TIMEFRAMES);
  const all = found.filter((series) => series !== undefined);
  const own = all.filter(isMeant);
  const due = own.filter((series) => declared(series, split, now));
  if (due.length > 0) await requireOneInUse(store, all);
  const changed = await Promise.all(
    due.map((series) => changeHead(store, series, (stored) => declared(stored, split, now))),
  );
  return own
    .map((series) => (due.includes(series) ? changed[due.indexOf(series)] : series))
    .filter((series) => series !== undefined);
};

/**
 * Withdraws the declared split of a series, as long as it has not begun.
 *
 * @returns the split; undefined without one.
 * @throws SplitRefusedError
 */
export const withdrawSplit = async (store: Store, known: Series): Promise<SeriesSplit | undefined> => {
  let withdrawn: SeriesSplit | undefined;
  await changeHead(store, known, ({ split, ...series }) => {
    withdrawn = split;
    if (split?.started)
      throw new SplitRefusedError('the split has begun: accounts and programs are restated');
    return split && series;
  });
  return withdrawn;
};
