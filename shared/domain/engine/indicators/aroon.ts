import type { Value } from '../group.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference, mapped } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { extremeAge } from './nodes/windows.ts';

export const declaration = indicator(
  'aroon',
  ({ length, choice }: Args) => ({ length: length(14), output: choice('up', 'down', 'oscillator') }),
  { words: (of) => [`Aroon ${of.output}`, of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'trend',
  label: 'Aroon',
  lines: {
    up: { label: 'Up', pane: 'own', usual: 70 },
    down: { label: 'Down', pane: 'own', usual: 70 },
    oscillator: { label: 'Oscillator', pane: 'own', usual: 0 },
  },
};

export const formula: Formula<typeof declaration> = (group, { length, output }) => {
  const line = (name: 'high' | 'low', sign: 1 | -1): Value =>
    mapped(
      group,
      `aroon:${length}`,
      extremeAge(group, price(group, name), length + 1, sign),
      (bars) => (100 * (length - bars)) / length,
    );
  if (output === 'up') return line('high', 1);
  return output === 'down' ? line('low', -1) : difference(group, line('high', 1), line('low', -1));
};

export const row: Row = {
  value: 'bars since the extremes, 0 to 100; outputs `up`, `down`, `oscillator` (up − down)',
  formula:
    '100 × (`length` − bars since the highest high or lowest low of `length` + 1 bars) / `length`; of equal extremes the last counts',
  elsewhere: 'TA-Lib is the same',
};
