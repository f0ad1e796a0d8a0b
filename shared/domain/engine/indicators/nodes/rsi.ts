import { COUNT, type Group, type Value } from '../../group.ts';
import { at } from '../../memory.ts';

const PERCENT = 100;

/** Returns the relative strength index with Wilder's smoothing. Without losses it is 100. */
export const rsi = (group: Group, value: Value, length: number): Value => {
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
