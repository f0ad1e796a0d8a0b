import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { delay, sma } from './nodes/windows.ts';

export const declaration = indicator(
  'dpo',
  ({ length, source }: Args) => ({ length: length(21), source: source('close') }),
  { words: (of) => ['DPO', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'DPO, price without trend',
  lines: { value: { label: 'DPO', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) => {
  const value = price(group, source);
  return difference(group, value, delay(group, sma(group, value, length), Math.floor(length / 2) + 1));
};

export const row: Row = {
  value: 'detrended price',
  formula: 'value − simple average `length` / 2 + 1 bars ago, rounded down; no later bar is read',
  elsewhere: 'TradingView is the same unless it is centered, which reads later bars',
};
