import type { Group, Value } from '../../group.ts';
import { at } from '../../memory.ts';

/**
 * Returns a function of a value.
 *
 * @param key names the function and its arguments.
 */
export const mapped = (group: Group, key: string, value: Value, of: (x: number) => number): Value =>
  group.node(`${key}:${value.slot}`, value.first, 1, (slot) => (m) => {
    m[slot] = of(at(m, value.slot));
  });

/**
 * Returns a function of two values.
 *
 * @param key names the function and its arguments.
 */
export const combined = (
  group: Group,
  key: string,
  [left, right]: readonly [Value, Value],
  of: (left: number, right: number) => number,
): Value =>
  group.node(`${key}:${left.slot}:${right.slot}`, Math.max(left.first, right.first), 1, (slot) => (m) => {
    m[slot] = of(at(m, left.slot), at(m, right.slot));
  });

/** Returns a value minus another. */
export const difference = (group: Group, left: Value, right: Value): Value =>
  combined(group, 'minus', [left, right], (a, b) => a - b);

/** Returns a value divided by another, times a factor; `without` where the other is zero. */
export const ratio = (
  group: Group,
  [value, divisor]: readonly [Value, Value],
  factor: number,
  without = 0,
): Value =>
  combined(group, `ratio:${factor}:${without}`, [value, divisor], (a, b) =>
    b === 0 ? without : (a / b) * factor,
  );
