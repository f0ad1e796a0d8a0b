import * as z from 'zod';
import { barAt, barCount } from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { closeTimeOf } from '../../domain/candles/close-time.ts';
import type { LastPrice, LastPrices } from '../../domain/ledger/last-prices.ts';
import { decimal, toText } from '../../domain/money.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import type { Series } from './series.ts';

/** Digits of a price that a double holds for certain. */
const DIGITS = 15;

const lastPriceSchema = z.object({
  price: z.number(),
  /** Time of the close, in milliseconds. */
  at: z.number(),
});

/** Returns the last price of a series; undefined if the head holds no bar. */
const lastPriceOf = ({ bars, calendar, timeframe }: Series) => {
  const bar = barAt(bars, barCount(bars) - 1);
  return bar && { price: bar.close, at: closeTimeOf(calendarById(calendar), timeframe, bar.start) };
};

/**
 * Stores the close of the newest bar of a series as the last price of its symbol, unless a newer bar of another series
 * gave it. Must be called with every write of a newer bar. Idempotent.
 */
export const keepLastPrice = async (store: Store, series: Series): Promise<void> => {
  const last = lastPriceOf(series);
  if (!last) return;
  try {
    await store.update(
      keys.lastPrice(series.symbol),
      {
        update: 'SET entity = :entity, price = :price, #at = :at',
        condition: 'attribute_not_exists(pk) OR #at <= :at',
        names: { '#at': 'at' },
        values: { ':entity': 'last_price', ':price': last.price, ':at': last.at },
      },
      lastPriceSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/** Most symbols whose last prices a request reads: those of one call. */
export const MAX_PRICES = 100;

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
    const { price, at } = parseItem(lastPriceSchema, item);
    prices.set(symbol, {
      price: toText(decimal(Number(price.toPrecision(DIGITS)))),
      at: Math.min(at, now.getTime()),
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
