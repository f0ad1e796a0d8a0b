import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference, ratio } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { extreme } from './nodes/windows.ts';

export const declaration = indicator('williams_r', ({ length }: Args) => ({ length: length(14) }), {
  words: (of) => ['Williams %R', of.length],
});

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'Williams %R',
  lines: { value: { label: '%R', pane: 'own', usual: -80 } },
};

export const formula: Formula<typeof declaration> = (group, { length }) => {
  const top = extreme(group, price(group, 'high'), length, 1);
  const bottom = extreme(group, price(group, 'low'), length, -1);
  const below = difference(group, top, price(group, 'close'));
  return ratio(group, [below, difference(group, top, bottom)], -100);
};

export const row: Row = {
  value: 'place of the close within the range, -100 to 0',
  formula: '−100 × (highest high − close) / (highest high − lowest low); 0 without a range',
  elsewhere: 'TA-Lib is the same',
};
