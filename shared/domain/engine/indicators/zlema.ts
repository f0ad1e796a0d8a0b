import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { combined } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator(
  'zlema',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['ZLEMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'ZLEMA, average without lag',
  lines: { value: { label: 'ZLEMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) => {
  const value = price(group, source);
  const before = delay(group, value, Math.floor((length - 1) / 2));
  return ema(
    group,
    combined(group, 'ahead', [value, before], (now, past) => 2 * now - past),
    length,
  );
};

export const row: Row = {
  value: 'exponential moving average without lag',
  formula:
    'EMA of 2 × value − value (`length` − 1) / 2 bars ago, rounded down; begins with the simple average of its first `length` values',
};
