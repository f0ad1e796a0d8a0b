import { ForceIndex } from 'trading-signals';
import { candlesOf, compare, lag, smoothed, zip } from '../../../../support/indicator-references.ts';

const operand = (length: number) => ({ indicator: 'force_index', length });

compare('force_index equals its formula', {
  operand,
  values: ({ close, volume }, n) =>
    smoothed(
      zip(
        zip(close, lag(close, 1), (now, before) => now - before),
        volume,
        (change, traded) => change * traded,
      ),
      n,
    ),
  tolerance: 1e-6,
});

compare('force_index equals trading-signals', {
  operand,
  values: (bars, n) => new ForceIndex(n).updates(candlesOf(bars), false),
  lengths: { min: 5, max: 14 },
  settled: 350,
  tolerance: 1e-3,
});
