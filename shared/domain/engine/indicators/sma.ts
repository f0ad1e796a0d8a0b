import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { sma } from './nodes/windows.ts';

export const declaration = indicator(
  'sma',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['SMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'SMA, simple average',
  lines: { value: { label: 'SMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  sma(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'simple moving average',
  formula: 'sum of the last `length` values / `length`',
};
