import { ALMA } from 'trading-signals';
import { compare, rolling, sumOf } from '../../../../support/indicator-references.ts';

compare('alma equals its formula', {
  operand: (length) => ({ indicator: 'alma', length, offset: 0.7, sigma: 5 }),
  values: ({ close }, n) =>
    rolling(close, n, (window) => {
      const weights = window.map((_, i) => Math.exp(-((i - 0.7 * (n - 1)) ** 2) / (2 * (n / 5) ** 2)));
      return sumOf(window.map((x, i) => x * (weights[i] ?? 0))) / sumOf(weights);
    }),
});

compare('alma equals trading-signals', {
  operand: (length) => ({ indicator: 'alma', length, offset: 0.85, sigma: 6 }),
  values: ({ close }, n) => new ALMA(n, 0.85, 6).updates(close, false),
});
