import * as talib from 'talib-web';
import { compare, meanOf, rolling, strengthOf } from '../../../../support/indicator-references.ts';

compare('stoch_rsi k equals its formula', {
  operand: (length) => ({ indicator: 'stoch_rsi', length, window: 9, smooth: 2 }),
  values: ({ close }, n) => {
    const rsi = strengthOf(close, n);
    const raw = rolling(rsi, 9, (w) => {
      const [low, high] = [Math.min(...w), Math.max(...w)];
      return high === low ? 0 : (100 * ((w.at(-1) ?? 0) - low)) / (high - low);
    });
    return rolling(raw, 2, meanOf);
  },
  tolerance: 1e-5,
});

compare('stoch_rsi d equals its formula', {
  operand: (length) => ({ indicator: 'stoch_rsi', length, window: 9, smooth: 2, signal: 4, output: 'd' }),
  values: ({ close }, n) => {
    const rsi = strengthOf(close, n);
    const raw = rolling(rsi, 9, (w) => {
      const [low, high] = [Math.min(...w), Math.max(...w)];
      return high === low ? 0 : (100 * ((w.at(-1) ?? 0) - low)) / (high - low);
    });
    return rolling(rolling(raw, 2, meanOf), 4, meanOf);
  },
  tolerance: 1e-5,
});

for (const output of ['k', 'd'] as const) {
  compare(`stoch_rsi ${output} equals TA-Lib, which does not smooth k`, {
    operand: (length) => ({ indicator: 'stoch_rsi', length, window: 9, smooth: 1, signal: 4, output }),
    values: ({ close }, n) => {
      const { fastK, fastD } = talib.STOCHRSI({
        inReal: close,
        timePeriod: n,
        fastK_Period: 9,
        fastD_Period: 4,
        fastD_MAType: 0,
      });
      return output === 'k' ? fastK : fastD;
    },
    begin: (n) => n + 11,
    settled: 90,
    lengths: { min: 5, max: 40 },
    tolerance: 1e-5,
  });
}
