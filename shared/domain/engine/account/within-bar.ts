import { CLOSE, HIGH, LOW } from '../group.ts';
import { at } from '../memory.ts';
import type { Direction } from '../plan.ts';
import type { AccountSettings } from './settings.ts';

/**
 * Place of an entry in the bar that is judged. `open`: before the bar or at its open, so that all of the bar follows.
 * `limit`: reached within the bar from the far side of the price. `stop`: reached within the bar from the near side.
 */
export type EntryPlace = 'open' | 'limit' | 'stop';

/** Reach of a level after the entry by the paths from open to close through high and low: all, none, or some. */
export type Reach = 'certain' | 'impossible' | 'open';

/** Price of a bar that is worst for a trade: the low of a long one. */
const worstOf = (side: Direction, bar: Float64Array): number => at(bar, side === 1 ? LOW : HIGH);

/** Price of a bar that is best for a trade: the high of a long one. */
const bestOf = (side: Direction, bar: Float64Array): number => at(bar, side === 1 ? HIGH : LOW);

/** Returns whether a price is at a level or worse than it, for a trade. False without a level. */
export const isWorse = (side: Direction, price: number, level: number): boolean =>
  (price - level) * side <= 0;

/** Returns whether a price is at a level or better than it, for a trade. False without a level. */
export const isBetter = (side: Direction, price: number, level: number): boolean =>
  (price - level) * side >= 0;

/** Part of a step that rounding of prices may take from it. */
const STEP_ROUNDING = 1e-6;

/**
 * Returns the price that fills a limit: the limit itself, or a step beyond it.
 *
 * @param direction of the price through the limit: down for a long entry, up for a long target.
 */
export const throughLimit = (
  { limit_through: step }: Pick<AccountSettings, 'limit_through'>,
  direction: number,
  limit: number,
): number => (step === undefined ? limit : limit + direction * step * (1 - STEP_ROUNDING));

/** Returns whether a bar reaches a stop (or a liquidation) after the entry. False without a stop. */
export const reachStop = (side: Direction, place: EntryPlace, stop: number, bar: Float64Array): Reach => {
  if (!isWorse(side, worstOf(side, bar), stop)) return 'impossible';
  return place !== 'stop' || isWorse(side, at(bar, CLOSE), stop) ? 'certain' : 'open';
};

/** Returns whether a bar reaches a target after the entry. */
export const reachTarget = (side: Direction, place: EntryPlace, target: number, bar: Float64Array): Reach => {
  if (!isBetter(side, bestOf(side, bar), target)) return 'impossible';
  return place !== 'limit' || isBetter(side, at(bar, CLOSE), target) ? 'certain' : 'open';
};

/** Outcome of a bar for a trade. */
export interface Verdict {
  /** Level that fills. */
  readonly fills: 'stop' | 'target' | undefined;
  /** True if the level was passed when the bar, or the trade, began: it fills at that price. */
  readonly isPassed: boolean;
  /** True if the bar leaves the outcome open, so that the worse one for the trader was taken. */
  readonly isOpen: boolean;
}

const NOTHING: Verdict = { fills: undefined, isPassed: false, isOpen: false };
const OPEN_TARGET: Verdict = { fills: undefined, isPassed: false, isOpen: true };
const PASSED_STOP: Verdict = { fills: 'stop', isPassed: true, isOpen: false };
const PASSED_TARGET: Verdict = { fills: 'target', isPassed: true, isOpen: false };
const STOP: Verdict = { fills: 'stop', isPassed: false, isOpen: false };
const OPEN_STOP: Verdict = { fills: 'stop', isPassed: false, isOpen: true };
const TARGET: Verdict = { fills: 'target', isPassed: false, isOpen: false };

/**
 * Judges a trade by a bar alone. A level that the price has passed at the beginning fills there. Of two levels that the
 * bar reaches, the stop fills. An open stop fills, and an open target does not.
 *
 * @param begin open of the bar, or price of an entry within it.
 * @param stop price of the stop or of the liquidation; NaN without one, as for the target.
 */
export const judge = (
  { side, stop, target }: { readonly side: Direction; readonly stop: number; readonly target: number },
  place: EntryPlace,
  begin: number,
  bar: Float64Array,
): Verdict => {
  if (isWorse(side, begin, stop)) return PASSED_STOP;
  if (isBetter(side, begin, target)) return PASSED_TARGET;
  const toStop = reachStop(side, place, stop, bar);
  const toTarget = reachTarget(side, place, target, bar);
  if (toStop === 'impossible') {
    if (toTarget === 'impossible') return NOTHING;
    return toTarget === 'certain' ? TARGET : OPEN_TARGET;
  }
  return toTarget === 'impossible' && toStop === 'certain' ? STOP : OPEN_STOP;
};

/**
 * Judges a trade by the convention of backtesting.py: a bar that reaches both levels counts as stopped, and the levels
 * of an entry within the bar wait for the next one, except a stop entry's target if the bar does not touch its stop.
 */
export const judgeNextBar = (
  { side, stop, target }: { readonly side: Direction; readonly stop: number; readonly target: number },
  place: EntryPlace,
  begin: number,
  bar: Float64Array,
): Verdict => {
  const isStopped = isWorse(side, worstOf(side, bar), stop);
  const isTarget = isBetter(side, bestOf(side, bar), target);
  if (place === 'limit' || (place === 'stop' && isStopped) || !(isStopped || isTarget)) return NOTHING;
  if (!isStopped) return isBetter(side, begin, target) ? PASSED_TARGET : TARGET;
  if (isWorse(side, begin, stop)) return PASSED_STOP;
  return isTarget ? OPEN_STOP : STOP;
};
