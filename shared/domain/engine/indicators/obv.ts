import { CLOSE, COUNT, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator('obv', () => ({}), { words: () => ['OBV'] });

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'OBV, on-balance volume',
  lines: { value: { label: 'OBV', pane: 'own', usual: 0 } },
};

/** Returns the volume of rising bars minus that of falling ones. It starts at the first bar's volume. */
export const formula: Formula<typeof declaration> = (group) => {
  const { bar } = group;
  const last = delay(group, price(group, 'close'), 1);
  return group.node('obv', 0, 3, (slot) => {
    const sum = slot + 1;
    const rest = slot + 2;
    return (m) => {
      const change = at(m, bar + COUNT) === 0 ? 1 : at(m, bar + CLOSE) - at(m, last.slot);
      const added = Math.sign(change) * at(m, bar + VOLUME);
      const high = at(m, sum);
      const total = high + added;
      const part = total - high;
      m[rest] = at(m, rest) + (high - (total - part) + (added - part));
      m[sum] = total;
      m[slot] = total + at(m, rest);
    };
  });
};

export const row: Row = {
  value: 'on-balance volume',
  formula:
    'adds the volume of bars that rise, subtracts that of bars that fall; begins with the volume of the first bar',
  elsewhere: 'TradingView begins with 0',
};
