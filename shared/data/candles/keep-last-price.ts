import { barAt, barCount } from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { closeTimeOf } from '../../domain/candles/close-time.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { type Condition, settingOf } from '../table/writes.ts';
import { lastPriceSchema } from './last-prices.ts';
import { isOwnSymbol } from './own-symbol.ts';
import { type Series, splitsOf } from './series.ts';

/** Returns the last price of a series; undefined if the head holds no bar. */
const lastPriceOf = (series: Series) => {
  const { bars, calendar, timeframe } = series;
  const bar = barAt(bars, barCount(bars) - 1);
  if (!bar) return undefined;
  // A split is done before the first bar after it is taken, and the one before may be repeated meanwhile.
  const splits = splitsOf(series)
    .filter(({ at }) => at <= bar.start)
    .map(({ at, units, of }) => ({ at, units, of }));
  return {
    price: bar.close,
    at: closeTimeOf(calendarById(calendar), timeframe, bar.start),
    timeframe,
    splits: splits.length > 0 ? splits : undefined,
  };
};

/**
 * Stores the close of the newest bar of a series as the last price of its symbol, unless a newer bar of another series
 * gave it. Must be called with every write of a newer bar. Idempotent. No-op for a user's own series.
 */
export const keepLastPrice = async (store: Store, series: Series): Promise<void> => {
  const last = isOwnSymbol(series.symbol) ? undefined : lastPriceOf(series);
  if (!last) return;
  const newest: Condition = {
    condition: 'attribute_not_exists(pk) OR #at <= :newest',
    names: { '#at': 'at' },
    values: { ':newest': last.at },
  };
  try {
    await store.update(
      keys.lastPrice(series.symbol),
      settingOf({ entity: 'last_price', ...last }, newest),
      lastPriceSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
