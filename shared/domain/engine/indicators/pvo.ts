import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';

const NAMES = { pvo: 'PVO', signal: 'PVO signal', histogram: 'PVO histogram' };

export const declaration = indicator(
  'pvo',
  ({ length, choice }: Args) => ({
    fast: length(12),
    slow: length(26),
    signal: length(9),
    output: choice('pvo', 'signal', 'histogram'),
  }),
  { words: (of) => [NAMES[of.output], of.fast, of.slow, of.signal] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'PVO, volume oscillator %',
  lines: {
    pvo: { label: 'PVO', pane: 'own', usual: 0 },
    signal: { label: 'Signal', pane: 'own', usual: 0 },
    histogram: { label: 'Histogram', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { fast, slow, signal, output }) => {
  const value = price(group, 'volume');
  const base = ema(group, value, slow);
  const line = ratio(group, [difference(group, ema(group, value, fast), base), base], 100);
  if (output === 'pvo') return line;
  const average = ema(group, line, signal);
  return output === 'signal' ? average : difference(group, line, average);
};

export const row: Row = {
  value:
    'difference of two exponential averages of the volume in percent; outputs `pvo`, `signal`, `histogram`',
  formula:
    '(EMA(`fast`) − EMA(`slow`)) / EMA(`slow`) × 100; `signal` is the EMA of it, and `histogram` their difference; each average begins with its own simple average',
};
