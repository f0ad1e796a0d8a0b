import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { combined, difference } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { trueRange } from './nodes/ranges.ts';
import { extreme, sumOf } from './nodes/windows.ts';

export const declaration = indicator(
  'choppiness',
  ({ length }: Args) => ({ length: length(14, { min: 2 }) }),
  { words: (of) => ['choppiness', of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'Choppiness',
  lines: { value: { label: 'Choppiness', pane: 'own', usual: 61.8 } },
};

export const formula: Formula<typeof declaration> = (group, { length }) => {
  const top = extreme(group, price(group, 'high'), length, 1);
  const range = difference(group, top, extreme(group, price(group, 'low'), length, -1));
  const path = sumOf(group, trueRange(group), length);
  return combined(group, `choppiness:${length}`, [path, range], (way, width) =>
    width === 0 ? 100 : (100 * Math.log10(way / width)) / Math.log10(length),
  );
};

export const row: Row = {
  value: 'choppiness index: about 0 in a trend, 100 without one',
  formula:
    '100 × log₁₀(sum of true ranges / (highest high − lowest low)) / log₁₀(`length`); 100 without a range',
  elsewhere: 'TradingView is the same',
};
