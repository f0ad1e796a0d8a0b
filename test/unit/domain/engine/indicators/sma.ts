import * as talib from 'talib-web';
import { compare, meanOf, rolling } from '../../../../support/indicator-references.ts';

compare('sma equals TA-Lib', {
  operand: (length) => ({ indicator: 'sma', length }),
  values: ({ close }, n) => talib.SMA({ inReal: close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('sma equals its formula', {
  operand: (length) => ({ indicator: 'sma', length }),
  values: ({ close }, n) => rolling(close, n, meanOf),
});
