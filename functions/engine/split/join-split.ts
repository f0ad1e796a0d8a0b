import { newFrom } from '../../../shared/data/candles/append-bars.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { findSeries, type Series, type SeriesFacts } from '../../../shared/data/candles/series.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

/** Returns the split that is declared for another series of the symbol. */
const splitOfOthers = async (
  store: Store,
  { symbol, timeframe }: Pick<SeriesFacts, 'symbol' | 'timeframe'>,
): Promise<SeriesSplit | undefined> => {
  const others = await findSeries(
    store,
    symbol,
    TIMEFRAMES.filter((one) => one !== timeframe),
  );
  const { at, units, of } = others.find((series) => series?.split)?.split ?? {};
  return at === undefined || units === undefined || of === undefined ? undefined : { at, units, of };
};

/** A series before its first bars of a feed, and the split that it joins. */
interface Joined {
  readonly series: Series | undefined;
  /** Split of a series that does not exist yet. */
  readonly split?: SeriesSplit | undefined;
}

/**
 * Lets a series that has no bars of a feed yet take part in the declared split of another series of its symbol: a split
 * is declared for the series that there are. Last prices are per symbol, so all its series must know the split. Reads
 * nothing for a series that has bars of a feed.
 */
export const joinSplit = async (
  store: Store,
  facts: Pick<SeriesFacts, 'symbol' | 'timeframe'>,
  series: Series | undefined,
): Promise<Joined> => {
  if (series && (series.appended_from !== undefined || series.split)) return { series };
  const split = await splitOfOthers(store, facts);
  if (!split || !series) return { series, split };
  return {
    series: await changeHead(store, series, (found) =>
      found.split || split.at < newFrom(found) ? undefined : { ...found, split },
    ),
  };
};
