import * as talib from 'talib-web';
import { compare } from '../../../../support/indicator-references.ts';

compare('adx adx equals TA-Lib', {
  operand: (length) => ({ indicator: 'adx', length, output: 'adx' }),
  values: ({ high, low, close }, n) => talib.ADX({ high, low, close, timePeriod: n }).output,
  lengths: { min: 5, max: 14 },
  settled: 300,
  tolerance: 1e-6,
  begin: (n) => 2 * n - 1,
});

compare('adx plus_di equals TA-Lib', {
  operand: (length) => ({ indicator: 'adx', length, output: 'plus_di' }),
  values: ({ high, low, close }, n) => talib.PLUS_DI({ high, low, close, timePeriod: n }).output,
  lengths: { min: 5, max: 14 },
  settled: 300,
  tolerance: 1e-6,
  begin: (n) => n,
});

compare('adx minus_di equals TA-Lib', {
  operand: (length) => ({ indicator: 'adx', length, output: 'minus_di' }),
  values: ({ high, low, close }, n) => talib.MINUS_DI({ high, low, close, timePeriod: n }).output,
  lengths: { min: 5, max: 14 },
  settled: 300,
  tolerance: 1e-6,
  begin: (n) => n,
});
