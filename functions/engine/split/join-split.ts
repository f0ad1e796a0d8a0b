import { newFrom } from '../../../shared/data/candles/append-bars.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { findSeries, type Series, type SeriesFacts } from '../../../shared/data/candles/series.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

/** Splits of the other series of a symbol. */
interface Others {
  /** The one that is declared. */
  readonly split: SeriesSplit | undefined;
  /** Those that are done, oldest first. */
  readonly done: readonly SeriesSplit[];
}

const splitsOfOthers = async (
  store: Store,
  { symbol, timeframe }: Pick<SeriesFacts, 'symbol' | 'timeframe'>,
): Promise<Others> => {
  const others = await findSeries(
    store,
    symbol,
    TIMEFRAMES.filter((one) => one !== timeframe),
  );
  const { at, units, of } = others.find((series) => series?.split)?.split ?? {};
  const done = others.flatMap((series) => series?.splits ?? []).map((split) => [split.at, split] as const);
  return {
    split: at === undefined || units === undefined || of === undefined ? undefined : { at, units, of },
    done: [...new Map(done).values()]
      .filter((one) => one.at !== at)
      .sort((left, right) => left.at - right.at),
  };
};

/** A series before its first bars of a feed, and the splits that it begins with if it does not exist yet. */
interface Joined {
  readonly series: Series | undefined;
  /** The split that it waits for. */
  readonly split?: SeriesSplit | undefined;
  /** Those that its first bar comes after: it has no bars to restate. */
  readonly splits?: SeriesSplit[] | undefined;
}

/**
 * Lets a series that has no bars of a feed yet take part in the splits of the other series of its symbol: a split is
 * declared for the series that there are. Last prices are per symbol, so all its series must know its splits. Reads
 * nothing for a series that has bars of a feed.
 *
 * @param hasBarsBefore tells whether the first bars of a series that does not exist yet are from before a time.
 */
export const joinSplit = async (
  store: Store,
  facts: Pick<SeriesFacts, 'symbol' | 'timeframe'>,
  series: Series | undefined,
  hasBarsBefore: (at: number) => boolean,
): Promise<Joined> => {
  if (series && (series.appended_from !== undefined || series.split)) return { series };
  const { split, done } = await splitsOfOthers(store, facts);
  if (!series) {
    const isOpen = split && hasBarsBefore(split.at);
    const splits = [...done, ...(split && !isOpen ? [split] : [])].filter(({ at }) => !hasBarsBefore(at));
    return { series, split: isOpen ? split : undefined, splits: splits.length > 0 ? splits : undefined };
  }
  if (!split) return { series };
  return {
    series: await changeHead(store, series, (found) =>
      found.split || split.at < newFrom(found) ? undefined : { ...found, split },
    ),
  };
};
