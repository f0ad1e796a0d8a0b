import { START, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { startsOf } from './nodes/periods.ts';
import { price } from './nodes/prices.ts';

const BANDS = { middle: 'VWAP', upper: 'upper VWAP band', lower: 'lower VWAP band' };

export const declaration = indicator(
  'anchored_vwap',
  ({ number, source, choice }: Args) => ({
    period: choice('day', 'week', 'month'),
    deviations: number(2, { above: 0, max: 100 }),
    source: source('hlc3'),
    output: choice('middle', 'upper', 'lower'),
  }),
  {
    words: (of) => [
      `${BANDS[of.output]} of the ${of.period}`,
      of.output === 'middle' ? undefined : of.deviations,
      unusual(of.source, 'hlc3'),
    ],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'Anchored VWAP with bands',
  lines: {
    middle: { label: 'VWAP', pane: 'price' },
    upper: { label: 'Upper band', pane: 'price' },
    lower: { label: 'Lower band', pane: 'price' },
  },
};

/** Sums weights, and moves mean and squared distances with each value, since sums of squares would cancel out. */
export const formula: Formula<typeof declaration> = (
  group,
  { period, deviations, source, output },
  periodsOf,
) => {
  const { bar } = group;
  const value = price(group, source);
  const startOf = startsOf(periodsOf, period);
  const line = group.node(`anchored-vwap:${value.slot}:${period}`, 0, 5, (slot) => {
    const start = slot + 1;
    const weights = slot + 2;
    const squares = slot + 3;
    const mean = slot + 4;
    return (m) => {
      const now = startOf(at(m, bar + START));
      m[slot] = Number.NaN;
      if (Number.isNaN(now)) return;
      if (now !== at(m, start)) {
        m[start] = now;
        m[weights] = 0;
        m[squares] = 0;
        m[mean] = 0;
      }
      const weight = at(m, bar + VOLUME);
      const all = at(m, weights) + weight;
      if (all === 0) return;
      const distance = at(m, value.slot) - at(m, mean);
      // The first value has no distance from the mean, which it makes.
      const isFirst = at(m, weights) === 0;
      m[mean] = at(m, mean) + (distance * weight) / all;
      if (!isFirst) m[squares] = at(m, squares) + weight * distance * (at(m, value.slot) - at(m, mean));
      m[weights] = all;
      m[slot] = at(m, mean);
    };
  });
  if (output === 'middle') return line;
  const factor = output === 'upper' ? deviations : -deviations;
  return group.node(`anchored-band:${line.slot}:${factor}`, 0, 1, (slot) => (m) => {
    m[slot] = at(m, line.slot) + factor * Math.sqrt(at(m, line.slot + 3) / at(m, line.slot + 2));
  });
};

export const row: Row = {
  value:
    'mean price weighted by volume since the day, week or month began: `period`; outputs `middle`, `upper`, `lower`',
  formula:
    'bands: ± `deviations` × standard deviation of the price, weighted by volume; missing outside of sessions and without volume',
  elsewhere: 'TradingView is the same, with 1 deviation by default',
};
