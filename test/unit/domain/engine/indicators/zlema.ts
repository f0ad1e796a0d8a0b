import { ZLEMA } from 'trading-signals';
import { compare, lag, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('zlema equals its formula', {
  operand: (length) => ({ indicator: 'zlema', length }),
  values: ({ close }, n) =>
    smoothed(
      zip(close, lag(close, Math.floor((n - 1) / 2)), (a, b) => 2 * a - b),
      n,
    ),
});

compare('zlema equals trading-signals', {
  operand: (length) => ({ indicator: 'zlema', length }),
  values: ({ close }, n) => new ZLEMA(n).updates(close, false),
  settled: 300,
  lengths: { min: 5, max: 14 },
});
