import * as talib from 'talib-web';
import { compare, meanOf, rolling, sumOf } from '../../../../support/indicator-references.ts';

compare('standard_error_bands middle equals its formula', {
  operand: (length) => ({
    indicator: 'standard_error_bands',
    length,
    deviations: 2.5,
    smooth: 4,
    output: 'middle',
  }),
  values: ({ close }, n) =>
    rolling(
      rolling(close, n, (window) => {
        const n = window.length;
        const x = (n - 1) / 2;
        const mean = meanOf(window);
        const slope =
          sumOf(window.map((y, i) => (i - x) * (y - mean))) / sumOf(window.map((_, i) => (i - x) ** 2));
        return mean + slope * x;
      }),
      4,
      meanOf,
    ),
  tolerance: 1e-7,
});

compare('standard_error_bands upper equals its formula', {
  operand: (length) => ({
    indicator: 'standard_error_bands',
    length,
    deviations: 2.5,
    smooth: 4,
    output: 'upper',
  }),
  values: ({ close }, n) =>
    rolling(
      rolling(close, n, (window) => {
        const n = window.length;
        const x = (n - 1) / 2;
        const mean = meanOf(window);
        const slope =
          sumOf(window.map((y, i) => (i - x) * (y - mean))) / sumOf(window.map((_, i) => (i - x) ** 2));
        const error = Math.sqrt(sumOf(window.map((y, i) => (y - mean - slope * (i - x)) ** 2)) / (n - 2));
        return mean + slope * x + 2.5 * error;
      }),
      4,
      meanOf,
    ),
  tolerance: 1e-7,
});

compare('standard_error_bands lower equals its formula', {
  operand: (length) => ({
    indicator: 'standard_error_bands',
    length,
    deviations: 2.5,
    smooth: 4,
    output: 'lower',
  }),
  values: ({ close }, n) =>
    rolling(
      rolling(close, n, (window) => {
        const n = window.length;
        const x = (n - 1) / 2;
        const mean = meanOf(window);
        const slope =
          sumOf(window.map((y, i) => (i - x) * (y - mean))) / sumOf(window.map((_, i) => (i - x) ** 2));
        const error = Math.sqrt(sumOf(window.map((y, i) => (y - mean - slope * (i - x)) ** 2)) / (n - 2));
        return mean + slope * x - 2.5 * error;
      }),
      4,
      meanOf,
    ),
  tolerance: 1e-7,
});

compare('standard_error_bands upper equals TA-Lib’s line, deviation and correlation', {
  operand: (length) => ({
    indicator: 'standard_error_bands',
    length,
    deviations: 2.5,
    smooth: 1,
    output: 'upper',
  }),
  values: ({ close }, n) => {
    const line = talib.LINEARREG({ inReal: close, timePeriod: n }).output;
    const variance = talib.VAR({ inReal: close, timePeriod: n, nbDev: 1 }).output;
    const bars = close.map((_, bar) => bar);
    const shared = talib.CORREL({ inReal0: close, inReal1: bars, timePeriod: n }).output;
    return line.map((end, at) => {
      const rest = (variance[at] ?? Number.NaN) * (1 - (shared[at] ?? Number.NaN) ** 2);
      return end + 2.5 * Math.sqrt((Math.max(0, rest) * n) / (n - 2));
    });
  },
  begin: (n) => n - 1,
  tolerance: 1e-4,
});
