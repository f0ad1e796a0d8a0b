import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { middle } from './nodes/middles.ts';
import { price } from './nodes/prices.ts';
import { extreme } from './nodes/windows.ts';

export const declaration = indicator(
  'donchian',
  ({ length, choice }: Args) => ({ length: length(20), output: choice('upper', 'middle', 'lower') }),
  { words: (of) => [`${of.output} Donchian line`, of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Donchian channel',
  lines: {
    upper: { label: 'Upper line', pane: 'price' },
    middle: { label: 'Middle line', pane: 'price' },
    lower: { label: 'Lower line', pane: 'price' },
  },
};

export const formula: Formula<typeof declaration> = (group, { length, output }) => {
  if (output === 'middle') return middle(group, length);
  return output === 'upper'
    ? extreme(group, price(group, 'high'), length, 1)
    : extreme(group, price(group, 'low'), length, -1);
};

export const row: Row = {
  value: 'channel of the last bars; outputs `upper`, `middle`, `lower`',
  formula:
    'highest high, lowest low, and their mean; the bar of the evaluation counts: for a breakout compare with `"ago": 1`',
};
