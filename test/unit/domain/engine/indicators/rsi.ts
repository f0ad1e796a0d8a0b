import * as talib from 'talib-web';
import { compare, strengthOf } from '../../../../support/indicator-references.ts';

compare('rsi equals TA-Lib', {
  operand: (length) => ({ indicator: 'rsi', length }),
  values: ({ close }, n) => talib.RSI({ inReal: close, timePeriod: n }).output,
  begin: (n) => n,
});

compare('rsi equals its formula', {
  operand: (length) => ({ indicator: 'rsi', length }),
  values: ({ close }, n) => strengthOf(close, n),
});
