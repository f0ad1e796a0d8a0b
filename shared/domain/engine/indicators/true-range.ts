import { type Formula, indicator, type Labels, type Row } from './declare.ts';
import { trueRange } from './nodes/ranges.ts';

export const declaration = indicator('true_range', () => ({}), { words: () => ['true range'] });

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'True range',
  lines: { value: { label: 'True range', pane: 'own', usual: 1 } },
};

export const formula: Formula<typeof declaration> = (group) => trueRange(group);

export const row: Row = {
  value: 'range of the bar and the gap before it, in points of price',
  formula:
    'greatest of high − low, |high − last close| and |low − last close|; that of the first bar is high − low',
  elsewhere: 'TradingView is the same; TA-Lib has no value at the first bar',
};
