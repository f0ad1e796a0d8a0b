import { CLOSE, COUNT, type Group, HIGH, LOW, type Value } from '../group.ts';
import { at } from '../memory.ts';
import { rma } from './averages.ts';
import { price } from './prices.ts';
import { delay, sma, stddev } from './windows.ts';

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

/** Returns a Bollinger band: the average plus some standard deviations. */
export const band = (group: Group, value: Value, length: number, deviations: number): Value => {
  const middle = sma(group, value, length);
  if (deviations === 0) return middle;
  const width = stddev(group, value, length);
  return group.node(`band:${value.slot}:${length}:${deviations}`, middle.first, 1, (slot) => (m) => {
    m[slot] = at(m, middle.slot) + deviations * at(m, width.slot);
  });
};

/**
 * Returns the Supertrend line, with its direction (1 or -1) in the place after it. It begins as a resistance, unless
 * the close is above it.
 */
export const supertrend = (
  group: Group,
  length: number,
  multiple: number,
): { value: Value; direction: Value } => {
  const range = atr(group, length);
  const { bar } = group;
  const value = group.node(`supertrend:${length}:${multiple}`, range.first, 5, (slot) => {
    const direction = slot + 1;
    const upper = slot + 2;
    const lower = slot + 3;
    const lastClose = slot + 4;
    return (m) => {
      const t = at(m, bar + COUNT);
      if (t < range.first) return;
      const close = at(m, bar + CLOSE);
      const middle = (at(m, bar + HIGH) + at(m, bar + LOW)) / 2;
      const width = multiple * at(m, range.slot);
      let top = middle + width;
      let bottom = middle - width;
      if (t > range.first) {
        const before = at(m, lastClose);
        const lastTop = at(m, upper);
        const lastBottom = at(m, lower);
        if (!(top < lastTop || before > lastTop)) top = lastTop;
        if (!(bottom > lastBottom || before < lastBottom)) bottom = lastBottom;
      }
      const isRising = at(m, direction) === 1 ? close >= bottom : close > top;
      m[direction] = isRising ? 1 : -1;
      m[upper] = top;
      m[lower] = bottom;
      m[lastClose] = close;
      m[slot] = isRising ? bottom : top;
    };
  });
  const direction = group.node(
    `supertrend-direction:${length}:${multiple}`,
    range.first,
    1,
    (slot) => (m) => {
      if (at(m, bar + COUNT) >= range.first) m[slot] = at(m, value.slot + 1);
    },
  );
  return { value, direction };
};
