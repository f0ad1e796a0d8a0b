import { CLOSE, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { ema } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator('force_index', ({ length }: Args) => ({ length: length(13) }), {
  words: (of) => ['force index', of.length],
});

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'Force index',
  lines: { value: { label: 'Force index', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, { length }) => {
  const { bar } = group;
  const last = delay(group, price(group, 'close'), 1);
  const force = group.node('force', last.first, 1, (slot) => (m) => {
    m[slot] = (at(m, bar + CLOSE) - at(m, last.slot)) * at(m, bar + VOLUME);
  });
  return ema(group, force, length);
};

export const row: Row = {
  value: 'change of the close times volume, smoothed',
  formula: 'EMA of (close − last close) × volume',
  elsewhere:
    'TradingView is the same; the averages of other programs begin with the first value, which fades',
};
