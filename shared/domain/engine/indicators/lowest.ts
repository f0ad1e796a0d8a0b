import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { extreme } from './nodes/windows.ts';

export const declaration = indicator(
  'lowest',
  ({ length, source }: Args) => ({ length: length(20), source: source('low') }),
  { words: (of) => [`lowest ${of.source}`, of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Lowest of bars',
  lines: { value: { label: 'Lowest', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  extreme(group, price(group, of.source), of.length, -1);

export const row: Row = {
  value: 'lowest value of the last bars, this one included',
  formula: 'the bar of the evaluation counts',
};
