import { barAt, barCount } from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { closeTimeOf } from '../../domain/candles/close-time.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { lastPriceSchema } from './last-prices.ts';
import type { Series } from './series.ts';

/** Returns the last price of a series; undefined if the head holds no bar. */
const lastPriceOf = ({ bars, calendar, timeframe, splits = [] }: Series) => {
  const bar = barAt(bars, barCount(bars) - 1);
  if (!bar) return undefined;
  // A split is done before the first bar after it is taken, and the one before may be repeated meanwhile.
  const known = splits.filter(({ at }) => at <= bar.start);
  return {
    price: bar.close,
    at: closeTimeOf(calendarById(calendar), timeframe, bar.start),
    timeframe,
    splits: known.length > 0 ? known : undefined,
  };
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
        update: `SET entity = :entity, price = :price, #at = :at, timeframe = :timeframe${
          last.splits ? ', splits = :splits' : ' REMOVE splits'
        }`,
        condition: 'attribute_not_exists(pk) OR #at <= :at',
        names: { '#at': 'at' },
        values: {
          ':entity': 'last_price',
          ':price': last.price,
          ':at': last.at,
          ':timeframe': last.timeframe,
          ...(last.splits && { ':splits': last.splits }),
        },
      },
      lastPriceSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
