import type { Group, Value } from '../../group.ts';
import { at } from '../../memory.ts';

/** Returns a value minus another. */
export const difference = (group: Group, left: Value, right: Value): Value =>
  group.node(`minus:${left.slot}:${right.slot}`, Math.max(left.first, right.first), 1, (slot) => (m) => {
    m[slot] = at(m, left.slot) - at(m, right.slot);
  });
