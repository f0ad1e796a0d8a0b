import { vortex } from 'indicatorts';
import { compare, lag, rolling, sumOf, trueRanges, zip } from '../../../../support/indicator-references.ts';

compare('vortex plus equals its formula', {
  operand: (length) => ({ indicator: 'vortex', length, output: 'plus' }),
  values: (bars, n) =>
    zip(
      rolling(
        zip(bars.high, lag(bars.low, 1), (a, b) => Math.abs(a - b)),
        n,
        sumOf,
      ),
      rolling(trueRanges(bars), n, sumOf),
      (a, b) => (b === 0 ? 0 : a / b),
    ),
  tolerance: 1e-7,
});

compare('vortex minus equals its formula', {
  operand: (length) => ({ indicator: 'vortex', length, output: 'minus' }),
  values: (bars, n) =>
    zip(
      rolling(
        zip(bars.low, lag(bars.high, 1), (a, b) => Math.abs(a - b)),
        n,
        sumOf,
      ),
      rolling(trueRanges(bars), n, sumOf),
      (a, b) => (b === 0 ? 0 : a / b),
    ),
  tolerance: 1e-7,
});

compare('vortex plus equals indicatorts', {
  operand: (length) => ({ indicator: 'vortex', length }),
  values: ({ high, low, close }, n) => vortex(high, low, close, { period: n }).plus,
  settled: 70,
  tolerance: 1e-7,
});
