import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { wma } from './nodes/windows.ts';

export const declaration = indicator(
  'wma',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['WMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'WMA, weighted average',
  lines: { value: { label: 'WMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  wma(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'linearly weighted moving average',
  formula: 'weights 1 to `length`, the newest has the greatest',
};
