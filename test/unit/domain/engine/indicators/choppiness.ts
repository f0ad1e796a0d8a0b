import * as talib from 'talib-web';
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

compare('choppiness equals TA-Lib’s ranges', {
  operand: (length) => ({ indicator: 'choppiness', length }),
  values: ({ high, low, close }, n) => {
    const ranges = talib.TRANGE({ high, low, close }).output;
    const path = talib.SUM({ inReal: ranges, timePeriod: n }).output;
    const top = talib.MAX({ inReal: high, timePeriod: n }).output;
    const bottom = talib.MIN({ inReal: low, timePeriod: n }).output;
    return path.map((way, at) => {
      const width = (top[at + 1] ?? Number.NaN) - (bottom[at + 1] ?? Number.NaN);
      return width === 0 ? 100 : (100 * Math.log10(way / width)) / Math.log10(n);
    });
  },
  begin: (n) => n,
  settled: 60,
});
