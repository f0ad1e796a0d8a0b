import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator(
  'momentum',
  ({ length, source }: Args) => ({ length: length(10), source: source('close') }),
  { words: (of) => ['momentum', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Momentum',
  lines: { value: { label: 'Momentum', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, of) => {
  const value = price(group, of.source);
  return difference(group, value, delay(group, value, of.length));
};

export const row: Row = {
  value: 'change since that many bars ago, in points of price',
  formula: 'value − value `length` bars ago',
};
