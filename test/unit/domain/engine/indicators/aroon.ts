import * as talib from 'talib-web';
import { compare, rolling } from '../../../../support/indicator-references.ts';

compare('aroon up equals TA-Lib', {
  operand: (length) => ({ indicator: 'aroon', length, output: 'up' }),
  values: ({ high, low }, n) => talib.AROON({ high, low, timePeriod: n }).aroonUp,
  begin: (n) => n,
});

compare('aroon up equals its formula', {
  operand: (length) => ({ indicator: 'aroon', length, output: 'up' }),
  values: ({ high }, n) => rolling(high, n + 1, (w) => (100 * w.lastIndexOf(Math.max(...w))) / n),
});

compare('aroon down equals TA-Lib', {
  operand: (length) => ({ indicator: 'aroon', length, output: 'down' }),
  values: ({ high, low }, n) => talib.AROON({ high, low, timePeriod: n }).aroonDown,
  begin: (n) => n,
});

compare('aroon down equals its formula', {
  operand: (length) => ({ indicator: 'aroon', length, output: 'down' }),
  values: ({ low }, n) => rolling(low, n + 1, (w) => (100 * w.lastIndexOf(Math.min(...w))) / n),
});

compare('aroon oscillator equals TA-Lib', {
  operand: (length) => ({ indicator: 'aroon', length, output: 'oscillator' }),
  values: ({ high, low }, n) => talib.AROONOSC({ high, low, timePeriod: n }).output,
  begin: (n) => n,
});
