import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { anchoredMean } from './nodes/anchored.ts';
import { price } from './nodes/prices.ts';
import { weightedByVolume } from './nodes/volumes.ts';

export const declaration = indicator(
  'vwap',
  ({ optionalLength, source }: Args) => ({ length: optionalLength(), source: source('hlc3') }),
  {
    words: (of) => [of.length === undefined ? 'session VWAP' : 'VWAP', of.length, unusual(of.source, 'hlc3')],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'VWAP',
  lines: { value: { label: 'VWAP', pane: 'price' } },
  argLabels: { length: 'Bars (none: session)' },
};

export const formula: Formula<typeof declaration> = (group, of, periodsOf) =>
  of.length === undefined
    ? anchoredMean(group, price(group, of.source), periodsOf, 'day')
    : weightedByVolume(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'mean price weighted by volume since the session began; with a `length`, of the last bars',
  formula: 'sum of price × volume / sum of volume; missing without volume',
};
