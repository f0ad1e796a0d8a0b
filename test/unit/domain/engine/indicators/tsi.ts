import { TSI } from 'trading-signals';
import { compare, lag, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('tsi equals its formula', {
  operand: (length) => ({ indicator: 'tsi', fast: length, slow: length + 7 }),
  values: ({ close }, n) => {
    const change = zip(close, lag(close, 1), (a, b) => a - b);
    const of = (x: readonly number[]) => smoothed(smoothed(x, n + 7), n);
    const line = zip(of(change), of(change.map(Math.abs)), (a, b) => (100 * a) / b);
    return line;
  },
});

compare('tsi signal equals its formula', {
  operand: (length) => ({ indicator: 'tsi', fast: length, slow: length + 7, signal: 6, output: 'signal' }),
  values: ({ close }, n) => {
    const change = zip(close, lag(close, 1), (a, b) => a - b);
    const of = (x: readonly number[]) => smoothed(smoothed(x, n + 7), n);
    const line = zip(of(change), of(change.map(Math.abs)), (a, b) => (100 * a) / b);
    return smoothed(line, 6);
  },
});

compare('tsi equals trading-signals', {
  operand: (length) => ({ indicator: 'tsi', fast: length, slow: length + 7 }),
  values: ({ close }, n) => new TSI({ longPeriod: n + 7, shortPeriod: n }).updates(close, false),
  settled: 300,
  lengths: { min: 3, max: 8 },
});
