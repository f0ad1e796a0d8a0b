import type { Value } from '../group.ts';
import { type Args, type Formula, indicator, type Row, unusual } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

const NAMES = { macd: 'MACD', signal: 'MACD signal', histogram: 'MACD histogram' };

export const declaration = indicator(
  'macd',
  ({ length, source, choice }: Args) => ({
    fast: length(12),
    slow: length(26),
    signal: length(9),
    source: source('close'),
    output: choice('macd', 'signal', 'histogram'),
  }),
  {
    group: 'momentum',
    label: 'MACD',
    lines: {
      macd: { label: 'MACD', pane: 'own', usual: 0 },
      signal: { label: 'Signal', pane: 'own', usual: 0 },
      histogram: { label: 'Histogram', pane: 'own', usual: 0 },
    },
    words: (of) => [NAMES[of.output], of.fast, of.slow, of.signal, unusual(of.source)],
  },
);

export const formula: Formula<typeof declaration> = (group, { fast, slow, signal, source: of, output }) => {
  const value = price(group, of);
  const line = (): Value => difference(group, ema(group, value, fast), ema(group, value, slow));
  if (output === 'macd') return line();
  const average = (): Value => ema(group, line(), signal);
  return output === 'signal' ? average() : difference(group, line(), average());
};

export const row: Row = {
  value: 'difference of two exponential averages; outputs `macd`, `signal`, `histogram`',
  formula:
    'EMA(`fast`) − EMA(`slow`); `signal` is the EMA of it, and `histogram` their difference; each average begins with its own simple average',
  elsewhere: 'TA-Lib begins both averages at the same bar; the difference fades',
};
