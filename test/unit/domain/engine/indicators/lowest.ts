import * as talib from 'talib-web';
import { compare, rolling } from '../../../../support/indicator-references.ts';

compare('lowest equals TA-Lib', {
  operand: (length) => ({ indicator: 'lowest', length }),
  values: ({ low }, n) => talib.MIN({ inReal: low, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('lowest equals its formula', {
  operand: (length) => ({ indicator: 'lowest', length }),
  values: ({ low }, n) => rolling(low, n, (window) => Math.min(...window)),
});
