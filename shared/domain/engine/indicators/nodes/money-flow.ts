import { CLOSE, type Group, HIGH, LOW, type Value, VOLUME } from '../../group.ts';
import { at } from '../../memory.ts';

/** Returns the volume of a bar times the place of its close in its range: from -1 at the low to 1 at the high. */
export const moneyFlow = (group: Group): Value => {
  const { bar } = group;
  return group.node('money-flow', 0, 1, (slot) => (m) => {
    const high = at(m, bar + HIGH);
    const low = at(m, bar + LOW);
    const close = at(m, bar + CLOSE);
    m[slot] = high === low ? 0 : ((close - low - (high - close)) / (high - low)) * at(m, bar + VOLUME);
  });
};

/** Returns the sum of the money flow of all bars, held as two doubles so that rounding does not add up. */
export const accumulated = (group: Group): Value => {
  const flow = moneyFlow(group);
  return group.node('accumulated', 0, 3, (slot) => {
    const sum = slot + 1;
    const rest = slot + 2;
    return (m) => {
      const added = at(m, flow.slot);
      const before = at(m, sum);
      const total = before + added;
      const part = total - before;
      m[rest] = at(m, rest) + (before - (total - part) + (added - part));
      m[sum] = total;
      m[slot] = total + at(m, rest);
    };
  });
};
