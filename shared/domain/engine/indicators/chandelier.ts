import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { atr } from './nodes/ranges.ts';
import { extreme } from './nodes/windows.ts';

export const declaration = indicator(
  'chandelier',
  ({ length, number, choice }: Args) => ({
    length: length(22),
    multiple: number(3, { above: 0, max: 100 }),
    output: choice('long', 'short'),
  }),
  { words: (of) => [`chandelier exit of ${of.output}s`, of.length, of.multiple] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'Chandelier exit',
  lines: {
    long: { label: 'Exit of longs', pane: 'price' },
    short: { label: 'Exit of shorts', pane: 'price' },
  },
  argLabels: { multiple: 'Multiple of ATR' },
};

export const formula: Formula<typeof declaration> = (group, { length, multiple, output }) => {
  const isLong = output === 'long';
  const edge = extreme(group, price(group, isLong ? 'high' : 'low'), length, isLong ? 1 : -1);
  const range = atr(group, length);
  const factor = isLong ? -multiple : multiple;
  return group.node(`chandelier:${length}:${factor}`, range.first, 1, (slot) => (m) => {
    m[slot] = at(m, edge.slot) + factor * at(m, range.slot);
  });
};

export const row: Row = {
  value: 'level at which a trend is over; outputs `long`, `short`',
  formula:
    '`long`: highest high − `multiple` × ATR; `short`: lowest low + `multiple` × ATR, of `length` bars',
  elsewhere: 'scripts of TradingView often let the level move in one direction only',
};
