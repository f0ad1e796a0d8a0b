import * as talib from 'talib-web';
import { KAMA } from 'trading-signals';
import { compare } from '../../../../support/indicator-references.ts';

compare('kama equals TA-Lib', {
  operand: (length) => ({ indicator: 'kama', length }),
  values: ({ close }, n) => talib.KAMA({ inReal: close, timePeriod: n }).output,
  begin: (n) => n,
});

compare('kama equals trading-signals', {
  operand: (length) => ({ indicator: 'kama', length }),
  values: ({ close }, n) => new KAMA(n).updates(close, false),
  settled: 60,
});
