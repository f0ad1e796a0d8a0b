import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { rsi } from './nodes/rsi.ts';

export const declaration = indicator(
  'rsi',
  ({ length, source }: Args) => ({ length: length(14), source: source('close') }),
  { words: (of) => ['RSI', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'RSI, relative strength',
  lines: { value: { label: 'RSI', pane: 'own', usual: 30 } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  rsi(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'relative strength index, 0 to 100',
  formula:
    '100 − 100 / (1 + mean gain / mean loss), both smoothed as Wilder does, beginning with the means of the first `length` changes; 100 without losses',
};
