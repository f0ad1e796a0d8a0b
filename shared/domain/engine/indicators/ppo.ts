import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

const NAMES = { ppo: 'PPO', signal: 'PPO signal', histogram: 'PPO histogram' };

export const declaration = indicator(
  'ppo',
  ({ length, source, choice }: Args) => ({
    fast: length(12),
    slow: length(26),
    signal: length(9),
    source: source('close'),
    output: choice('ppo', 'signal', 'histogram'),
  }),
  { words: (of) => [NAMES[of.output], of.fast, of.slow, of.signal, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'PPO, price oscillator %',
  lines: {
    ppo: { label: 'PPO', pane: 'own', usual: 0 },
    signal: { label: 'Signal', pane: 'own', usual: 0 },
    histogram: { label: 'Histogram', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { fast, slow, signal, source, output }) => {
  const value = price(group, source);
  const base = ema(group, value, slow);
  const line = ratio(group, [difference(group, ema(group, value, fast), base), base], 100);
  if (output === 'ppo') return line;
  const average = ema(group, line, signal);
  return output === 'signal' ? average : difference(group, line, average);
};

export const row: Row = {
  value: 'difference of two exponential averages in percent; outputs `ppo`, `signal`, `histogram`',
  formula:
    '(EMA(`fast`) − EMA(`slow`)) / EMA(`slow`) × 100; `signal` is the EMA of it, and `histogram` their difference; each average begins with its own simple average',
  elsewhere: 'TA-Lib begins both averages at the same bar, and takes simple ones by default',
};
