import type { Group, Value } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { sma, stddev } from './nodes/windows.ts';

export const declaration = indicator(
  'bollinger',
  ({ length, number, source, choice }: Args) => ({
    length: length(20),
    deviations: number(2, { above: 0, max: 100 }),
    source: source('close'),
    output: choice('middle', 'upper', 'lower'),
  }),
  {
    words: (of) => [`${of.output} Bollinger band`, of.length, of.deviations, unusual(of.source)],
    scans: (of) => (of.output === 'middle' ? undefined : of.length),
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'Bollinger bands',
  lines: {
    middle: { label: 'Middle band', pane: 'price' },
    upper: { label: 'Upper band', pane: 'price' },
    lower: { label: 'Lower band', pane: 'price' },
  },
};

/** Returns a Bollinger band: the average plus some standard deviations. */
const band = (group: Group, value: Value, length: number, deviations: number): Value => {
  const middle = sma(group, value, length);
  if (deviations === 0) return middle;
  const width = stddev(group, value, length);
  return group.node(`band:${value.slot}:${length}:${deviations}`, middle.first, 1, (slot) => (m) => {
    m[slot] = at(m, middle.slot) + deviations * at(m, width.slot);
  });
};

export const formula: Formula<typeof declaration> = (
  group,
  { length: bars, deviations, source: of, output },
) => {
  const sign = output === 'upper' ? 1 : -1;
  return band(group, price(group, of), bars, output === 'middle' ? 0 : sign * deviations);
};

export const row: Row = {
  value: 'bands around the simple average; outputs `middle`, `upper`, `lower`',
  formula: 'average ± `deviations` × standard deviation, which divides by `length` (population)',
  elsewhere: 'TradingView is the same; spreadsheets often divide by one less',
};
