import { PPO } from 'trading-signals';
import { compare, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('ppo ppo equals its formula', {
  operand: (length) => ({ indicator: 'ppo', fast: length, slow: length + 9, signal: 5, output: 'ppo' }),
  values: ({ close }, n) => {
    const slow = smoothed(close, n + 9);
    const line = zip(smoothed(close, n), slow, (a, b) => (b === 0 ? 0 : (100 * (a - b)) / b));
    return line;
  },
});

compare('ppo signal equals its formula', {
  operand: (length) => ({ indicator: 'ppo', fast: length, slow: length + 9, signal: 5, output: 'signal' }),
  values: ({ close }, n) => {
    const slow = smoothed(close, n + 9);
    const line = zip(smoothed(close, n), slow, (a, b) => (b === 0 ? 0 : (100 * (a - b)) / b));
    return smoothed(line, 5);
  },
});

compare('ppo histogram equals its formula', {
  operand: (length) => ({ indicator: 'ppo', fast: length, slow: length + 9, signal: 5, output: 'histogram' }),
  values: ({ close }, n) => {
    const slow = smoothed(close, n + 9);
    const line = zip(smoothed(close, n), slow, (a, b) => (b === 0 ? 0 : (100 * (a - b)) / b));
    return zip(line, smoothed(line, 5), (a, b) => a - b);
  },
});

compare('ppo equals trading-signals', {
  operand: (length) => ({ indicator: 'ppo', fast: length, slow: length + 9, signal: 5 }),
  values: ({ close }, n) => new PPO({ fastPeriod: n, slowPeriod: n + 9 }).updates(close, false),
  settled: 300,
  lengths: { min: 5, max: 12 },
  tolerance: 1e-6,
});
