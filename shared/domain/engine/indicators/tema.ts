import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { combined, difference } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'tema',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['TEMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'TEMA, triple exponential average',
  lines: { value: { label: 'TEMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) => {
  const once = ema(group, price(group, source), length);
  const twice = ema(group, once, length);
  return combined(
    group,
    'tema',
    [difference(group, once, twice), ema(group, twice, length)],
    (lead, thrice) => 3 * lead + thrice,
  );
};

export const row: Row = {
  value: 'triple exponential moving average',
  formula: '3 × EMA − 3 × EMA of EMA + EMA of that; each begins with its own simple average',
};
