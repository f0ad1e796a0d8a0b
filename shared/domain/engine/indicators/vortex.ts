import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference, mapped, ratio } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { laterTrueRange } from './nodes/ranges.ts';
import { delay, sumOf } from './nodes/windows.ts';

export const declaration = indicator(
  'vortex',
  ({ length, choice }: Args) => ({ length: length(14), output: choice('plus', 'minus') }),
  { words: (of) => [of.output === 'plus' ? 'VI+' : 'VI-', of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'trend',
  label: 'Vortex',
  lines: { plus: { label: 'VI+', pane: 'own', usual: 1 }, minus: { label: 'VI−', pane: 'own', usual: 1 } },
};

export const formula: Formula<typeof declaration> = (group, { length, output }) => {
  const [now, before] = output === 'plus' ? (['high', 'low'] as const) : (['low', 'high'] as const);
  const reach = difference(group, price(group, now), delay(group, price(group, before), 1));
  const moved = sumOf(group, mapped(group, 'size', reach, Math.abs), length);
  return ratio(group, [moved, sumOf(group, laterTrueRange(group), length)], 1);
};

export const row: Row = {
  value: 'vortex indicator; outputs `plus`, `minus`',
  formula:
    'sum of |high − low before| (`minus`: |low − high before|) / sum of true ranges, from the second bar on; 0 without ranges',
  elsewhere: 'TradingView is the same',
};
