import { type Group, START, type Value, VOLUME } from '../../group.ts';
import { at } from '../../memory.ts';
import type { PeriodName, PeriodsOf } from '../declare.ts';
import { startsOf } from './periods.ts';

/** A mean since a period began. */
interface AnchoredMean extends Value {
  /** Places of the sum of weights and of that of squared distances from the mean, by weight. */
  readonly weights: number;
  readonly squares: number;
}

/**
 * Returns the mean of a value since the session, week or month began, weighted by volume. Missing outside of sessions
 * and without volume. It moves with each value: sums would miss a price that does not move, and cancel out in squares.
 */
export const anchoredMean = (
  group: Group,
  value: Value,
  periodsOf: PeriodsOf,
  period: PeriodName,
): AnchoredMean => {
  const { bar } = group;
  const startOf = startsOf(periodsOf, period);
  const line = group.node(`anchored:${value.slot}:${period}`, 0, 5, (slot) => {
    const weights = slot + 1;
    const squares = slot + 2;
    const start = slot + 3;
    const mean = slot + 4;
    return (m) => {
      const now = startOf(at(m, bar + START));
      m[slot] = Number.NaN;
      if (Number.isNaN(now)) return;
      if (now !== at(m, start)) {
        m[start] = now;
        m[weights] = 0;
        m[squares] = 0;
        m[mean] = 0;
      }
      const weight = at(m, bar + VOLUME);
      const before = at(m, weights);
      const all = before + weight;
      if (all === 0) return;
      const distance = at(m, value.slot) - at(m, mean);
      const share = weight / all;
      m[mean] = at(m, mean) + distance * share;
      m[squares] = at(m, squares) + before * share * distance * distance;
      m[weights] = all;
      m[slot] = at(m, mean);
    };
  });
  return { ...line, weights: line.slot + 1, squares: line.slot + 2 };
};
