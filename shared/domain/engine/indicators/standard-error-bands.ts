import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { combined } from './nodes/arithmetic.ts';
import { price } from './nodes/prices.ts';
import { regression } from './nodes/regression.ts';
import { sma } from './nodes/windows.ts';

export const declaration = indicator(
  'standard_error_bands',
  ({ length, number, source, choice }: Args) => ({
    length: length(21, { min: 3 }),
    deviations: number(2, { above: 0, max: 100 }),
    smooth: length(3),
    source: source('close'),
    output: choice('middle', 'upper', 'lower'),
  }),
  {
    words: (of) => [
      `${of.output} standard error band`,
      of.length,
      of.deviations,
      of.smooth,
      unusual(of.source),
    ],
    scans: (of) => (of.output === 'middle' ? undefined : of.length),
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'volatility',
  label: 'Standard error bands',
  lines: {
    middle: { label: 'Middle band', pane: 'price' },
    upper: { label: 'Upper band', pane: 'price' },
    lower: { label: 'Lower band', pane: 'price' },
  },
};

export const formula: Formula<typeof declaration> = (
  group,
  { length, deviations, smooth, source, output },
) => {
  const line = regression(group, price(group, source), length);
  const middle = sma(group, line.value(), smooth);
  if (output === 'middle') return middle;
  const width = deviations * (output === 'upper' ? 1 : -1);
  const error = sma(group, line.error(), smooth);
  return combined(group, `error-band:${width}`, [middle, error], (centre, each) => centre + width * each);
};

export const row: Row = {
  value: 'bands around the regression line by Andersen; outputs `middle`, `upper`, `lower`',
  formula:
    'end of the line ± `deviations` × standard error, √(squared distances from the line / (`length` − 2)); both are simple averages of `smooth` values',
};
