import { SuperTrend } from 'trading-signals';
import { candlesOf, compare } from '../../../../support/indicator-references.ts';

compare('supertrend equals trading-signals', {
  operand: (length) => ({ indicator: 'supertrend', length, multiple: 3 }),
  values: (bars, n) =>
    new SuperTrend({ interval: n, multiplier: 3 })
      .updates(candlesOf(bars), false)
      .map((each) => each?.supertrend),
  settled: 300,
  lengths: { min: 5, max: 14 },
  tolerance: 1e-6,
});
