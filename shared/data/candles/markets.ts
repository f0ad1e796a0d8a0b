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

/**
 * Returns the keys of a symbol's instrument and of the series that can answer for a timeframe: at most ten.
 *
 * @param stored symbol of the series, if it is not that of the instrument.
 */
export const marketKeys = (symbol: string, timeframe: Timeframe, stored = symbol): Key[] => [
  keys.instrument(symbol),
  ...candidatesFor(timeframe).map((one) => keys.series(stored, one)),
];

/** Series among which that of a symbol is looked for. */
interface Sought {
  /** Symbol of the series, if it is not that of the instrument. */
  readonly stored?: string;
  /** Tells whether a series may answer. */
  readonly isTaken?: (series: Series) => boolean;
}

/** Returns the instrument of a symbol and the series for a timeframe. @param items read at {@link marketKeys}. */
export const marketIn = (
  items: Items,
  symbol: string,
  timeframe: Timeframe,
  { stored = symbol, isTaken = () => true }: Sought = {},
): FoundMarket => {
  const item = itemWith(items, keys.instrument(symbol));
  const found = candidatesFor(timeframe)
    .map((one) => asSeries(itemWith(items, keys.series(stored, one))))
    .filter((series) => series !== undefined)
    .filter(isTaken);
  return {
    series: found[0],
    smaller: found.filter((series) => series.timeframe !== timeframe).toReversed(),
    instrument: item && parseItem(instrumentSchema, item),
  };
};
