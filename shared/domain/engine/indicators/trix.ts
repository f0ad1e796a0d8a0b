import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator(
  'trix',
  ({ length, source, choice }: Args) => ({
    length: length(18),
    signal: length(9),
    source: source('close'),
    output: choice('trix', 'signal'),
  }),
  {
    words: (of) => [of.output === 'trix' ? 'TRIX' : 'TRIX signal', of.length, of.signal, unusual(of.source)],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'TRIX',
  lines: {
    trix: { label: 'TRIX', pane: 'own', usual: 0 },
    signal: { label: 'Signal', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { length, signal, source, output }) => {
  const smooth = ema(group, ema(group, ema(group, price(group, source), length), length), length);
  const before = delay(group, smooth, 1);
  const trix = ratio(group, [difference(group, smooth, before), before], 100);
  return output === 'trix' ? trix : ema(group, trix, signal);
};

export const row: Row = {
  value: 'change of a triple exponential average since the bar before, in percent; outputs `trix`, `signal`',
  formula: 'EMA of EMA of EMA, each beginning with its own simple average; `signal` is the EMA of the change',
  elsewhere: 'TA-Lib is the same; TradingView takes logarithms, times 10000',
};
