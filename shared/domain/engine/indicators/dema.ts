import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { combined } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'dema',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['DEMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'DEMA, double exponential average',
  lines: { value: { label: 'DEMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) => {
  const once = ema(group, price(group, source), length);
  return combined(group, 'dema', [once, ema(group, once, length)], (one, two) => 2 * one - two);
};

export const row: Row = {
  value: 'double exponential moving average',
  formula: '2 × EMA − EMA of EMA; each begins with its own simple average',
};
