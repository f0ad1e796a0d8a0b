import { compare, rolling, sumOf, trueRanges, zip } from '../../../../support/indicator-references.ts';

compare('choppiness equals its formula', {
  operand: (length) => ({ indicator: 'choppiness', length }),
  values: (bars, n) => {
    const { high, low } = bars;
    const ranges = [(high[0] ?? 0) - (low[0] ?? 0), ...trueRanges(bars).slice(1)];
    const width = zip(
      rolling(high, n, (w) => Math.max(...w)),
      rolling(low, n, (w) => Math.min(...w)),
      (a, b) => a - b,
    );
    return zip(rolling(ranges, n, sumOf), width, (a, b) =>
      b === 0 ? 100 : (100 * Math.log10(a / b)) / Math.log10(n),
    );
  },
});
