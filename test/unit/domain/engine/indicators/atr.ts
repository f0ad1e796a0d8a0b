import * as talib from 'talib-web';
import { compare, smoothed, trueRanges } from '../../../../support/indicator-references.ts';

compare('atr equals TA-Lib', {
  operand: (length) => ({ indicator: 'atr', length, first_bar: 'skipped' }),
  values: ({ high, low, close }, n) => talib.ATR({ high, low, close, timePeriod: n }).output,
  begin: (n) => n,
});

compare('atr equals its formula', {
  operand: (length) => ({ indicator: 'atr', length }),
  values: (bars, n) =>
    smoothed([(bars.high[0] ?? 0) - (bars.low[0] ?? 0), ...trueRanges(bars).slice(1)], n, 1 / n),
});
