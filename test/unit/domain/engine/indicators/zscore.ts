import * as talib from 'talib-web';
import { compare, deviationOf, meanOf, rolling } from '../../../../support/indicator-references.ts';

compare('zscore equals its formula', {
  operand: (length) => ({ indicator: 'zscore', length }),
  values: ({ close }, n) =>
    rolling(close, n, (window) => {
      const width = deviationOf(window);
      return width < 1e-9 ? 0 : ((window.at(-1) ?? 0) - meanOf(window)) / width;
    }),
  tolerance: 1e-6,
});

compare('zscore equals TA-Lib’s average and variance', {
  operand: (length) => ({ indicator: 'zscore', length }),
  values: ({ close }, n) => {
    const average = talib.SMA({ inReal: close, timePeriod: n }).output;
    const variance = talib.VAR({ inReal: close, timePeriod: n, nbDev: 1 }).output;
    return average.map((mean, at) => {
      const deviation = Math.sqrt(Math.max(0, variance[at] ?? Number.NaN));
      return deviation < 1e-5 ? 0 : ((close[at + n - 1] ?? Number.NaN) - mean) / deviation;
    });
  },
  begin: (n) => n - 1,
  tolerance: 1e-4,
});
