import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { moneyFlow } from './nodes/money-flow.ts';
import { price } from './nodes/prices.ts';
import { sma, sumOf } from './nodes/windows.ts';

export const declaration = indicator('chaikin_money_flow', ({ length }: Args) => ({ length: length(20) }), {
  words: (of) => ['Chaikin money flow', of.length],
});

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'Chaikin money flow',
  lines: { value: { label: 'Money flow', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, { length }) => {
  const flow = sma(group, moneyFlow(group), length);
  const volume = sumOf(group, price(group, 'volume'), length);
  return group.node(`chaikin-money-flow:${length}`, flow.first, 1, (slot) => (m) => {
    const all = at(m, volume.slot);
    m[slot] = all === 0 ? Number.NaN : (at(m, flow.slot) * length) / all;
  });
};

export const row: Row = {
  value: 'money that flows in (above 0) or out, -1 to 1',
  formula:
    'sum of volume × ((close − low) − (high − close)) / (high − low) / sum of volume; a bar without a range counts as 0; missing without volume',
};
