import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { rma } from './nodes/averages.ts';
import { atr, laterTrueRange } from './nodes/ranges.ts';

export const declaration = indicator(
  'atr',
  ({ length, option }: Args) => ({ length: length(14), first_bar: option('skipped') }),
  { words: (of) => ['ATR', of.length, of.first_bar && 'first bar skipped'] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'ATR, average true range',
  lines: { value: { label: 'ATR', pane: 'own', usual: 1 } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  of.first_bar === 'skipped' ? rma(group, laterTrueRange(group), of.length) : atr(group, of.length);

export const row: Row = {
  value: 'average true range, in points of price',
  formula:
    'true range smoothed as Wilder does, beginning with the mean of the first `length` ranges; that of the first bar is high − low',
  elsewhere: 'TradingView is the same; TA-Lib begins with the second bar: `"first_bar": "skipped"`',
};
