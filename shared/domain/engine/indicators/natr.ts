import { CLOSE } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { atr } from './nodes/ranges.ts';

export const declaration = indicator('natr', ({ length }: Args) => ({ length: length(14) }), {
  words: (of) => ['NATR', of.length],
});

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'NATR, ATR in percent',
  lines: { value: { label: 'NATR', pane: 'own', usual: 2 } },
};

const PERCENT = 100;

export const formula: Formula<typeof declaration> = (group, { length }) => {
  const range = atr(group, length);
  const close = group.bar + CLOSE;
  return group.node(`natr:${length}`, range.first, 1, (slot) => (m) => {
    const base = at(m, close);
    m[slot] = base === 0 ? Number.NaN : (at(m, range.slot) / base) * PERCENT;
  });
};

export const row: Row = {
  value: 'average true range in percent of the close',
  formula: 'ATR / close × 100',
  elsewhere: 'TA-Lib begins with the second bar, as its ATR',
};
