import * as talib from 'talib-web';
import { compare, rolling, sumOf, trueRanges, zip } from '../../../../support/indicator-references.ts';

compare('ultimate_oscillator equals TA-Lib', {
  operand: (length) => ({
    indicator: 'ultimate_oscillator',
    fast: length,
    medium: length + 7,
    slow: length + 14,
  }),
  values: ({ high, low, close }, n) =>
    talib.ULTOSC({ high, low, close, timePeriod1: n, timePeriod2: n + 7, timePeriod3: n + 14 }).output,
  begin: (n) => n + 14,
});

compare('ultimate_oscillator equals its formula', {
  operand: (length) => ({
    indicator: 'ultimate_oscillator',
    fast: length,
    medium: length + 7,
    slow: length + 14,
  }),
  values: (bars, n) => {
    const { low, close } = bars;
    const pressure = close.map((x, bar) => x - Math.min(low[bar] ?? 0, close[bar - 1] ?? Number.NaN));
    const part = (length: number) =>
      zip(rolling(pressure, length, sumOf), rolling(trueRanges(bars), length, sumOf), (a, b) =>
        b === 0 ? 0 : a / b,
      );
    const [a, b, c] = [part(n), part(n + 7), part(n + 14)];
    return close.map((_, bar) => (100 * (4 * (a[bar] ?? 0) + 2 * (b[bar] ?? 0) + (c[bar] ?? 0))) / 7);
  },
});
