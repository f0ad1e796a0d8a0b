import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { atr } from './nodes/ranges.ts';

export const declaration = indicator(
  'keltner',
  ({ length, number, source, choice }: Args) => ({
    length: length(20),
    multiple: number(2, { above: 0, max: 100 }),
    atr_length: length(10),
    source: source('close'),
    output: choice('middle', 'upper', 'lower'),
  }),
  { words: (of) => [`${of.output} Keltner line`, of.length, of.multiple, of.atr_length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'Keltner channel',
  lines: {
    middle: { label: 'Middle line', pane: 'price' },
    upper: { label: 'Upper line', pane: 'price' },
    lower: { label: 'Lower line', pane: 'price' },
  },
  argLabels: { multiple: 'Multiple of ATR' },
};

export const formula: Formula<typeof declaration> = (
  group,
  { length, multiple, atr_length, source, output },
) => {
  const middle = ema(group, price(group, source), length);
  if (output === 'middle') return middle;
  const range = atr(group, atr_length);
  const factor = output === 'upper' ? multiple : -multiple;
  const first = Math.max(middle.first, range.first);
  return group.node(`keltner:${middle.slot}:${range.slot}:${factor}`, first, 1, (slot) => (m) => {
    m[slot] = at(m, middle.slot) + factor * at(m, range.slot);
  });
};

export const row: Row = {
  value: 'channel around an exponential average; outputs `middle`, `upper`, `lower`',
  formula: 'EMA(`length`) ± `multiple` × ATR(`atr_length`)',
  elsewhere: 'TradingView is the same; the channel of Chester Keltner used hlc3 and the mean of high − low',
};
