import { EMV } from 'trading-signals';
import { candlesOf, compare, lag, meanOf, rolling, zip } from '../../../../support/indicator-references.ts';

const operand = (length: number) => ({ indicator: 'ease_of_movement', length, divisor: 1e8 });

compare('ease_of_movement equals its formula', {
  operand,
  values: ({ high, low, volume }, n) => {
    const middle = zip(high, low, (a, b) => (a + b) / 2);
    const moves = zip(middle, lag(middle, 1), (now, before) => now - before);
    const boxes = zip(
      moves,
      zip(high, low, (a, b) => a - b),
      (move, range) => move * range * 1e8,
    );
    const eases = zip(boxes, volume, (box, traded) => (Number.isNaN(box) || traded > 0 ? box / traded : 0));
    return rolling(eases, n, meanOf);
  },
});

compare('ease_of_movement equals trading-signals', {
  operand,
  values: (bars, n) => new EMV(n).updates(candlesOf(bars), false),
});
