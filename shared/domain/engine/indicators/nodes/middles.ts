import type { Group, Value } from '../../group.ts';
import { at } from '../../memory.ts';
import { price } from './prices.ts';
import { extreme } from './windows.ts';

/** Returns the middle between the highest high and the lowest low of the last bars. */
export const middle = (group: Group, length: number): Value => {
  const top = extreme(group, price(group, 'high'), length, 1);
  const bottom = extreme(group, price(group, 'low'), length, -1);
  return group.node(`middle:${length}`, top.first, 1, (slot) => (m) => {
    m[slot] = (at(m, top.slot) + at(m, bottom.slot)) / 2;
  });
};
