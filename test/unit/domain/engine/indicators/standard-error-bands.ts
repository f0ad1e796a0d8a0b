import * as talib from 'talib-web';
import { compare, lineOf, meanOf, rolling } from '../../../../support/indicator-references.ts';

for (const [output, factor] of [
  ['middle', 0],
  ['upper', 2.5],
  ['lower', -2.5],
] as const) {
  compare(`standard_error_bands ${output} equals its formula`, {
    operand: (length) => ({ indicator: 'standard_error_bands', length, deviations: 2.5, smooth: 4, output }),
    values: ({ close }, n) =>
      rolling(
        rolling(close, n, (window) => {
          const { end, rest } = lineOf(window);
          return factor === 0 ? end : end + factor * Math.sqrt(rest / (window.length - 2));
        }),
        4,
        meanOf,
      ),
    tolerance: 1e-7,
  });
}

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
