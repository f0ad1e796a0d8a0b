import { ElderRay } from 'trading-signals';
import { candlesOf, compare, smoothed, zip } from '../../../../support/indicator-references.ts';

for (const output of ['bull', 'bear'] as const) {
  const operand = (length: number) => ({ indicator: 'elder_ray', length, output });

  compare(`elder_ray ${output} equals its formula`, {
    operand,
    values: ({ high, low, close }, n) =>
      zip(output === 'bull' ? high : low, smoothed(close, n), (price, average) => price - average),
  });

  compare(`elder_ray ${output} equals trading-signals`, {
    operand,
    values: (bars, n) => {
      const ray = new ElderRay(n);
      return candlesOf(bars).map((candle) => ray.update(candle, false)?.[`${output}Power`]);
    },
    lengths: { min: 5, max: 14 },
    settled: 300,
    tolerance: 1e-6,
  });
}
