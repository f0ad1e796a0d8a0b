import { ChandelierExit } from 'trading-signals';
import { candlesOf, compare, rolling, smoothed, zip } from '../../../../support/indicator-references.ts';
import { rangesOf } from '../../../../support/range-references.ts';

for (const output of ['long', 'short'] as const) {
  const operand = (length: number) => ({ indicator: 'chandelier', length, multiple: 2.5, output });

  compare(`chandelier ${output} equals its formula`, {
    operand,
    values: (bars, n) => {
      const width = smoothed(rangesOf(bars), n, 1 / n);
      return output === 'long'
        ? zip(
            rolling(bars.high, n, (window) => Math.max(...window)),
            width,
            (a, b) => a - 2.5 * b,
          )
        : zip(
            rolling(bars.low, n, (window) => Math.min(...window)),
            width,
            (a, b) => a + 2.5 * b,
          );
    },
  });

  compare(`chandelier ${output} equals trading-signals`, {
    operand,
    values: (bars, n) => {
      const exit = new ChandelierExit({ interval: n, multiplier: 2.5 });
      return candlesOf(bars).map((candle) => exit.update(candle, false)?.[output]);
    },
  });
}
