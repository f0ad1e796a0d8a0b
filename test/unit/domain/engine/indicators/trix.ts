import * as talib from 'talib-web';
import { compare, lag, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('trix equals TA-Lib', {
  operand: (length) => ({ indicator: 'trix', length }),
  values: ({ close }, n) => talib.TRIX({ inReal: close, timePeriod: n }).output,
  begin: (n) => 3 * n - 2,
});

compare('trix signal equals its formula', {
  operand: (length) => ({ indicator: 'trix', length, signal: 5, output: 'signal' }),
  values: ({ close }, n) => {
    const line = smoothed(smoothed(smoothed(close, n), n), n);
    return smoothed(
      zip(line, lag(line, 1), (a, b) => (100 * (a - b)) / b),
      5,
    );
  },
});
