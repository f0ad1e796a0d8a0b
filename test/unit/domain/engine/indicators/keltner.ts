import { KeltnerChannels } from 'trading-signals';
import { candlesOf, compare, smoothed, zip } from '../../../../support/indicator-references.ts';
import { rangesOf } from '../../../../support/range-references.ts';

const FACTORS = { upper: 1.5, middle: 0, lower: -1.5 };

for (const output of ['upper', 'middle', 'lower'] as const) {
  const operand = (length: number) => ({
    indicator: 'keltner',
    length,
    atr_length: length + 3,
    multiple: 1.5,
    output,
  });

  compare(`keltner ${output} equals its formula`, {
    operand,
    values: (bars, n) => {
      const middle = smoothed(bars.close, n);
      const width = smoothed(rangesOf(bars), n + 3, 1 / (n + 3));
      return output === 'middle' ? middle : zip(middle, width, (a, b) => a + FACTORS[output] * b);
    },
  });

  compare(`keltner ${output} equals trading-signals`, {
    operand,
    values: (bars, n) => {
      const channel = new KeltnerChannels({ emaInterval: n, atrInterval: n + 3, multiplier: 1.5 });
      return candlesOf(bars).map((candle) => channel.update(candle, false)?.[output]);
    },
    lengths: { min: 5, max: 14 },
    settled: 300,
    tolerance: 1e-6,
  });
}
