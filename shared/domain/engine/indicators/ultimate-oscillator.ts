import type { Value } from '../group.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { combined, difference, ratio } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { laterTrueRange } from './nodes/ranges.ts';
import { delay, sumOf } from './nodes/windows.ts';

export const declaration = indicator(
  'ultimate_oscillator',
  ({ length }: Args) => ({ fast: length(7), medium: length(14), slow: length(28) }),
  { words: (of) => ['ultimate oscillator', of.fast, of.medium, of.slow] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Ultimate oscillator',
  lines: { value: { label: 'Ultimate', pane: 'own', usual: 30 } },
  argLabels: { medium: 'Medium bars' },
};

export const formula: Formula<typeof declaration> = (group, { fast, medium, slow }) => {
  const last = delay(group, price(group, 'close'), 1);
  const low = combined(group, 'least', [price(group, 'low'), last], Math.min);
  const pressure = difference(group, price(group, 'close'), low);
  const part = (length: number): Value =>
    ratio(group, [sumOf(group, pressure, length), sumOf(group, laterTrueRange(group), length)], 1);
  const [first, second, third] = [part(fast), part(medium), part(slow)];
  const two = combined(group, 'ultimate', [first, second], (a, b) => 4 * a + 2 * b);
  return combined(group, 'ultimate-end', [two, third], (a, b) => ((a + b) / 7) * 100);
};

export const row: Row = {
  value: 'ultimate oscillator by Williams, 0 to 100',
  formula:
    '(4 × part(`fast`) + 2 × part(`medium`) + part(`slow`)) / 7 × 100; part: sum of close − min(low, close before) / sum of true ranges, from the second bar on',
  elsewhere: 'TA-Lib is the same',
};
