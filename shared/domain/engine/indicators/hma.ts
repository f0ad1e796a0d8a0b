import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { combined } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { wma } from './nodes/windows.ts';

export const declaration = indicator(
  'hma',
  ({ length, source }: Args) => ({ length: length(9), source: source('close') }),
  { words: (of) => ['HMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'HMA, Hull average',
  lines: { value: { label: 'HMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) => {
  const value = price(group, source);
  const half = wma(group, value, Math.max(1, Math.floor(length / 2)));
  const raw = combined(group, 'hull', [half, wma(group, value, length)], (short, long) => 2 * short - long);
  return wma(group, raw, Math.floor(Math.sqrt(length)));
};

export const row: Row = {
  value: 'Hull moving average',
  formula: 'WMA of 2 × WMA(`length` / 2) − WMA(`length`) over √`length` bars, both rounded down',
};
