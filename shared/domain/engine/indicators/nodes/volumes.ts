import { type Group, type Value, VOLUME } from '../../group.ts';
import { at } from '../../memory.ts';
import { price } from './prices.ts';
import { sumOf } from './windows.ts';

const traded = (group: Group, value: Value): Value =>
  group.node(`traded:${value.slot}`, 0, 1, (slot) => (m) => {
    m[slot] = at(m, value.slot) * at(m, group.bar + VOLUME);
  });

const ratioOf = (group: Group, money: Value, volume: Value): Value =>
  group.node(`vwap:${money.slot}:${volume.slot}`, money.first, 1, (slot) => (m) => {
    m[slot] = at(m, money.slot) / at(m, volume.slot);
  });

/** Returns the average of the last `length` values, weighted by volume. Missing without volume. */
export const weightedByVolume = (group: Group, value: Value, length: number): Value =>
  ratioOf(group, sumOf(group, traded(group, value), length), sumOf(group, price(group, 'volume'), length));
