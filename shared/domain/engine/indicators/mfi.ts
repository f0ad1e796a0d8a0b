import { type Group, type Value, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { delay, sumOf } from './nodes/windows.ts';

export const declaration = indicator('mfi', ({ length }: Args) => ({ length: length(14) }), {
  words: (of) => ['MFI', of.length],
});

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'MFI, money flow',
  lines: { value: { label: 'MFI', pane: 'own', usual: 20 } },
};

const PERCENT = 100;

/** Returns the money of bars whose mean price rose (`sign` 1) or fell (-1). */
const moneyFlow = (group: Group, sign: 1 | -1): Value => {
  const typical = price(group, 'hlc3');
  const last = delay(group, typical, 1);
  const volume = group.bar + VOLUME;
  return group.node(`flow:${sign}`, 1, 1, (slot) => (m) => {
    const x = at(m, typical.slot);
    m[slot] = (x - at(m, last.slot)) * sign > 0 ? x * at(m, volume) : 0;
  });
};

export const formula: Formula<typeof declaration> = (group, of) => {
  const inflow = sumOf(group, moneyFlow(group, 1), of.length);
  const outflow = sumOf(group, moneyFlow(group, -1), of.length);
  return group.node(`mfi:${of.length}`, inflow.first, 1, (slot) => (m) => {
    const out = at(m, outflow.slot);
    const inward = at(m, inflow.slot);
    m[slot] = out === 0 ? PERCENT : (inward / (inward + out)) * PERCENT;
  });
};

export const row: Row = {
  value: 'money flow index, 0 to 100',
  formula:
    'hlc3 × volume of bars whose hlc3 rose, as a part of that of all that rose or fell; 100 without outflow',
};
