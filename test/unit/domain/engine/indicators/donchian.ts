import { DonchianChannels } from 'trading-signals';
import { candlesOf, compare, rolling, zip } from '../../../../support/indicator-references.ts';

for (const output of ['upper', 'middle', 'lower'] as const) {
  compare(`donchian ${output} equals its formula`, {
    operand: (length) => ({ indicator: 'donchian', length, output }),
    values: ({ high, low }, n) => {
      const upper = rolling(high, n, (window) => Math.max(...window));
      const lower = rolling(low, n, (window) => Math.min(...window));
      return { upper, lower, middle: zip(upper, lower, (a, b) => (a + b) / 2) }[output];
    },
  });

  compare(`donchian ${output} equals trading-signals`, {
    operand: (length) => ({ indicator: 'donchian', length, output }),
    values: (bars, n) => {
      const channel = new DonchianChannels(n);
      return candlesOf(bars).map((candle) => channel.update(candle, false)?.[output]);
    },
  });
}
