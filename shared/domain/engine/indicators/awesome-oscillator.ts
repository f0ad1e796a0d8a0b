import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { sma } from './nodes/windows.ts';

export const declaration = indicator(
  'awesome_oscillator',
  ({ length }: Args) => ({ fast: length(5), slow: length(34) }),
  { words: (of) => ['awesome oscillator', of.fast, of.slow] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Awesome oscillator',
  lines: { value: { label: 'Awesome', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, { fast, slow }) => {
  const middle = price(group, 'hl2');
  return difference(group, sma(group, middle, fast), sma(group, middle, slow));
};

export const row: Row = {
  value: 'awesome oscillator by Williams',
  formula: 'simple average of `fast` values of hl2 − that of `slow` values',
  elsewhere: 'TradingView is the same',
};
