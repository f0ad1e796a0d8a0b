import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { seededEma } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'ema',
  ({ length, source, option }: Args) => ({
    length: length(20),
    source: source('close'),
    seed: option('first'),
  }),
  { words: (of) => ['EMA', of.length, unusual(of.source), of.seed && 'from the first value'] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'EMA, exponential average',
  lines: { value: { label: 'EMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  seededEma(group, price(group, of.source), of.length, of.seed);

export const row: Row = {
  value: 'exponential moving average',
  formula:
    'last + (value − last) × 2 / (`length` + 1); begins with the simple average of the first `length` values',
  elsewhere:
    'TradingView’s published code begins with the first value: `"seed": "first"`; TA-Lib is the same as here',
};
