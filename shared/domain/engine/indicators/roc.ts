import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator(
  'roc',
  ({ length, source }: Args) => ({ length: length(10), source: source('close') }),
  { words: (of) => ['ROC', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'ROC, rate of change %',
  lines: { value: { label: 'ROC', pane: 'own', usual: 0 } },
};

const PERCENT = 100;

export const formula: Formula<typeof declaration> = (group, of) => {
  const value = price(group, of.source);
  const before = delay(group, value, of.length);
  return group.node(`roc:${value.slot}:${of.length}`, before.first, 1, (slot) => (m) => {
    const base = at(m, before.slot);
    m[slot] = base === 0 ? Number.NaN : (at(m, value.slot) / base - 1) * PERCENT;
  });
};

export const row: Row = {
  value: 'change since that many bars ago, in percent',
  formula: '(value / value `length` bars ago − 1) × 100; missing if that is 0',
};
