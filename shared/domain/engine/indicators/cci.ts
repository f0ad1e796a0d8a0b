import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { meanDeviation, sma } from './nodes/windows.ts';

export const declaration = indicator(
  'cci',
  ({ length, source }: Args) => ({ length: length(20), source: source('hlc3') }),
  { words: (of) => ['CCI', of.length, unusual(of.source, 'hlc3')], scans: (of) => of.length },
);

export const labels: Labels<typeof declaration> = {
  group: 'momentum',
  label: 'CCI',
  lines: { value: { label: 'CCI', pane: 'own', usual: 100 } },
};

/** Factor with which most values of the index are between -100 and 100. */
const LAMBERT = 0.015;

export const formula: Formula<typeof declaration> = (group, of) => {
  const value = price(group, of.source);
  const mean = sma(group, value, of.length);
  const deviation = meanDeviation(group, value, of.length);
  return group.node(`cci:${value.slot}:${of.length}`, mean.first, 1, (slot) => (m) => {
    const width = LAMBERT * at(m, deviation.slot);
    m[slot] = width === 0 ? 0 : (at(m, value.slot) - at(m, mean.slot)) / width;
  });
};

export const row: Row = {
  value: 'commodity channel index',
  formula: '(value − average) / (0.015 × mean distance from the average); 0 if the window does not move',
};
