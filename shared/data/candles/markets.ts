import { type Instrument, instrumentSchema } from '../../domain/instruments/instrument-records.ts';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key } from '../table/writes.ts';
import { candidatesFor } from './read-candles.ts';
import { asSeries, type Series } from './series.ts';

/** The most symbols whose rules run together: their series are found in one call. */
export const MAX_MARKETS = 9;

/** A symbol's candles and terms of trading; each may be missing. */
export interface FoundMarket {
  readonly series: Series | undefined;
  /** Series of smaller timeframes, smallest first: the one that answers for the timeframe may be among them. */
  readonly smaller: readonly Series[];
  readonly instrument: Instrument | undefined;
}

/** Returns the keys of a symbol's instrument and of the series that can answer for a timeframe: at most ten. */
export const marketKeys = (symbol: string, timeframe: Timeframe): Key[] => [
  keys.instrument(symbol),
  ...candidatesFor(timeframe).map((one) => keys.series(symbol, one)),
];

/**
 * Returns the instrument of a symbol and the series for a timeframe.
 *
 * @param items read at {@link marketKeys}.
 * @param isTaken tells whether a series may answer.
 */
export const marketIn = (
  items: Items,
  symbol: string,
  timeframe: Timeframe,
  isTaken: (series: Series) => boolean = () => true,
): FoundMarket => {
  const item = itemWith(items, keys.instrument(symbol));
  const stored = candidatesFor(timeframe)
    .map((one) => asSeries(itemWith(items, keys.series(symbol, one))))
    .filter((series) => series !== undefined)
    .filter(isTaken);
  return {
    series: stored[0],
    smaller: stored.filter((series) => series.timeframe !== timeframe).toReversed(),
    instrument: item && parseItem(instrumentSchema, item),
  };
};
