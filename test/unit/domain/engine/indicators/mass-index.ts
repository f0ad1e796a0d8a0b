import { MassIndex } from 'trading-signals';
import {
  candlesOf,
  compare,
  rolling,
  smoothed,
  sumOf,
  zip,
} from '../../../../support/indicator-references.ts';

compare('mass_index equals its formula', {
  operand: (length) => ({ indicator: 'mass_index', length, smooth: 9 }),
  values: ({ high, low }, n) => {
    const one = smoothed(
      zip(high, low, (a, b) => a - b),
      9,
    );
    return rolling(
      zip(one, smoothed(one, 9), (a, b) => (b === 0 ? 1 : a / b)),
      n,
      sumOf,
    );
  },
  tolerance: 1e-7,
});

compare('mass_index equals trading-signals', {
  operand: (length) => ({ indicator: 'mass_index', length, smooth: 9 }),
  values: (bars, n) => new MassIndex(n).updates(candlesOf(bars), false),
  settled: 300,
});
