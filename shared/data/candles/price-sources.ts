import { pulledSource } from '../../domain/candles/pulled-bars.ts';
import { type PriceState, priceStateOf } from '../../domain/deployments/price-state.ts';
import type { Runtime } from '../../runtime.ts';
import { findFeedsOn } from './pulled-feeds.ts';
import type { Series } from './series.ts';

/** Tells whether bars of a series arrive now. */
export type ReadPriceState = (series: Series, exchange?: string) => PriceState;

/**
 * Returns how the states of prices are found. Feeds that the hub pulls count as arriving unless they are down or switched
 * off. One call, without such feeds none.
 */
export const priceStates = async ({
  store,
  capability,
  clock,
}: Pick<Runtime, 'store' | 'capability' | 'clock'>): Promise<ReadPriceState> => {
  const feeds = await findFeedsOn(store, capability('marketData').HUB_MARKET_DATA);
  const pulled = new Set(feeds.filter(({ state }) => !state.down).map(({ feed }) => pulledSource(feed)));
  const now = clock().getTime();
  return (series, exchange) =>
    priceStateOf(series, {
      ...(exchange !== undefined && { exchange }),
      isPulled: pulled.has(series.source),
      now,
    });
};
