import * as talib from 'talib-web';
import { compare, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('dema equals TA-Lib', {
  operand: (length) => ({ indicator: 'dema', length }),
  values: ({ close }, n) => talib.DEMA({ inReal: close, timePeriod: n }).output,
  begin: (n) => 2 * n - 2,
});

compare('dema equals its formula', {
  operand: (length) => ({ indicator: 'dema', length }),
  values: ({ close }, n) => zip(smoothed(close, n), smoothed(smoothed(close, n), n), (a, b) => 2 * a - b),
});
