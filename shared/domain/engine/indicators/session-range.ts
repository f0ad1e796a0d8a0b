import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { periodValue } from './nodes/periods.ts';

export const declaration = indicator(
  'session_range',
  ({ choice }: Args) => ({ output: choice('high', 'low', 'open') }),
  { words: (of) => [`${of.output} of the session`] },
);

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Session so far',
  lines: {
    high: { label: 'High', pane: 'price' },
    low: { label: 'Low', pane: 'price' },
    open: { label: 'Open', pane: 'price' },
  },
};

export const formula: Formula<typeof declaration> = (group, { output }, periodsOf) =>
  periodValue(group, periodsOf, 'day', `session:${output}`, (m, { now }) => at(m, now[output]));

export const row: Row = {
  value: 'high, low or open of the session so far; outputs `high`, `low`, `open`',
  formula: 'the bar of the evaluation counts: for a breakout compare with `"ago": 1`',
};
