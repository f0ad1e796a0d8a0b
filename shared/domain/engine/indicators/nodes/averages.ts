import { COUNT, type Group, type Value } from '../../group.ts';
import { at } from '../../memory.ts';

/** Returns an average that begins with the mean of its first `length` values and then moves by a part of the distance. */
const smoothed = (group: Group, value: Value, length: number, key: string, weight: number): Value => {
  const count = group.bar + COUNT;
  const { slot: source } = value;
  const first = value.first + length - 1;
  return group.node(`${key}:${source}:${length}`, first, 2, (slot) => {
    const mean = slot + 1;
    return (m) => {
      const t = at(m, count);
      if (t > first) {
        const last = at(m, slot);
        m[slot] = last + (at(m, source) - last) * weight;
        return;
      }
      if (t < value.first) return;
      // A sum of equal values divided by their number may miss the value by rounding.
      const before = at(m, mean);
      m[mean] = before + (at(m, source) - before) / (t - value.first + 1);
      if (t === first) m[slot] = at(m, mean);
    };
  });
};

/** Returns the exponential moving average, seeded with the mean of its first values. */
export const ema = (group: Group, value: Value, length: number): Value =>
  smoothed(group, value, length, 'ema', 2 / (length + 1));

/** Returns an average that begins with the first value and then moves by a part of the distance. */
const smoothedFromFirst = (group: Group, value: Value, weight: number): Value => {
  const count = group.bar + COUNT;
  const { slot: source, first } = value;
  return group.node(`smoothed:${source}:${weight}`, first, 1, (slot) => (m) => {
    const t = at(m, count);
    if (t < first) return;
    const last = t === first ? at(m, source) : at(m, slot);
    m[slot] = last + (at(m, source) - last) * weight;
  });
};

/** Returns the exponential moving average with the seed that the rules name. */
export const seededEma = (group: Group, value: Value, length: number, seed: 'first' | undefined): Value =>
  seed === 'first' ? smoothedFromFirst(group, value, 2 / (length + 1)) : ema(group, value, length);

/** Returns Wilder's average, seeded with the mean of its first values. */
export const rma = (group: Group, value: Value, length: number): Value =>
  smoothed(group, value, length, 'rma', 1 / length);
