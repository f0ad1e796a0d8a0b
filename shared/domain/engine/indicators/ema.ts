import { type Args, type Formula, indicator, type Row, unusual } from './declare.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'ema',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  {
    group: 'averages',
    label: 'EMA, exponential average',
    lines: { value: { label: 'EMA', pane: 'price' } },
    words: (of) => ['EMA', of.length, unusual(of.source)],
  },
);

export const formula: Formula<typeof declaration> = (group, of) =>
  ema(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'exponential moving average',
  formula:
    'last + (value − last) × 2 / (`length` + 1); begins with the simple average of the first `length` values',
};
