import { COUNT, type Group, HIGH, LOW, type Value } from '../../group.ts';
import { at } from '../../memory.ts';
import { rma } from './averages.ts';
import { price } from './prices.ts';
import { delay } from './windows.ts';

/** Returns the true range; that of the first bar is its high minus its low. */
export const trueRange = (group: Group): Value => {
  const { bar } = group;
  const last = delay(group, price(group, 'close'), 1);
  return group.node('range', 0, 1, (slot) => (m) => {
    const high = at(m, bar + HIGH);
    const low = at(m, bar + LOW);
    const close = at(m, last.slot);
    const range = high - low;
    m[slot] =
      at(m, bar + COUNT) === 0 ? range : Math.max(range, Math.abs(high - close), Math.abs(low - close));
  });
};

/** Returns the average true range. */
export const atr = (group: Group, length: number): Value => rma(group, trueRange(group), length);

/** Returns the true range from the second bar on, as TA-Lib has it. */
export const laterTrueRange = (group: Group): Value => ({ ...trueRange(group), first: 1 });
