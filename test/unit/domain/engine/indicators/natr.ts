import * as talib from 'talib-web';
import { NATR } from 'trading-signals';
import { candlesOf, compare } from '../../../../support/indicator-references.ts';

const operand = (length: number) => ({ indicator: 'natr', length });

compare('natr equals trading-signals', {
  operand,
  values: (bars, n) => new NATR(n).updates(candlesOf(bars), false),
});

compare('natr equals TA-Lib', {
  operand,
  values: ({ high, low, close }, n) => talib.NATR({ high, low, close, timePeriod: n }).output,
  begin: (n) => n,
  lengths: { min: 5, max: 14 },
  settled: 300,
  tolerance: 1e-6,
});
