import { HMA } from 'trading-signals';
import { compare, rolling, weightedMeanOf, zip } from '../../../../support/indicator-references.ts';

compare('hma equals its formula', {
  operand: (length) => ({ indicator: 'hma', length }),
  values: ({ close }, n) =>
    rolling(
      zip(
        rolling(close, Math.floor(n / 2), weightedMeanOf),
        rolling(close, n, weightedMeanOf),
        (a, b) => 2 * a - b,
      ),
      Math.floor(Math.sqrt(n)),
      weightedMeanOf,
    ),
});

compare('hma equals trading-signals', {
  operand: (length) => ({ indicator: 'hma', length }),
  values: ({ close }, n) => new HMA(n).updates(close, false),
});
