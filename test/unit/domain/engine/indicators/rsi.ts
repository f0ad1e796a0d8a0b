import * as talib from 'talib-web';
import { compare, lag, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('rsi equals TA-Lib', {
  operand: (length) => ({ indicator: 'rsi', length }),
  values: ({ close }, n) => talib.RSI({ inReal: close, timePeriod: n }).output,
  begin: (n) => n,
});

compare('rsi equals its formula', {
  operand: (length) => ({ indicator: 'rsi', length }),
  values: ({ close }, n) => {
    const change = zip(close, lag(close, 1), (a, b) => a - b);
    const up = smoothed(
      change.map((x) => Math.max(0, x)),
      n,
      1 / n,
    );
    const down = smoothed(
      change.map((x) => Math.max(0, -x)),
      n,
      1 / n,
    );
    return zip(up, down, (a, b) => (b === 0 ? 100 : 100 - 100 / (1 + a / b)));
  },
});
