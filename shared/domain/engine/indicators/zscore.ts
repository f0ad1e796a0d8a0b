import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { sma, stddev } from './nodes/windows.ts';

export const declaration = indicator(
  'zscore',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['z-score', of.length, unusual(of.source)], scans: (of) => of.length },
);

export const labels: Labels<typeof declaration> = {
  group: 'statistics',
  label: 'Z-score',
  lines: { value: { label: 'Z-score', pane: 'own', usual: -2 } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) => {
  const value = price(group, source);
  const distance = difference(group, value, sma(group, value, length));
  return ratio(group, [distance, stddev(group, value, length)], 1);
};

export const row: Row = {
  value: 'distance from the simple average in standard deviations',
  formula:
    '(value − average) / standard deviation, which divides by `length` (population); 0 if the window does not move',
};
