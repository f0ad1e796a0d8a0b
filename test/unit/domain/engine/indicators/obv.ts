import * as talib from 'talib-web';
import { compare } from '../../../../support/indicator-references.ts';

compare('obv equals TA-Lib', {
  operand: () => ({ indicator: 'obv' }),
  values: ({ close, volume }) => talib.OBV({ inReal: close, volume }).output,
  begin: () => 0,
});

compare('obv equals its formula', {
  operand: () => ({ indicator: 'obv' }),
  values: ({ close, volume }) => {
    let sum = volume[0] ?? 0;
    return close.map((now, bar) => {
      sum += Math.sign(now - (close[bar - 1] ?? now)) * (volume[bar] ?? 0);
      return sum;
    });
  },
});
