import { COUNT, type Group, HIGH, LOW, type Value } from '../../group.ts';
import { at } from '../../memory.ts';
import { rma } from './averages.ts';
import { price } from './prices.ts';
import { delay } from './windows.ts';

/** Returns the range of a bar with the close before, which is at a place; NaN without one. */
const rangeOf = (m: Float64Array, bar: number, last: number): number => {
  const high = at(m, bar + HIGH);
  const low = at(m, bar + LOW);
  const close = at(m, last);
  return Math.max(high - low, Math.abs(high - close), Math.abs(low - close));
};

/** Returns the true range; that of the first bar is its high minus its low. */
export const trueRange = (group: Group): Value => {
  const { bar } = group;
  const last = delay(group, price(group, 'close'), 1);
  return group.node('range', 0, 1, (slot) => (m) => {
    m[slot] = at(m, bar + COUNT) === 0 ? at(m, bar + HIGH) - at(m, bar + LOW) : rangeOf(m, bar, last.slot);
  });
};

/** Returns the average true range. */
export const atr = (group: Group, length: number): Value => rma(group, trueRange(group), length);

/** Returns the true range from the second bar on, as TA-Lib has it. */
export const laterTrueRange = (group: Group): Value => {
  const last = delay(group, price(group, 'close'), 1);
  return group.node('later-range', last.first, 1, (slot) => (m) => {
    m[slot] = rangeOf(m, group.bar, last.slot);
  });
};
