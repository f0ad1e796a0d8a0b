import { INTRADAY_MS } from '../../candles/timeframes.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import type { ResolvedRules } from '../rules/params.ts';
import type { Condition, Operand } from '../rules/shape.ts';
import { type RulesNode, rulesNodes } from '../rules/walk.ts';
import type { Resolved } from '../values/resolved.ts';

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

/** Arguments that are numbers of bars. */
const LENGTHS = [
  'length',
  'window',
  'fast',
  'medium',
  'slow',
  'signal',
  'smooth',
  'trend',
  'atr_length',
  'conversion',
  'base',
  'span',
  'displacement',
];
/** Calendar time of the period of a bar and the whole one before it, by the argument `period`. */
const PERIOD_MS: Readonly<Record<string, number>> = { week: 2 * WEEK_MS, month: 62 * DAY_MS };

/** Bars after which a Heikin-Ashi open depends on the first one by less than a hundredth of a percent. */
const HEIKIN_ASHI_BARS = 14;

/** Sums the lengths among the arguments of an operand or a pattern. */
const barsOf = (part: object): number => {
  const given: Readonly<Record<string, unknown>> = { ...part };
  let bars = given.candles === undefined ? 1 : HEIKIN_ASHI_BARS;
  for (const name of LENGTHS) {
    const value = given[name];
    if (typeof value === 'number') bars += value;
  }
  return bars * SETTLING + (typeof given.ago === 'number' ? given.ago : 0);
};

type Node = Resolved<RulesNode>;

/** Returns the bars over which a condition looks at movements of an operand; 0 for others. */
const movesOf = (node: Node): number =>
  'condition' in node && 'bars' in node.condition ? node.condition.bars : 0;

/** Returns the operand or the condition of a node; of a movement, the operand that moves. */
const partOf = (node: Node): Resolved<Operand> | Resolved<Condition> => {
  if ('operand' in node) return node.operand;
  const { condition } = node;
  return 'rising' in condition ? condition.rising : 'falling' in condition ? condition.falling : condition;
};

/**
 * Returns how long before the first bar to evaluate the warm-up begins, in milliseconds: 5,000 bars, or as long as
 * indicators of higher timeframes take to settle. Depends on nothing but the rules and the timeframe, so that the same
 * request reads the same bars.
 */
export const warmUpOf = (rules: ResolvedRules, timeframe: Timeframe): number => {
  let longest = spanOf(WARM_UP_BARS, timeframe);
  for (const node of rulesNodes(rules)) {
    const part = partOf(node);
    if (typeof part === 'number') continue;
    const own = 'timeframe' in part ? part.timeframe : undefined;
    longest = Math.max(longest, spanOf(barsOf(part) + movesOf(node), own ?? timeframe));
    if ('period' in part) longest = Math.max(longest, (PERIOD_MS[part.period] ?? 0) + RESERVE_MS);
  }
  return longest;
};
