import { compare, meanOf, rolling } from '../../../../support/indicator-references.ts';

compare('stochastic k equals its formula', {
  operand: (length) => ({ indicator: 'stochastic', length, smooth: 1 }),
  values: ({ high, low, close }, n) => {
    const top = rolling(high, n, (w) => Math.max(...w));
    const bottom = rolling(low, n, (w) => Math.min(...w));
    const raw = close.map((x, bar) => {
      const [a = 0, b = 0] = [top[bar], bottom[bar]];
      return a === b ? 0 : (100 * (x - b)) / (a - b);
    });
    return raw;
  },
});

compare('stochastic d equals its formula', {
  operand: (length) => ({ indicator: 'stochastic', length, smooth: 3, signal: 4, output: 'd' }),
  values: ({ high, low, close }, n) => {
    const top = rolling(high, n, (w) => Math.max(...w));
    const bottom = rolling(low, n, (w) => Math.min(...w));
    const raw = close.map((x, bar) => {
      const [a = 0, b = 0] = [top[bar], bottom[bar]];
      return a === b ? 0 : (100 * (x - b)) / (a - b);
    });
    return rolling(rolling(raw, 3, meanOf), 4, meanOf);
  },
});
