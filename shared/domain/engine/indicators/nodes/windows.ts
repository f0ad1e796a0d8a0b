import { COUNT, type Group, type History, type Value } from '../../group.ts';
import { at } from '../../memory.ts';

/** Returns the value of `bars` bars ago. */
export const delay = (group: Group, value: Value, bars: number): Value => {
  if (bars === 0) return value;
  const history = group.history(value, bars + 1);
  const count = group.bar + COUNT;
  return group.node(`delay:${value.slot}:${bars}`, value.first + bars, 1, (slot) => {
    const { offset, mask } = history;
    return (m) => {
      m[slot] = at(m, offset + ((at(m, count) - bars) & mask));
    };
  });
};

/** Relative error that an average of equal values does not exceed, also long after values of another magnitude. */
const ROUNDING = 1e-12;

/** Returns whether the last values of a history are equal. */
const areEqual = (m: Float64Array, { offset, mask }: History, t: number, length: number): boolean => {
  const last = at(m, offset + (t & mask));
  for (let back = 1; back < length; back += 1) {
    if (at(m, offset + ((t - back) & mask)) !== last) return false;
  }
  return true;
};

/** Returns whether an average may differ from the last value only by the rounding of an average of equal values. */
const mayBeRounded = (average: number, last: number): boolean =>
  average !== last && (Math.abs(average - last) <= ROUNDING * Math.abs(last) || last === 0);

/**
 * Sums a window and divides. The sum is held as two doubles (Kahan), so that rounding does not add up: a close that
 * equals its average must not cross it. The average of equal values is their value, which a quotient may miss by
 * rounding.
 */
const windowSum = (group: Group, value: Value, length: number, divisor: number): Value => {
  const history = group.history(value, length + 1);
  const count = group.bar + COUNT;
  const { slot: source, first: from } = value;
  const first = from + length - 1;
  return group.node(`sum:${source}:${length}:${divisor}`, first, 3, (slot) => {
    const { offset, mask } = history;
    const sum = slot + 1;
    const rest = slot + 2;
    return (m) => {
      const t = at(m, count);
      if (t < from) return;
      const added = at(m, source);
      const before = at(m, sum);
      let total = before + added;
      let part = total - before;
      let low = at(m, rest) + (before - (total - part) + (added - part));
      if (t > first) {
        const removed = -at(m, offset + ((t - length) & mask));
        const high = total;
        total = high + removed;
        part = total - high;
        low += high - (total - part) + (removed - part);
      }
      m[sum] = total;
      m[rest] = low;
      if (t < first) return;
      const quotient = (total + low) / divisor;
      const isRounded = mayBeRounded(quotient, added) && areEqual(m, history, t, length);
      m[slot] = isRounded ? added : quotient;
    };
  });
};

/** Returns the sum of the last `length` values, none of which is negative. A window of zeros sums to zero exactly. */
export const sumOf = (group: Group, value: Value, length: number): Value => {
  const sum = total(group, value, length);
  const top = extreme(group, value, length, 1);
  return group.node(`exact-sum:${value.slot}:${length}`, sum.first, 1, (slot) => (m) => {
    m[slot] = at(m, top.slot) === 0 ? 0 : at(m, sum.slot);
  });
};

/** Returns the sum of the last `length` values. */
export const total = (group: Group, value: Value, length: number): Value =>
  windowSum(group, value, length, 1);

/** Returns the simple moving average. */
export const sma = (group: Group, value: Value, length: number): Value =>
  windowSum(group, value, length, length);

/** Returns the average with weights 1 to `length`. Sums are computed afresh every `length` bars, against drift. */
export const wma = (group: Group, value: Value, length: number): Value => {
  const history = group.history(value, length + 1);
  const count = group.bar + COUNT;
  const { slot: source } = value;
  const first = value.first + length - 1;
  const weights = (length * (length + 1)) / 2;
  return group.node(`wma:${source}:${length}`, first, 3, (slot) => {
    const { offset, mask } = history;
    const sum = slot + 1;
    const weighted = slot + 2;
    return (m) => {
      const t = at(m, count);
      if (t < first) return;
      if ((t - first) % length === 0) {
        let plain = 0;
        let rising = 0;
        for (let back = length - 1; back >= 0; back -= 1) {
          const x = at(m, offset + ((t - back) & mask));
          plain += x;
          rising += x * (length - back);
        }
        m[sum] = plain;
        m[weighted] = rising;
      } else {
        const x = at(m, source);
        m[weighted] = at(m, weighted) + length * x - at(m, sum);
        m[sum] = at(m, sum) + x - at(m, offset + ((t - length) & mask));
      }
      const last = at(m, source);
      const quotient = at(m, weighted) / weights;
      const isRounded = mayBeRounded(quotient, last) && areEqual(m, history, t, length);
      m[slot] = isRounded ? last : quotient;
    };
  });
};

/** Returns the standard deviation, divided by n. Computed from the window, since running sums of squares cancel out. */
export const stddev = (group: Group, value: Value, length: number): Value => {
  const mean = sma(group, value, length);
  const history = group.history(value, length + 1);
  const count = group.bar + COUNT;
  return group.node(`stddev:${value.slot}:${length}`, mean.first, 1, (slot) => {
    const { offset, mask } = history;
    return (m) => {
      const t = at(m, count);
      if (t < mean.first) return;
      const centre = at(m, mean.slot);
      let squares = 0;
      for (let back = 0; back < length; back += 1) {
        const distance = at(m, offset + ((t - back) & mask)) - centre;
        squares += distance * distance;
      }
      m[slot] = Math.sqrt(squares / length);
    };
  });
};

/** Returns the mean absolute distance from the average of the window. */
export const meanDeviation = (group: Group, value: Value, length: number): Value => {
  const mean = sma(group, value, length);
  const history = group.history(value, length + 1);
  const count = group.bar + COUNT;
  return group.node(`deviation:${value.slot}:${length}`, mean.first, 1, (slot) => {
    const { offset, mask } = history;
    return (m) => {
      const t = at(m, count);
      if (t < mean.first) return;
      const centre = at(m, mean.slot);
      let sum = 0;
      for (let back = 0; back < length; back += 1) {
        sum += Math.abs(at(m, offset + ((t - back) & mask)) - centre);
      }
      m[slot] = sum / length;
    };
  });
};

/**
 * Returns the highest (`sign` 1) or lowest (-1) of the last `length` values. Keeps the candidates in falling order, so
 * that a bar costs the same on average for every length.
 */
export const extreme = (group: Group, value: Value, length: number, sign: 1 | -1): Value => {
  const size = 2 ** Math.ceil(Math.log2(length + 1));
  const mask = size - 1;
  const count = group.bar + COUNT;
  const { slot: source } = value;
  const first = value.first + length - 1;
  return group.node(`extreme:${source}:${length}:${sign}`, first, 3 + 2 * size, (slot) => {
    const head = slot + 1;
    const tail = slot + 2;
    const values = slot + 3;
    const bars = values + size;
    return (m) => {
      const t = at(m, count);
      if (t < value.first) return;
      const x = sign * at(m, source);
      let from = at(m, head);
      let to = at(m, tail);
      while (to > from && at(m, values + ((to - 1) & mask)) <= x) to -= 1;
      m[values + (to & mask)] = x;
      m[bars + (to & mask)] = t;
      if (at(m, bars + (from & mask)) <= t - length) from += 1;
      m[head] = from;
      m[tail] = to + 1;
      if (t >= first) m[slot] = sign * at(m, values + (from & mask));
    };
  });
};

/** Returns the bars since the highest (`sign` 1) or lowest (-1) of the last `length` values; of equals the last counts. */
export const extremeAge = (group: Group, value: Value, length: number, sign: 1 | -1): Value => {
  const found = extreme(group, value, length, sign);
  const size = 2 ** Math.ceil(Math.log2(length + 1));
  const count = group.bar + COUNT;
  const head = found.slot + 1;
  const bars = found.slot + 3 + size;
  return group.node(`extreme-age:${value.slot}:${length}:${sign}`, found.first, 1, (slot) => (m) => {
    const t = at(m, count);
    if (t >= found.first) m[slot] = t - at(m, bars + (at(m, head) & (size - 1)));
  });
};

/**
 * Returns a function of the last `length` values, which goes over them again at each bar.
 *
 * @param key names the function and its arguments.
 * @param of takes the value of `back` bars ago.
 */
export const scanned = (
  group: Group,
  key: string,
  value: Value,
  length: number,
  of: (back: (bars: number) => number) => number,
): Value => {
  const history = group.history(value, length + 1);
  const count = group.bar + COUNT;
  const first = value.first + length - 1;
  return group.node(`${key}:${value.slot}:${length}`, first, 1, (slot) => {
    const { offset, mask } = history;
    let memory: Float64Array = new Float64Array();
    let bar = 0;
    const back = (bars: number): number => at(memory, offset + ((bar - bars) & mask));
    return (m) => {
      bar = at(m, count);
      if (bar < first) return;
      memory = m;
      m[slot] = of(back);
    };
  });
};
