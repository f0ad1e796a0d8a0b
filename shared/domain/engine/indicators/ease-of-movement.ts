import { HIGH, LOW, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { delay, sma } from './nodes/windows.ts';

export const declaration = indicator(
  'ease_of_movement',
  ({ length, number }: Args) => ({ length: length(14), divisor: number(10_000, { above: 0 }) }),
  { words: (of) => ['ease of movement', of.length, of.divisor] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'Ease of movement',
  lines: { value: { label: 'Ease of movement', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, { length, divisor }) => {
  const { bar } = group;
  const middle = price(group, 'hl2');
  const last = delay(group, middle, 1);
  const ease = group.node(`ease:${divisor}`, last.first, 1, (slot) => (m) => {
    const volume = at(m, bar + VOLUME);
    const move = (at(m, middle.slot) - at(m, last.slot)) * (at(m, bar + HIGH) - at(m, bar + LOW));
    m[slot] = volume === 0 ? 0 : (move * divisor) / volume;
  });
  return sma(group, ease, length);
};

export const row: Row = {
  value: 'movement for little volume: above 0 in an easy rise',
  formula:
    'simple average of (hl2 − last hl2) × (high − low) × `divisor` / volume; a bar without volume counts as 0',
  elsewhere:
    'TradingView is the same, but has no value after a bar without volume; others use a divisor of 100,000,000',
};
