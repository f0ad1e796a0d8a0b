import { BollingerBands } from 'trading-signals';
import { compare, deviationOf, rolling } from '../../../../support/indicator-references.ts';

compare('stddev equals its formula', {
  operand: (length) => ({ indicator: 'stddev', length }),
  values: ({ close }, n) => rolling(close, n, deviationOf),
  tolerance: 1e-7,
});

compare('stddev equals trading-signals', {
  operand: (length) => ({ indicator: 'bollinger', length, deviations: 1, output: 'upper' }),
  values: ({ close }, n) => new BollingerBands(n, 1).updates(close, false).map((band) => band?.upper),
  tolerance: 1e-7,
});
