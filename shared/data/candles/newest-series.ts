import { itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { lastPriceKeys, lastPriceSchema } from './last-prices.ts';
import { asSeries, type Series } from './series.ts';

/** Reads the series that gave the last prices of symbols, if these are newer than given times. Two calls at most. */
export const findNewestSeries = async (
  store: Store,
  since: ReadonlyMap<string, number>,
): Promise<Series[]> => {
  const symbols = [...since.keys()];
  if (symbols.length === 0) return [];
  const items = await store.getMany(lastPriceKeys(symbols), { consistent: true });
  const newer = symbols.flatMap((symbol) => {
    const item = itemWith(items, keys.lastPrice(symbol));
    const last = item && parseItem(lastPriceSchema, item);
    return last && last.at > (since.get(symbol) ?? 0) ? [keys.series(symbol, last.timeframe)] : [];
  });
  if (newer.length === 0) return [];
  return (await store.getMany(newer, { consistent: true })).flatMap((item) => asSeries(item) ?? []);
};
