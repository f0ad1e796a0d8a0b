import * as talib from 'talib-web';
import { compare, smoothed, zip } from '../../../../support/indicator-references.ts';
import { flowsOf } from '../../../../support/range-references.ts';

const operand = (length: number) => ({ indicator: 'chaikin_oscillator', fast: length, slow: length + 7 });

compare('chaikin_oscillator equals its formula', {
  operand,
  values: (bars, n) => {
    let total = 0;
    const line = flowsOf(bars).map((flow) => {
      total += flow;
      return total;
    });
    return zip(smoothed(line, n), smoothed(line, n + 7), (fast, slow) => fast - slow);
  },
  tolerance: 1e-5,
});

compare('chaikin_oscillator equals TA-Lib', {
  operand,
  values: ({ high, low, close, volume }, n) =>
    talib.ADOSC({ high, low, close, volume, fastPeriod: n, slowPeriod: n + 7 }).output,
  begin: (n) => n + 6,
  lengths: { min: 5, max: 14 },
  settled: 350,
  tolerance: 1e-3,
});
