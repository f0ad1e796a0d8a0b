import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { rma } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'rma',
  ({ length, source }: Args) => ({ length: length(14), source: source('close') }),
  { words: (of) => ['RMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'RMA, Wilder’s average',
  lines: { value: { label: 'RMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  rma(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'moving average as Wilder smooths',
  formula: 'last + (value − last) / `length`; begins with the simple average of the first `length` values',
  elsewhere: 'TradingView is the same; also known as SMMA',
};
