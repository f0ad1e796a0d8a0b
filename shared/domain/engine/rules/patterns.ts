import * as z from 'zod';
import { TIMEFRAMES } from '../../strategies/strategies.ts';
import { ago, count, percentage, value } from '../values/values.ts';

const PERCENT = 100;

/** Closes over which the price moved against the pattern before it; 0: any movement. */
const trend = (standard: number) => count({ min: 0 }).default(standard);
/** Percent of a candle's range, from high to low, or of another candle's body. */
const part = (standard: number) => percentage(PERCENT).default(standard);

const pattern = <const N extends string, S extends z.core.$ZodLooseShape>(name: N, args: S) =>
  z.strictObject({
    pattern: z.literal(name),
    ...args,
    /** Absent: the timeframe of the program. */
    timeframe: z.enum(TIMEFRAMES).optional(),
    ago: ago(),
  });

const engulfing = { trend: trend(0) };
const pin = {
  /** Largest body, and largest shadow on the short side. */
  body: part(33),
  wick: part(10),
  /** Smallest shadow on the long side, in bodies. */
  shadow: value({ above: 0, max: 100 }).default(2),
  trend: trend(5),
};
const star = { long_body: part(50), star: part(30), penetration: part(50), trend: trend(0) };
const harami = { long_body: part(50), trend: trend(0) };
const piercing = { long_body: part(50), penetration: part(50), trend: trend(0) };
const soldiers = { body: part(60), wick: part(20) };
const marubozu = { body: part(95) };

/** Condition that candles have a form. Sizes are percent. */
export const patternSchema = z.discriminatedUnion('pattern', [
  pattern('bullish_engulfing', engulfing),
  pattern('bearish_engulfing', engulfing),
  pattern('hammer', pin),
  pattern('hanging_man', pin),
  pattern('inverted_hammer', pin),
  pattern('shooting_star', pin),
  pattern('doji', { body: part(10) }),
  pattern('morning_star', star),
  pattern('evening_star', star),
  pattern('bullish_harami', harami),
  pattern('bearish_harami', harami),
  pattern('piercing_line', piercing),
  pattern('dark_cloud_cover', piercing),
  pattern('three_white_soldiers', soldiers),
  pattern('three_black_crows', soldiers),
  pattern('bullish_marubozu', marubozu),
  pattern('bearish_marubozu', marubozu),
]);

export type PatternCondition = z.output<typeof patternSchema>;
export type PatternName = PatternCondition['pattern'];
