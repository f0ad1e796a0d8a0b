import { CLOSE, COUNT, type Group, START, type Value, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { price } from './prices.ts';
import { delay, sumOf } from './windows.ts';

/** Returns the volume of rising bars minus that of falling ones. It starts at the first bar's volume. */
export const obv = (group: Group): Value => {
  const { bar } = group;
  const last = delay(group, price(group, 'close'), 1);
  return group.node('obv', 0, 3, (slot) => {
    const sum = slot + 1;
    const rest = slot + 2;
    return (m) => {
      const change = at(m, bar + COUNT) === 0 ? 1 : at(m, bar + CLOSE) - at(m, last.slot);
      const added = Math.sign(change) * at(m, bar + VOLUME);
      const high = at(m, sum);
      const total = high + added;
      const part = total - high;
      m[rest] = at(m, rest) + (high - (total - part) + (added - part));
      m[sum] = total;
      m[slot] = total + at(m, rest);
    };
  });
};

const traded = (group: Group, value: Value): Value =>
  group.node(`traded:${value.slot}`, 0, 1, (slot) => (m) => {
    m[slot] = at(m, value.slot) * at(m, group.bar + VOLUME);
  });

const ratioOf = (group: Group, money: Value, volume: Value): Value =>
  group.node(`vwap:${money.slot}:${volume.slot}`, money.first, 1, (slot) => (m) => {
    m[slot] = at(m, money.slot) / at(m, volume.slot);
  });

/** Returns the average price of the last `length` bars, weighted by volume. Missing without volume. */
export const rollingVwap = (group: Group, value: Value, length: number): Value =>
  ratioOf(group, sumOf(group, traded(group, value), length), sumOf(group, price(group, 'volume'), length));

/**
 * Returns the average price since the session's start, weighted by volume. Missing outside of sessions and without
 * volume.
 *
 * @param sessionOf tells the session of a bar by its start; NaN if it is in none.
 */
export const sessionVwap = (group: Group, value: Value, sessionOf: (start: number) => number): Value => {
  const { bar } = group;
  return group.node(`session-vwap:${value.slot}`, 0, 4, (slot) => {
    const session = slot + 1;
    const money = slot + 2;
    const volume = slot + 3;
    return (m) => {
      const now = sessionOf(at(m, bar + START));
      if (now !== at(m, session)) {
        m[session] = now;
        m[money] = 0;
        m[volume] = 0;
      }
      const weight = at(m, bar + VOLUME);
      m[money] = at(m, money) + at(m, value.slot) * weight;
      m[volume] = at(m, volume) + weight;
      m[slot] = Number.isNaN(now) ? now : at(m, money) / at(m, volume);
    };
  });
};
