import { COUNT, type Group, type Value } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';

export const declaration = indicator(
  'rsi',
  ({ length, source }: Args) => ({ length: length(14), source: source('close') }),
  {
    group: 'momentum',
    label: 'RSI, relative strength',
    lines: { value: { label: 'RSI', pane: 'own', usual: 30 } },
    words: (of) => ['RSI', of.length, unusual(of.source)],
  },
);

const PERCENT = 100;

/** Returns the relative strength index with Wilder's smoothing. Without losses it is 100. */
const strength = (group: Group, value: Value, length: number): Value => {
  const count = group.bar + COUNT;
  const { slot: source } = value;
  const first = value.first + length;
  return group.node(`rsi:${source}:${length}`, first, 4, (slot) => {
    const last = slot + 1;
    const gains = slot + 2;
    const losses = slot + 3;
    return (m) => {
      const t = at(m, count);
      const x = at(m, source);
      const change = x - at(m, last);
      m[last] = x;
      if (t <= value.first) return;
      const gain = change > 0 ? change : 0;
      const loss = change < 0 ? -change : 0;
      if (t <= first) {
        m[gains] = at(m, gains) + gain / length;
        m[losses] = at(m, losses) + loss / length;
        if (t < first) return;
      } else {
        m[gains] = (at(m, gains) * (length - 1) + gain) / length;
        m[losses] = (at(m, losses) * (length - 1) + loss) / length;
      }
      const fall = at(m, losses);
      m[slot] = fall === 0 ? PERCENT : PERCENT - PERCENT / (1 + at(m, gains) / fall);
    };
  });
};

export const formula: Formula<typeof declaration> = (group, of) =>
  strength(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'relative strength index, 0 to 100',
  formula:
    '100 − 100 / (1 + mean gain / mean loss), both smoothed as Wilder does, beginning with the means of the first `length` changes; 100 without losses',
};
