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
