import { BollingerBands } from 'trading-signals';
import { compare, deviationOf, meanOf, rolling } from '../../../../support/indicator-references.ts';

compare('bollinger upper equals its formula', {
  operand: (length) => ({ indicator: 'bollinger', length, deviations: 2.5, output: 'upper' }),
  values: ({ close }, n) => rolling(close, n, (window) => meanOf(window) + 2.5 * deviationOf(window)),
  tolerance: 1e-7,
});

compare('bollinger lower equals its formula', {
  operand: (length) => ({ indicator: 'bollinger', length, deviations: 2.5, output: 'lower' }),
  values: ({ close }, n) => rolling(close, n, (window) => meanOf(window) - 2.5 * deviationOf(window)),
  tolerance: 1e-7,
});

compare('bollinger middle equals its formula', {
  operand: (length) => ({ indicator: 'bollinger', length, deviations: 2.5, output: 'middle' }),
  values: ({ close }, n) => rolling(close, n, (window) => meanOf(window) + 0 * 2.5 * deviationOf(window)),
  tolerance: 1e-7,
});

compare('bollinger lower equals trading-signals', {
  operand: (length) => ({ indicator: 'bollinger', length, deviations: 2.5, output: 'lower' }),
  values: ({ close }, n) => new BollingerBands(n, 2.5).updates(close, false).map((band) => band?.lower),
  tolerance: 1e-7,
});
