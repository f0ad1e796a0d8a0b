import * as talib from 'talib-web';
import { compare, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('tema equals TA-Lib', {
  operand: (length) => ({ indicator: 'tema', length }),
  values: ({ close }, n) => talib.TEMA({ inReal: close, timePeriod: n }).output,
  begin: (n) => 3 * n - 3,
});

compare('tema equals its formula', {
  operand: (length) => ({ indicator: 'tema', length }),
  values: ({ close }, n) => {
    const one = smoothed(close, n);
    const two = smoothed(one, n);
    return zip(
      zip(one, two, (a, b) => 3 * a - 3 * b),
      smoothed(two, n),
      (a, b) => a + b,
    );
  },
});
