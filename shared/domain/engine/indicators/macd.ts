import type { Value } from '../group.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { seededEma } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

const NAMES = { macd: 'MACD', signal: 'MACD signal', histogram: 'MACD histogram' };

export const declaration = indicator(
  'macd',
  ({ length, source, choice, option }: Args) => ({
    fast: length(12),
    slow: length(26),
    signal: length(9),
    source: source('close'),
    seed: option('first'),
    output: choice('macd', 'signal', 'histogram'),
  }),
  {
    words: (of) => [
      NAMES[of.output],
      of.fast,
      of.slow,
      of.signal,
      unusual(of.source),
      of.seed && 'from the first value',
    ],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'MACD',
  lines: {
    macd: { label: 'MACD', pane: 'own', usual: 0 },
    signal: { label: 'Signal', pane: 'own', usual: 0 },
    histogram: { label: 'Histogram', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { fast, slow, signal, source, seed, output }) => {
  const value = price(group, source);
  const average = (of: Value, length: number): Value => seededEma(group, of, length, seed);
  const line = difference(group, average(value, fast), average(value, slow));
  if (output === 'macd') return line;
  return output === 'signal' ? average(line, signal) : difference(group, line, average(line, signal));
};

export const row: Row = {
  value: 'difference of two exponential averages; outputs `macd`, `signal`, `histogram`',
  formula:
    'EMA(`fast`) − EMA(`slow`); `signal` is the EMA of it, and `histogram` their difference; each average begins with its own simple average',
  elsewhere:
    'TradingView’s published code begins with the first values: `"seed": "first"`; TA-Lib begins both averages at the same bar; the difference fades',
};
