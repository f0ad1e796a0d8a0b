import * as z from 'zod';
import { TIMEFRAMES } from '../../strategies/strategies.ts';
import { ago, count, percentage, value } from '../values/values.ts';
import { PATTERN_DEFAULTS as OF } from './pattern-defaults.ts';

const PERCENT = 100;

const trend = (standard: number) => count({ min: 0 }).default(standard);
const part = (standard: number) => percentage(PERCENT).default(standard);

const pattern = <const N extends keyof typeof OF, S extends z.core.$ZodLooseShape>(name: N, args: S) =>
  z.strictObject({
    pattern: z.literal(name),
    ...args,
    /** Absent: the timeframe of the program. */
    timeframe: z.enum(TIMEFRAMES).optional(),
    ago: ago(),
  });

const engulfing = { trend: trend(OF.bullish_engulfing.trend) };
const pin = {
  body: part(OF.hammer.body),
  wick: part(OF.hammer.wick),
  shadow: value({ above: 0, max: 100 }).default(OF.hammer.shadow),
  trend: trend(OF.hammer.trend),
};
const star = {
  long_body: part(OF.morning_star.long_body),
  star: part(OF.morning_star.star),
  penetration: part(OF.morning_star.penetration),
  trend: trend(OF.morning_star.trend),
};
const harami = {
  long_body: part(OF.bullish_harami.long_body),
  trend: trend(OF.bullish_harami.trend),
};
const piercing = {
  long_body: part(OF.piercing_line.long_body),
  penetration: part(OF.piercing_line.penetration),
  trend: trend(OF.piercing_line.trend),
};
const soldiers = {
  body: part(OF.three_white_soldiers.body),
  wick: part(OF.three_white_soldiers.wick),
};
const marubozu = { body: part(OF.bullish_marubozu.body) };

/** Condition that candles have a form. */
export const patternSchema = z.discriminatedUnion('pattern', [
  pattern('bullish_engulfing', engulfing),
  pattern('bearish_engulfing', engulfing),
  pattern('hammer', pin),
  pattern('hanging_man', pin),
  pattern('inverted_hammer', pin),
  pattern('shooting_star', pin),
  pattern('doji', { body: part(OF.doji.body) }),
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
