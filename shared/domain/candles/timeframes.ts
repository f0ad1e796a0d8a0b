import { TIMEFRAMES, type Timeframe } from '../strategies/strategies.ts';

const MINUTE_MS = 60_000;

/** Lengths of the timeframes that divide a day, in milliseconds. */
export const INTRADAY_MS: Readonly<Partial<Record<Timeframe, number>>> = {
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
};

/** Timeframes from which larger ones are derived. */
export type SourceTimeframe = Exclude<Timeframe, '1w'>;

/** Returns the smaller timeframes from which bars of a timeframe can be derived, largest first. */
export const sourcesOf = (timeframe: Timeframe): SourceTimeframe[] => {
  const length = INTRADAY_MS[timeframe];
  return TIMEFRAMES.slice(0, TIMEFRAMES.indexOf(timeframe))
    .filter((one) => one !== '1w')
    .filter((one) => length === undefined || length % (INTRADAY_MS[one] ?? length) === 0)
    .toReversed();
};
