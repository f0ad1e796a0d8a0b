import * as talib from 'talib-web';
import { compare, lag, zip } from '../../../../support/indicator-references.ts';

compare('roc equals TA-Lib', {
  operand: (length) => ({ indicator: 'roc', length }),
  values: ({ close }, n) => talib.ROC({ inReal: close, timePeriod: n }).output,
  begin: (n) => n,
});

compare('roc equals its formula', {
  operand: (length) => ({ indicator: 'roc', length }),
  values: ({ close }, n) => zip(close, lag(close, n), (now, before) => (100 * (now - before)) / before),
});
