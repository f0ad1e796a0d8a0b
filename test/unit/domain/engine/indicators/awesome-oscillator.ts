import { AO } from 'trading-signals';
import { candlesOf, compare, meanOf, rolling, zip } from '../../../../support/indicator-references.ts';

compare('awesome_oscillator equals its formula', {
  operand: (length) => ({ indicator: 'awesome_oscillator', fast: length, slow: length + 20 }),
  values: ({ high, low }, n) => {
    const middle = zip(high, low, (a, b) => (a + b) / 2);
    return zip(rolling(middle, n, meanOf), rolling(middle, n + 20, meanOf), (a, b) => a - b);
  },
});

compare('awesome_oscillator equals trading-signals', {
  operand: (length) => ({ indicator: 'awesome_oscillator', fast: length, slow: length + 20 }),
  values: (bars, n) => new AO(n, n + 20).updates(candlesOf(bars), false),
});
