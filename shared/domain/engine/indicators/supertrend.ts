import { CLOSE, COUNT, type Group, HIGH, LOW, type Value } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { atr } from './nodes/ranges.ts';

export const declaration = indicator(
  'supertrend',
  ({ length, number, choice }: Args) => ({
    length: length(10),
    multiple: number(3, { above: 0, max: 100 }),
    output: choice('value', 'direction'),
  }),
  { words: (of) => [of.output === 'value' ? 'Supertrend' : 'Supertrend direction', of.length, of.multiple] },
);

export const labels: Labels<typeof declaration> = {
  group: 'trend',
  label: 'Supertrend',
  lines: {
    value: { label: 'Price line', pane: 'price' },
    direction: { label: 'Direction, 1 or −1', pane: 'own', usual: 0 },
  },
};

/**
 * Returns the Supertrend line, with its direction (1 or -1) in the place after it. It begins as a resistance, unless
 * the close is above it.
 */
const trailing = (group: Group, length: number, multiple: number): { value: Value; direction: Value } => {
  const range = atr(group, length);
  const { bar } = group;
  const line = group.node(`supertrend:${length}:${multiple}`, range.first, 5, (slot) => {
    const direction = slot + 1;
    const upper = slot + 2;
    const lower = slot + 3;
    const lastClose = slot + 4;
    return (m) => {
      const t = at(m, bar + COUNT);
      if (t < range.first) return;
      const close = at(m, bar + CLOSE);
      const middle = (at(m, bar + HIGH) + at(m, bar + LOW)) / 2;
      const width = multiple * at(m, range.slot);
      let top = middle + width;
      let bottom = middle - width;
      if (t > range.first) {
        const before = at(m, lastClose);
        const lastTop = at(m, upper);
        const lastBottom = at(m, lower);
        if (!(top < lastTop || before > lastTop)) top = lastTop;
        if (!(bottom > lastBottom || before < lastBottom)) bottom = lastBottom;
      }
      const isRising = at(m, direction) === 1 ? close >= bottom : close > top;
      m[direction] = isRising ? 1 : -1;
      m[upper] = top;
      m[lower] = bottom;
      m[lastClose] = close;
      m[slot] = isRising ? bottom : top;
    };
  });
  const direction = group.node(
    `supertrend-direction:${length}:${multiple}`,
    range.first,
    1,
    (slot) => (m) => {
      if (at(m, bar + COUNT) >= range.first) m[slot] = at(m, line.slot + 1);
    },
  );
  return { value: line, direction };
};

export const formula: Formula<typeof declaration> = (group, of) =>
  trailing(group, of.length, of.multiple)[of.output];

export const row: Row = {
  value: 'trailing line; outputs `value`, and `direction`: 1 in a rise, -1 in a fall',
  formula:
    'hl2 ± `multiple` × ATR, which moves towards the price only; begins as a resistance unless the close is above it',
  elsewhere: 'TradingView has the direction with the other sign',
};
