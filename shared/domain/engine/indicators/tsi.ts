import type { Value } from '../group.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference, mapped, ratio } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator(
  'tsi',
  ({ length, source, choice }: Args) => ({
    slow: length(25),
    fast: length(13),
    signal: length(13),
    source: source('close'),
    output: choice('tsi', 'signal'),
  }),
  {
    words: (of) => [
      of.output === 'tsi' ? 'TSI' : 'TSI signal',
      of.slow,
      of.fast,
      of.signal,
      unusual(of.source),
    ],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'TSI, true strength',
  lines: {
    tsi: { label: 'TSI', pane: 'own', usual: 0 },
    signal: { label: 'Signal', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { slow, fast, signal, source, output }) => {
  const value = price(group, source);
  const change = difference(group, value, delay(group, value, 1));
  const smooth = (of: Value): Value => ema(group, ema(group, of, slow), fast);
  const tsi = ratio(group, [smooth(change), smooth(mapped(group, 'size', change, Math.abs))], 100);
  return output === 'tsi' ? tsi : ema(group, tsi, signal);
};

export const row: Row = {
  value: 'true strength index, -100 to 100; outputs `tsi`, `signal`',
  formula:
    '100 × changes smoothed by two EMAs / sizes of changes smoothed in the same way; 0 without changes',
  elsewhere: 'TradingView’s function returns -1 to 1',
};
