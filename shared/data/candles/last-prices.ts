import * as z from 'zod';
import type { LastPrice, LastPrices } from '../../domain/ledger/last-prices.ts';
import { decimal, toText } from '../../domain/money.ts';
import { splitSchema } from '../../domain/splits/ratio.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

/** Digits of a price that a double holds for certain. */
const DIGITS = 15;

export const lastPriceSchema = z.object({
  price: z.number(),
  /** Time of the close, in milliseconds. */
  at: z.number(),
  /** Timeframe of the series. */
  timeframe: z.enum(TIMEFRAMES),
  /** Splits of the series up to the price, if it has some. */
  splits: z.array(splitSchema).optional(),
});

/** Most symbols whose last prices a request reads: those of one call. */
export const MAX_PRICES = 100;

/** Returns a price of a candle as decimal text. */
export const priceText = (price: number): string => toText(decimal(Number(price.toPrecision(DIGITS))));

/** Returns the keys of the last prices of symbols. */
export const lastPriceKeys = (symbols: readonly string[]): Key[] => symbols.map(keys.lastPrice);

/**
 * Returns the last prices of symbols among items that were read together. A bar that closes later than now, because its
 * source sent it early, counts as of now.
 */
export const lastPricesIn = (items: Items, symbols: readonly string[], now: Date): LastPrices => {
  const prices = new Map<string, LastPrice>();
  for (const symbol of symbols) {
    const item = itemWith(items, keys.lastPrice(symbol));
    if (!item) continue;
    const { price, at, splits } = parseItem(lastPriceSchema, item);
    prices.set(symbol, {
      price: priceText(price),
      at: Math.min(at, now.getTime()),
      splits,
    });
  }
  return prices;
};

/** Reads the last prices of the first {@link MAX_PRICES} of some symbols; no call without symbols. */
export const findLastPrices = async (
  store: Store,
  symbols: readonly string[],
  now: Date,
): Promise<LastPrices> => {
  const wanted = [...new Set(symbols)].slice(0, MAX_PRICES);
  return lastPricesIn(wanted.length === 0 ? [] : await store.getMany(lastPriceKeys(wanted)), wanted, now);
};
