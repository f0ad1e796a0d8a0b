import * as talib from 'talib-web';
import { compare, meanOf, rolling } from '../../../../support/indicator-references.ts';

compare('cci equals TA-Lib', {
  operand: (length) => ({ indicator: 'cci', length }),
  values: ({ high, low, close }, n) => talib.CCI({ high, low, close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('cci equals its formula', {
  operand: (length) => ({ indicator: 'cci', length }),
  values: ({ high, low, close }, n) =>
    rolling(
      high.map((top, bar) => (top + (low[bar] ?? 0) + (close[bar] ?? 0)) / 3),
      n,
      (window) => {
        const mean = meanOf(window);
        const width = meanOf(window.map((x) => Math.abs(x - mean)));
        return width === 0 ? 0 : ((window.at(-1) ?? 0) - mean) / (0.015 * width);
      },
    ),
  tolerance: 1e-6,
});
