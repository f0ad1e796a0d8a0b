import { FisherTransform } from 'trading-signals';
import {
  candlesOf,
  compare,
  type Lists,
  lag,
  rolling,
  zip,
} from '../../../../support/indicator-references.ts';

const byFormula = ({ high, low }: Lists, length: number): number[] => {
  const middle = zip(high, low, (a, b) => (a + b) / 2);
  const place = rolling(middle, length, (w) => {
    const [bottom, top] = [Math.min(...w), Math.max(...w)];
    return top === bottom ? 0 : ((w.at(-1) ?? 0) - bottom) / (top - bottom) - 0.5;
  });
  let [x, fish] = [0, 0];
  return place.map((p) => {
    if (Number.isNaN(p)) return p;
    x = 0.66 * p + 0.67 * x;
    if (x > 0.99) x = 0.999;
    if (x < -0.99) x = -0.999;
    fish = 0.5 * Math.log((1 + x) / (1 - x)) + 0.5 * fish;
    return fish;
  });
};

compare('fisher equals its formula', {
  operand: (length) => ({ indicator: 'fisher', length }),
  values: byFormula,
});

compare('fisher equals trading-signals', {
  operand: (length) => ({ indicator: 'fisher', length }),
  values: (bars, n) => new FisherTransform(n).updates(candlesOf(bars), false),
});

compare('fisher signal equals its formula', {
  operand: (length) => ({ indicator: 'fisher', length, output: 'signal' }),
  values: (bars, n) => lag(byFormula(bars, n), 1),
});
