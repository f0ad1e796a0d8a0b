import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { periodValue } from './nodes/periods.ts';

export const declaration = indicator(
  'period_before',
  ({ choice }: Args) => ({
    period: choice('day', 'week', 'month'),
    output: choice('high', 'low', 'open', 'close'),
  }),
  { words: (of) => [`${of.output} of the ${of.period} before`] },
);

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Day, week or month before',
  lines: {
    high: { label: 'High', pane: 'price' },
    low: { label: 'Low', pane: 'price' },
    open: { label: 'Open', pane: 'price' },
    close: { label: 'Close', pane: 'price' },
  },
};

export const formula: Formula<typeof declaration> = (group, { period, output }, periodsOf) =>
  periodValue(group, periodsOf, period, `before:${output}`, (m, { before }) => at(m, before[output]));

export const row: Row = {
  value: 'prices of the day, week or month before: `period`; outputs `high`, `low`, `open`, `close`',
  formula: 'days are sessions of the exchange; weeks of crypto run from Monday to Sunday',
};
