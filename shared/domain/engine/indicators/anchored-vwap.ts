import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { anchoredMean } from './nodes/anchored.ts';
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

export const formula: Formula<typeof declaration> = (
  group,
  { period, deviations, source, output },
  periodsOf,
) => {
  const line = anchoredMean(group, price(group, source), periodsOf, period);
  if (output === 'middle') return line;
  const factor = output === 'upper' ? deviations : -deviations;
  return group.node(`anchored-band:${line.slot}:${factor}`, 0, 1, (slot) => (m) => {
    m[slot] = at(m, line.slot) + factor * Math.sqrt(at(m, line.squares) / at(m, line.weights));
  });
};

export const row: Row = {
  value:
    'mean price weighted by volume since the day, week or month began: `period`; outputs `middle`, `upper`, `lower`',
  formula:
    'bands: ± `deviations` × standard deviation of the price, weighted by volume; missing outside of sessions and without volume',
  elsewhere: 'TradingView is the same, with 1 deviation by default',
};
