import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { stddev } from './nodes/windows.ts';

export const declaration = indicator(
  'stddev',
  ({ length, source }: Args) => ({ length: length(20), source: source('close') }),
  { words: (of) => ['standard deviation', of.length, unusual(of.source)], scans: (of) => of.length },
);

export const labels: Labels<typeof declaration> = {
  group: 'statistics',
  label: 'Standard deviation',
  lines: { value: { label: 'Deviation', pane: 'own', usual: 1 } },
};

export const formula: Formula<typeof declaration> = (group, of) =>
  stddev(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'standard deviation',
  formula: 'square root of the mean squared distance from the average, divided by `length` (population)',
  elsewhere: 'TradingView is the same; spreadsheets often divide by one less',
};
