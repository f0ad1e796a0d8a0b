import { vwma } from 'indicatorts';
import { compare, rolling, sumOf, zip } from '../../../../support/indicator-references.ts';

compare('vwma equals its formula', {
  operand: (length) => ({ indicator: 'vwma', length }),
  values: ({ close, volume }, n) =>
    zip(
      rolling(
        zip(close, volume, (a, b) => a * b),
        n,
        sumOf,
      ),
      rolling(volume, n, sumOf),
      (money, traded) => money / traded,
    ),
  tolerance: 1e-7,
});

compare('vwma equals indicatorts', {
  operand: (length) => ({ indicator: 'vwma', length }),
  values: ({ close, volume }, n) => vwma(close, volume, { period: n }),
  tolerance: 1e-7,
  settled: 60,
});
