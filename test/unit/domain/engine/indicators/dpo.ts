import * as talib from 'talib-web';
import { compare, lag, meanOf, rolling, zip } from '../../../../support/indicator-references.ts';

compare('dpo equals its formula', {
  operand: (length) => ({ indicator: 'dpo', length }),
  values: ({ close }, n) =>
    zip(close, lag(rolling(close, n, meanOf), Math.floor(n / 2) + 1), (a, b) => a - b),
});

compare('dpo equals TA-Lib’s average', {
  operand: (length) => ({ indicator: 'dpo', length }),
  values: ({ close }, n) => {
    const average = talib.SMA({ inReal: close, timePeriod: n }).output;
    return close.map((price, bar) => price - (average[bar - n - Math.floor(n / 2)] ?? Number.NaN));
  },
});
