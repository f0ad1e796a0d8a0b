import { compare, rolling, sumOf, zip } from '../../../../support/indicator-references.ts';

compare('vwap of a window equals its formula', {
  operand: (length) => ({ indicator: 'vwap', length, source: 'close' }),
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

compare('vwap of a session equals its formula', {
  operand: () => ({ indicator: 'vwap', source: 'close' }),
  values: ({ close, volume }) => close.map((x, bar) => (volume[bar] === 0 ? Number.NaN : x)),
  tolerance: 1e-7,
});
