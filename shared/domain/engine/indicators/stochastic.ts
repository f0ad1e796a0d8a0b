import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { extreme, sma } from './nodes/windows.ts';

export const declaration = indicator(
  'stochastic',
  ({ length, choice }: Args) => ({
    length: length(14),
    smooth: length(3),
    signal: length(3),
    output: choice('k', 'd'),
  }),
  { words: (of) => [`stochastic %${of.output.toUpperCase()}`, of.length, of.smooth, of.signal] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Stochastic',
  lines: { k: { label: '%K', pane: 'own', usual: 20 }, d: { label: '%D', pane: 'own', usual: 20 } },
};

const PERCENT = 100;

export const formula: Formula<typeof declaration> = (group, { length: bars, smooth, signal, output }) => {
  const top = extreme(group, price(group, 'high'), bars, 1);
  const bottom = extreme(group, price(group, 'low'), bars, -1);
  const close = price(group, 'close');
  const raw = group.node(`stochastic:${bars}`, top.first, 1, (slot) => (m) => {
    const low = at(m, bottom.slot);
    const range = at(m, top.slot) - low;
    m[slot] = range === 0 ? 0 : ((at(m, close.slot) - low) / range) * PERCENT;
  });
  const k = sma(group, raw, smooth);
  return output === 'k' ? k : sma(group, k, signal);
};

export const row: Row = {
  value: 'place of the close within the range, 0 to 100; outputs `k`, `d`',
  formula:
    '`k`: simple average of `smooth` values of (close − lowest low) / (highest high − lowest low); `d`: average of `k`; 0 without a range',
  elsewhere: 'TradingView has a `smooth` of 1, the fast one',
};
