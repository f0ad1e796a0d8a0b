import { INTRADAY_MS } from '../../candles/timeframes.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { rulesNodes } from '../rules/walk.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Bars before the first that may be evaluated. */
const WARM_UP_BARS = 5000;
/** After ten times its length, a moving average no longer depends on its first value for all practical purposes. */
const SETTLING = 10;
/** Calendar time over trading time: sessions of a quarter of the day on five days of the week, with holidays. */
const SESSION_FACTOR = 6;
const WEEKDAY_FACTOR = 1.5;
/** Reserve for holidays in a row. */
const RESERVE_MS = 10 * DAY_MS;

/** Returns the calendar time that a number of bars takes at most. */
const spanOf = (bars: number, timeframe: Timeframe): number => {
  const length = INTRADAY_MS[timeframe];
  if (length !== undefined) return bars * length * SESSION_FACTOR + RESERVE_MS;
  return bars * (timeframe === '1d' ? DAY_MS * WEEKDAY_FACTOR : WEEK_MS) + RESERVE_MS;
};

/** Sums the lengths among the arguments of an indicator. */
const barsOf = (indicator: Readonly<Record<string, unknown>>): number => {
  let bars = 1;
  for (const name of ['length', 'fast', 'slow', 'signal', 'smooth']) {
    const value = indicator[name];
    if (typeof value === 'number') bars += value;
  }
  return bars * SETTLING + (typeof indicator.ago === 'number' ? indicator.ago : 0);
};

/**
 * Returns how long before the first bar to evaluate the warm-up begins, in milliseconds: 5,000 bars, or as long as
 * indicators of higher timeframes take to settle. Depends on nothing but the rules and the timeframe, so that the same
 * request reads the same bars.
 */
export const warmUpOf = (rules: ResolvedRules, timeframe: Timeframe): number => {
  let longest = spanOf(WARM_UP_BARS, timeframe);
  for (const node of rulesNodes(rules)) {
    if (!('operand' in node) || typeof node.operand !== 'object' || !('indicator' in node.operand)) continue;
    const { operand } = node;
    longest = Math.max(longest, spanOf(barsOf(operand), operand.timeframe ?? timeframe));
  }
  return longest;
};
