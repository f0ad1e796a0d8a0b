import * as talib from 'talib-web';
import { compare, lineOf, rolling, sumOf } from '../../../../support/indicator-references.ts';

compare('linreg equals TA-Lib', {
  operand: (length) => ({ indicator: 'linreg', length }),
  values: ({ close }, n) => talib.LINEARREG({ inReal: close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('linreg slope equals TA-Lib', {
  operand: (length) => ({ indicator: 'linreg', length, output: 'slope' }),
  values: ({ close }, n) => talib.LINEARREG_SLOPE({ inReal: close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('linreg equals its formula', {
  operand: (length) => ({ indicator: 'linreg', length }),
  values: ({ close }, n) =>
    rolling(close, n, (window) => {
      return lineOf(window).end;
    }),
});

compare('linreg slope equals its formula', {
  operand: (length) => ({ indicator: 'linreg', length, output: 'slope' }),
  values: ({ close }, n) =>
    rolling(close, n, (window) => {
      return lineOf(window).slope;
    }),
});

compare('linreg R² equals its formula', {
  operand: (length) => ({ indicator: 'linreg', length, output: 'r_squared' }),
  values: ({ close }, n) =>
    rolling(close, n, (window) => {
      const { mean, rest } = lineOf(window);
      const all = sumOf(window.map((y) => (y - mean) ** 2));
      return all < 1e-15 ? 0 : 1 - rest / all;
    }),
  tolerance: 1e-6,
});
