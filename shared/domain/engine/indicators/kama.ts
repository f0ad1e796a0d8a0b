import { COUNT } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference, mapped } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { delay, sumOf } from './nodes/windows.ts';

export const declaration = indicator(
  'kama',
  ({ length, source }: Args) => ({
    length: length(10),
    fast: length(2),
    slow: length(30),
    source: source('close'),
  }),
  { words: (of) => ['KAMA', of.length, of.fast, of.slow, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'KAMA, Kaufman’s adaptive average',
  lines: { value: { label: 'KAMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, { length, fast, slow, source }) => {
  const value = price(group, source);
  const last = delay(group, value, 1);
  const moved = mapped(group, 'size', difference(group, value, delay(group, value, length)), Math.abs);
  const path = sumOf(group, mapped(group, 'size', difference(group, value, last), Math.abs), length);
  const quickest = 2 / (fast + 1);
  const slowest = 2 / (slow + 1);
  return group.node(`kama:${value.slot}:${length}:${fast}:${slow}`, path.first, 1, (slot) => (m) => {
    const t = at(m, group.bar + COUNT);
    if (t < path.first) return;
    const before = t === path.first ? at(m, last.slot) : at(m, slot);
    const way = at(m, path.slot);
    const efficiency = way === 0 ? 1 : Math.min(1, at(m, moved.slot) / way);
    const weight = (efficiency * (quickest - slowest) + slowest) ** 2;
    m[slot] = before + weight * (at(m, value.slot) - before);
  });
};

export const row: Row = {
  value: 'Kaufman’s adaptive moving average',
  formula:
    'moves by (efficiency × (2 / (`fast` + 1) − 2 / (`slow` + 1)) + 2 / (`slow` + 1))² of the distance; efficiency: change over `length` bars / sum of changes; begins with the value before its first',
  elsewhere: 'TA-Lib is the same; TradingView begins with the first bar',
};
