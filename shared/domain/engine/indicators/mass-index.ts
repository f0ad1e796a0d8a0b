import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { total } from './nodes/windows.ts';

export const declaration = indicator(
  'mass_index',
  ({ length }: Args) => ({ length: length(25), smooth: length(9) }),
  { words: (of) => ['mass index', of.length, of.smooth] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'Mass index',
  lines: { value: { label: 'Mass index', pane: 'own', usual: 27 } },
};

export const formula: Formula<typeof declaration> = (group, { length, smooth }) => {
  const once = ema(group, difference(group, price(group, 'high'), price(group, 'low')), smooth);
  return total(group, ratio(group, [once, ema(group, once, smooth)], 1, 1), length);
};

export const row: Row = {
  value: 'mass index by Dorsey',
  formula:
    'sum over `length` bars of EMA of high − low / EMA of that EMA, over `smooth` bars; each begins with its own simple average',
  elsewhere: 'TradingView has a `length` of 10 by default',
};
