import * as talib from 'talib-web';
import { compare, lag, zip } from '../../../../support/indicator-references.ts';

compare('momentum equals TA-Lib', {
  operand: (length) => ({ indicator: 'momentum', length }),
  values: ({ close }, n) => talib.MOM({ inReal: close, timePeriod: n }).output,
  begin: (n) => n,
});

compare('momentum equals its formula', {
  operand: (length) => ({ indicator: 'momentum', length }),
  values: ({ close }, n) => zip(close, lag(close, n), (a, b) => a - b),
});
