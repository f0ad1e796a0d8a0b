import { IchimokuCloud } from 'trading-signals';
import { candlesOf, compare, lag, rolling, zip } from '../../../../support/indicator-references.ts';

const OUTPUTS = { conversion: 'conversion', base: 'base', span_a: 'spanA', span_b: 'spanB' } as const;

const operand = (output: string) => (n: number) => ({
  indicator: 'ichimoku',
  conversion: n,
  base: n + 9,
  span: 2 * n + 9,
  displacement: n + 2,
  output,
});

for (const output of ['conversion', 'base', 'span_a', 'span_b'] as const) {
  compare(`ichimoku ${output} equals its formula`, {
    operand: operand(output),
    values: ({ high, low }, n) => {
      const middle = (length: number) =>
        zip(
          rolling(high, length, (window) => Math.max(...window)),
          rolling(low, length, (window) => Math.min(...window)),
          (a, b) => (a + b) / 2,
        );
      const [conversion, base] = [middle(n), middle(n + 9)];
      if (output === 'conversion') return conversion;
      if (output === 'base') return base;
      const span = output === 'span_a' ? zip(conversion, base, (a, b) => (a + b) / 2) : middle(2 * n + 9);
      return lag(span, n + 2);
    },
  });

  compare(`ichimoku ${output} equals trading-signals`, {
    operand: operand(output),
    values: (bars, n) => {
      const cloud = new IchimokuCloud({
        conversionInterval: n,
        baseInterval: n + 9,
        spanBInterval: 2 * n + 9,
      });
      const values = candlesOf(bars).map(
        (candle) => cloud.update(candle, false)?.[OUTPUTS[output]] ?? Number.NaN,
      );
      return output.startsWith('span') ? lag(values, n + 2) : values;
    },
    // The library begins all lines with the last of them.
    settled: 250,
  });
}

compare('ichimoku lagging is the close of the displacement before', {
  operand: operand('lagging'),
  values: ({ close }, n) => lag(close, n + 2),
});
