import * as talib from 'talib-web';
import { compare, smoothed, zip } from '../../../../support/indicator-references.ts';

compare('macd macd equals TA-Lib', {
  operand: (length) => ({ indicator: 'macd', fast: length, slow: length + 9, signal: 9 }),
  values: ({ close }, n) =>
    talib.MACD({ inReal: close, fastPeriod: n, slowPeriod: n + 9, signalPeriod: 9 }).MACD,
  lengths: { min: 5, max: 14 },
  settled: 300,
  tolerance: 1e-6,
  begin: (n) => n + 16,
});

compare('macd macd equals its formula', {
  operand: (length) => ({ indicator: 'macd', fast: length, slow: length + 9, signal: 9, output: 'macd' }),
  values: ({ close }, n) => {
    const line = zip(smoothed(close, n), smoothed(close, n + 9), (a, b) => a - b);
    return line;
  },
});

compare('macd signal equals its formula', {
  operand: (length) => ({ indicator: 'macd', fast: length, slow: length + 9, signal: 9, output: 'signal' }),
  values: ({ close }, n) => {
    const line = zip(smoothed(close, n), smoothed(close, n + 9), (a, b) => a - b);
    return smoothed(line, 9);
  },
});

compare('macd histogram equals its formula', {
  operand: (length) => ({
    indicator: 'macd',
    fast: length,
    slow: length + 9,
    signal: 9,
    output: 'histogram',
  }),
  values: ({ close }, n) => {
    const line = zip(smoothed(close, n), smoothed(close, n + 9), (a, b) => a - b);
    return zip(line, smoothed(line, 9), (a, b) => a - b);
  },
});
