import * as talib from 'talib-web';
import { compare, rolling } from '../../../../support/indicator-references.ts';

compare('williams_r equals TA-Lib', {
  operand: (length) => ({ indicator: 'williams_r', length }),
  values: ({ high, low, close }, n) => talib.WILLR({ high, low, close, timePeriod: n }).output,
  begin: (n) => n - 1,
});

compare('williams_r equals its formula', {
  operand: (length) => ({ indicator: 'williams_r', length }),
  values: ({ high, low, close }, n) => {
    const top = rolling(high, n, (w) => Math.max(...w));
    const bottom = rolling(low, n, (w) => Math.min(...w));
    const raw = close.map((x, bar) => {
      const [a = 0, b = 0] = [top[bar], bottom[bar]];
      return a === b ? 0 : (100 * (x - b)) / (a - b);
    });
    return raw.map((x, bar) =>
      top[bar] === bottom[bar] ? (Number.isNaN(top[bar]) ? Number.NaN : 0) : x - 100,
    );
  },
});
