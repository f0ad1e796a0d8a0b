import { COUNT, type Group, type Value, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { ema } from './averages.ts';
import { price } from './prices.ts';
import { delay, extreme, meanDeviation, sma, sumOf } from './windows.ts';

const PERCENT = 100;

/** Returns the relative strength index with Wilder's smoothing. Without losses it is 100. */
export const rsi = (group: Group, value: Value, length: number): Value => {
  const count = group.bar + COUNT;
  const { slot: source } = value;
  const first = value.first + length;
  return group.node(`rsi:${source}:${length}`, first, 4, (slot) => {
    const last = slot + 1;
    const gains = slot + 2;
    const losses = slot + 3;
    return (m) => {
      const t = at(m, count);
      const x = at(m, source);
      const change = x - at(m, last);
      m[last] = x;
      if (t <= value.first) return;
      const gain = change > 0 ? change : 0;
      const loss = change < 0 ? -change : 0;
      if (t <= first) {
        m[gains] = at(m, gains) + gain / length;
        m[losses] = at(m, losses) + loss / length;
        if (t < first) return;
      } else {
        m[gains] = (at(m, gains) * (length - 1) + gain) / length;
        m[losses] = (at(m, losses) * (length - 1) + loss) / length;
      }
      const fall = at(m, losses);
      m[slot] = fall === 0 ? PERCENT : PERCENT - PERCENT / (1 + at(m, gains) / fall);
    };
  });
};

/** Returns a value minus another. */
const difference = (group: Group, left: Value, right: Value): Value =>
  group.node(`minus:${left.slot}:${right.slot}`, Math.max(left.first, right.first), 1, (slot) => (m) => {
    m[slot] = at(m, left.slot) - at(m, right.slot);
  });

export interface Macd {
  readonly macd: () => Value;
  readonly signal: () => Value;
  readonly histogram: () => Value;
}

/** Returns the outputs of MACD. Each of its averages is seeded on its own. */
export const macd = (
  group: Group,
  value: Value,
  lengths: { readonly fast: number; readonly slow: number; readonly signal: number },
): Macd => {
  const line = () => difference(group, ema(group, value, lengths.fast), ema(group, value, lengths.slow));
  const signal = () => ema(group, line(), lengths.signal);
  return { macd: line, signal, histogram: () => difference(group, line(), signal()) };
};

/** Returns the change over `length` bars in percent. Missing if the earlier value is zero. */
export const roc = (group: Group, value: Value, length: number): Value => {
  const before = delay(group, value, length);
  return group.node(`roc:${value.slot}:${length}`, before.first, 1, (slot) => (m) => {
    const base = at(m, before.slot);
    m[slot] = base === 0 ? Number.NaN : (at(m, value.slot) / base - 1) * PERCENT;
  });
};

/** Factor with which most values of the index are between -100 and 100. */
const LAMBERT = 0.015;

/** Returns the commodity channel index; 0 if the window does not move. */
export const cci = (group: Group, value: Value, length: number): Value => {
  const mean = sma(group, value, length);
  const deviation = meanDeviation(group, value, length);
  return group.node(`cci:${value.slot}:${length}`, mean.first, 1, (slot) => (m) => {
    const width = LAMBERT * at(m, deviation.slot);
    m[slot] = width === 0 ? 0 : (at(m, value.slot) - at(m, mean.slot)) / width;
  });
};

/** Returns the outputs of the stochastic oscillator. A window without a range counts as 0. */
export const stochastic = (
  group: Group,
  lengths: { readonly length: number; readonly smooth: number; readonly signal: number },
): { readonly k: () => Value; readonly d: () => Value } => {
  const k = (): Value => {
    const { length } = lengths;
    const top = extreme(group, price(group, 'high'), length, 1);
    const bottom = extreme(group, price(group, 'low'), length, -1);
    const close = price(group, 'close');
    const raw = group.node(`stochastic:${length}`, top.first, 1, (slot) => (m) => {
      const low = at(m, bottom.slot);
      const range = at(m, top.slot) - low;
      m[slot] = range === 0 ? 0 : ((at(m, close.slot) - low) / range) * PERCENT;
    });
    return sma(group, raw, lengths.smooth);
  };
  return { k, d: () => sma(group, k(), lengths.signal) };
};

/** Returns the money of bars whose mean price rose (`sign` 1) or fell (-1). */
const moneyFlow = (group: Group, sign: 1 | -1): Value => {
  const typical = price(group, 'hlc3');
  const last = delay(group, typical, 1);
  const volume = group.bar + VOLUME;
  return group.node(`flow:${sign}`, 1, 1, (slot) => (m) => {
    const x = at(m, typical.slot);
    m[slot] = (x - at(m, last.slot)) * sign > 0 ? x * at(m, volume) : 0;
  });
};

/** Returns the money flow index. Without outflow it is 100. */
export const mfi = (group: Group, length: number): Value => {
  const inflow = sumOf(group, moneyFlow(group, 1), length);
  const outflow = sumOf(group, moneyFlow(group, -1), length);
  return group.node(`mfi:${length}`, inflow.first, 1, (slot) => (m) => {
    const out = at(m, outflow.slot);
    const inward = at(m, inflow.slot);
    m[slot] = out === 0 ? PERCENT : (inward / (inward + out)) * PERCENT;
  });
};
