import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { rsi } from './nodes/rsi.ts';
import { extreme, sma } from './nodes/windows.ts';

export const declaration = indicator(
  'stoch_rsi',
  ({ length, source, choice }: Args) => ({
    length: length(14),
    window: length(14),
    smooth: length(3),
    signal: length(3),
    source: source('close'),
    output: choice('k', 'd'),
  }),
  {
    words: (of) => [
      `StochRSI %${of.output.toUpperCase()}`,
      of.length,
      of.window,
      of.smooth,
      of.signal,
      unusual(of.source),
    ],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'StochRSI',
  lines: { k: { label: '%K', pane: 'own', usual: 20 }, d: { label: '%D', pane: 'own', usual: 20 } },
  argLabels: { length: 'RSI bars', window: 'Range bars' },
};

export const formula: Formula<typeof declaration> = (
  group,
  { length, window, smooth, signal, source, output },
) => {
  const value = rsi(group, price(group, source), length);
  const bottom = extreme(group, value, window, -1);
  const range = difference(group, extreme(group, value, window, 1), bottom);
  const k = sma(group, ratio(group, [difference(group, value, bottom), range], 100), smooth);
  return output === 'k' ? k : sma(group, k, signal);
};

export const row: Row = {
  value: 'place of the RSI within its range, 0 to 100; outputs `k`, `d`',
  formula:
    '`k`: simple average of `smooth` values of (RSI − lowest) / (highest − lowest) × 100 over `window` bars; `d`: average of `k`; 0 without a range',
  elsewhere: 'TradingView is the same; TA-Lib’s does not smooth `k`',
};
