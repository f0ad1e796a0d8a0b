import { PVO } from 'trading-signals';
import { compare, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('pvo pvo equals its formula', {
  operand: (length) => ({ indicator: 'pvo', fast: length, slow: length + 9, signal: 5, output: 'pvo' }),
  values: ({ volume }, n) => {
    const slow = smoothed(volume, n + 9);
    const line = zip(smoothed(volume, n), slow, (a, b) => (b === 0 ? 0 : (100 * (a - b)) / b));
    return line;
  },
});

compare('pvo signal equals its formula', {
  operand: (length) => ({ indicator: 'pvo', fast: length, slow: length + 9, signal: 5, output: 'signal' }),
  values: ({ volume }, n) => {
    const slow = smoothed(volume, n + 9);
    const line = zip(smoothed(volume, n), slow, (a, b) => (b === 0 ? 0 : (100 * (a - b)) / b));
    return smoothed(line, 5);
  },
});

compare('pvo histogram equals its formula', {
  operand: (length) => ({ indicator: 'pvo', fast: length, slow: length + 9, signal: 5, output: 'histogram' }),
  values: ({ volume }, n) => {
    const slow = smoothed(volume, n + 9);
    const line = zip(smoothed(volume, n), slow, (a, b) => (b === 0 ? 0 : (100 * (a - b)) / b));
    return zip(line, smoothed(line, 5), (a, b) => a - b);
  },
});

compare('pvo equals trading-signals', {
  operand: (length) => ({ indicator: 'pvo', fast: length, slow: length + 9, signal: 5 }),
  values: ({ volume }, n) => new PVO({ fastPeriod: n, slowPeriod: n + 9 }).updates(volume, false),
  settled: 300,
  lengths: { min: 5, max: 12 },
  tolerance: 1e-6,
});
