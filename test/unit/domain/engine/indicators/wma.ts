import * as talib from 'talib-web';
import { compare, rolling, weightedMeanOf } from '../../../../support/indicator-references.ts';

compare('wma equals TA-Lib', {
  operand: (length) => ({ indicator: 'wma', length }),
  values: ({ close }, n) => talib.WMA({ inReal: close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('wma equals its formula', {
  operand: (length) => ({ indicator: 'wma', length }),
  values: ({ close }, n) => rolling(close, n, weightedMeanOf),
});
