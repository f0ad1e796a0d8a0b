import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'elder_ray',
  ({ length, choice }: Args) => ({ length: length(13), output: choice('bull', 'bear') }),
  { words: (of) => [`Elder ${of.output} power`, of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Elder ray',
  lines: {
    bull: { label: 'Bull power', pane: 'own', usual: 0 },
    bear: { label: 'Bear power', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { length, output }) =>
  difference(
    group,
    price(group, output === 'bull' ? 'high' : 'low'),
    ema(group, price(group, 'close'), length),
  );

export const row: Row = {
  value: 'distance of high and low from the average; outputs `bull`, `bear`',
  formula: '`bull`: high − EMA of the close; `bear`: low − EMA of the close',
};
