import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { regression } from './nodes/regression.ts';

const NAMES = { value: 'linear regression', slope: 'regression slope', r_squared: 'regression R²' };

export const declaration = indicator(
  'linreg',
  ({ length, source, choice }: Args) => ({
    length: length(14, { min: 2 }),
    source: source('close'),
    output: choice('value', 'slope', 'r_squared'),
  }),
  {
    words: (of) => [NAMES[of.output], of.length, unusual(of.source)],
    scans: (of) => (of.output === 'r_squared' ? of.length : undefined),
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'statistics',
  label: 'Linear regression',
  lines: {
    value: { label: 'End of the line', pane: 'price' },
    slope: { label: 'Slope', pane: 'own', usual: 0 },
    r_squared: { label: 'R²', pane: 'own', usual: 0.5 },
  },
};

export const formula: Formula<typeof declaration> = (group, { length, source, output }) =>
  regression(group, price(group, source), length)[output]();

export const row: Row = {
  value:
    'line of least squares through the last values; outputs `value` (its end), `slope` (a bar), `r_squared` (0 to 1)',
  formula: 'least squares over bars 1 to `length`; `r_squared` is 0 if the window does not move',
  elsewhere: 'TradingView and TA-Lib have the same `value`',
};
