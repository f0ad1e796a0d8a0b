import { decimal } from '../money.ts';
import { rangeOf } from './curve-range.ts';
import { percent } from './figures.ts';

/** Most points of a return curve. Cards hold one, so it takes some 100 bytes. */
export const RETURN_POINTS = 25;
/** Significant digits of the range that a return curve covers; a small drawing shows no more. */
const RANGE_DIGITS = 3;
/** Most decimals of a return. */
const MAX_DECIMALS = 6;

/** Returns the decimals that show the range of values with {@link RANGE_DIGITS} digits. */
const decimalsFor = (values: readonly number[]): number => {
  const range = Math.max(...values) - Math.min(...values);
  if (range === 0) return 0;
  return Math.min(MAX_DECIMALS, Math.max(0, RANGE_DIGITS - 1 - Math.floor(Math.log10(range))));
};

/** Keeps the first and the last amount, and the highest and the lowest of equal parts between them. */
const thinnedOut = (amounts: readonly string[]): string[] => {
  if (amounts.length <= RETURN_POINTS) return [...amounts];
  const between = amounts.slice(1, -1);
  const parts = (RETURN_POINTS - 2) >> 1;
  const kept = Array.from({ length: parts }, (_, part) => {
    const [from, to] = [part, part + 1].map((at) => Math.round((at * between.length) / parts));
    return rangeOf(between.slice(from, to), (amount) => ({ equity: Number(amount), fall: -Number(amount) }));
  });
  return [...amounts.slice(0, 1), ...kept.flat(), ...amounts.slice(-1)];
};

/**
 * Returns the returns of an equity curve since its first point, in percent: at most {@link RETURN_POINTS},
 * with the highs and lows. Empty with fewer than two points, and without a starting capital.
 */
export const returnCurve = (equity: readonly string[]): number[] => {
  const start = decimal(equity[0] ?? '0');
  if (equity.length < 2 || start.lte(0)) return [];
  const returns = thinnedOut(equity).flatMap(
    (amount) => percent(decimal(amount).minus(start).div(start).toNumber()) ?? [],
  );
  const decimals = decimalsFor(returns);
  // Adding zero turns -0 into 0.
  return returns.map((value) => Number(value.toFixed(decimals)) + 0);
};
