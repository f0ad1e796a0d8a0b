import type { Group, Step, Value } from '../../group.ts';
import { at } from '../../memory.ts';

/** Counts the steps in a row in one direction (`sign`). @param last place of the value before; NaN at first. */
export const countMoves =
  (source: number, sign: 1 | -1, slot: number, last: number): Step =>
  (m) => {
    const value = at(m, source);
    m[slot] = (value - at(m, last)) * sign > 0 ? at(m, slot) + 1 : 0;
    m[last] = value;
  };

/** Returns the number of bars of the group in a row on which a value rose (`sign` 1) or fell (-1). */
export const movesOf = (group: Group, value: Value, sign: 1 | -1): Value => {
  const last = group.layout.take(1, Number.NaN);
  return group.node(`moves:${value.slot}:${sign}`, value.first, 1, (slot) =>
    countMoves(value.slot, sign, slot, last),
  );
};
