import * as talib from 'talib-web';
import { compare, rolling } from '../../../../support/indicator-references.ts';

compare('highest equals TA-Lib', {
  operand: (length) => ({ indicator: 'highest', length }),
  values: ({ high }, n) => talib.MAX({ inReal: high, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('highest equals its formula', {
  operand: (length) => ({ indicator: 'highest', length }),
  values: ({ high }, n) => rolling(high, n, (window) => Math.max(...window)),
});
