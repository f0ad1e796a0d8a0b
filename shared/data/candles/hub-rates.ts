import { decimal, toText } from '../../domain/money.ts';
import type { Store } from '../table/store.ts';
import { sharedReads } from '../table/timed-memory.ts';
import { findLastPrices } from './last-prices.ts';

/** Age of a close beyond which it tells no rate. Longer than any pause of the currency markets. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;
const MAX_PAIRS = 200;

const kept = sharedReads<string | undefined>(MAX_PAIRS);

/**
 * Finds the exchange rate between two currencies by the hub's candles of their pair, in either direction; undefined
 * without a close of the last seven days. One call for both directions, kept for some seconds.
 *
 * @example
 * await findHubRate(store, 'JPY', 'USD', now); // 1 / the close of USDJPY
 */
export const findHubRate = (
  store: Store,
  from: string,
  to: string,
  now: Date,
): Promise<string | undefined> => {
  const [direct, inverse] = [`${from}${to}`, `${to}${from}`];
  return kept({ store, now }, direct, async () => {
    const prices = await findLastPrices(store, [direct, inverse], now);
    const priceOf = (symbol: string) => {
      const { price = '0', at = 0 } = prices.get(symbol) ?? {};
      return decimal(now.getTime() - at > MAX_AGE_MS ? '0' : price);
    };
    const [straight, turned] = [priceOf(direct), priceOf(inverse)];
    if (straight.gt(0)) return toText(straight);
    const rate = turned.gt(0) ? decimal(1).div(turned) : turned;
    return rate.gt(0) ? toText(rate) : undefined;
  });
};
