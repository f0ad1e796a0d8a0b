import * as talib from 'talib-web';
import { compare, smoothed } from '../../../../support/indicator-references.ts';

compare('ema equals TA-Lib', {
  operand: (length) => ({ indicator: 'ema', length }),
  values: ({ close }, n) => talib.EMA({ inReal: close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('ema equals its formula', {
  operand: (length) => ({ indicator: 'ema', length }),
  values: ({ close }, n) => smoothed(close, n),
});

compare('ema its equals its formula from the first value', {
  operand: (length) => ({ indicator: 'ema', length, seed: 'first' }),
  values: ({ close }, n) => {
    let last = close[0] ?? 0;
    return close.map((value) => {
      last += (2 / (n + 1)) * (value - last);
      return last;
    });
  },
});
