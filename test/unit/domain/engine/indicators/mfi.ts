import * as talib from 'talib-web';
import { MFI } from 'trading-signals';
import { candlesOf, compare } from '../../../../support/indicator-references.ts';

compare('mfi equals TA-Lib', {
  operand: (length) => ({ indicator: 'mfi', length }),
  values: ({ high, low, close, volume }, n) => talib.MFI({ high, low, close, volume, timePeriod: n }).output,
  begin: (n) => n,
});

compare('mfi equals trading-signals', {
  operand: (length) => ({ indicator: 'mfi', length }),
  values: (bars, n) => new MFI(n).updates(candlesOf(bars), false),
});
