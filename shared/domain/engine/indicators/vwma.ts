import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { weightedByVolume } from './nodes/volumes.ts';

export const declaration = indicator(
  'vwma',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['VWMA', of.length, unusual(of.source)] },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'VWMA, average weighted by volume',
  lines: { value: { label: 'VWMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  weightedByVolume(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'moving average weighted by volume',
  formula: 'sum of value × volume / sum of volume; missing without volume',
};
