import { COUNT } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { delay, extreme } from './nodes/windows.ts';

export const declaration = indicator(
  'fisher',
  ({ length, choice }: Args) => ({ length: length(9), output: choice('fisher', 'signal') }),
  { words: (of) => [of.output === 'fisher' ? 'Fisher' : 'Fisher signal', of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Fisher transform',
  lines: {
    fisher: { label: 'Fisher', pane: 'own', usual: 0 },
    signal: { label: 'Signal', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { length, output }) => {
  const middle = price(group, 'hl2');
  const top = extreme(group, middle, length, 1);
  const bottom = extreme(group, middle, length, -1);
  const fisher = group.node(`fisher:${length}`, top.first, 2, (slot) => {
    const smooth = slot + 1;
    return (m) => {
      const t = at(m, group.bar + COUNT);
      if (t < top.first) return;
      const low = at(m, bottom.slot);
      const range = at(m, top.slot) - low;
      const place = range === 0 ? 0 : (at(m, middle.slot) - low) / range - 0.5;
      const raw = 0.66 * place + 0.67 * at(m, smooth);
      const held = raw > 0.99 ? 0.999 : raw < -0.99 ? -0.999 : raw;
      m[smooth] = held;
      const before = t === top.first ? 0 : at(m, slot);
      m[slot] = 0.5 * Math.log((1 + held) / (1 - held)) + 0.5 * before;
    };
  });
  return output === 'fisher' ? fisher : delay(group, fisher, 1);
};

export const row: Row = {
  value: 'Fisher transform of hl2 by Ehlers; outputs `fisher`, `signal` (of the bar before)',
  formula:
    'x = 0.66 × (place of hl2 within its range − 0.5) + 0.67 × x before, at most ±0.999; ½ ln((1 + x) / (1 − x)) + half of the value before; both begin with 0',
  elsewhere: 'TradingView is the same',
};
