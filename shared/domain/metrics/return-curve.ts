import { decimal } from '../money.ts';
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

/** Chooses values at even intervals, the first and the last included. */
const thinnedOut = <T>(values: readonly T[], count: number): T[] => {
  const step = (values.length - 1) / (count - 1);
  if (step <= 1) return [...values];
  const chosen = new Set(Array.from({ length: count }, (_, index) => Math.round(index * step)));
  return values.filter((_, index) => chosen.has(index));
};

/**
 * Returns the returns of an equity curve since its first point, in percent: at most {@link RETURN_POINTS}, at even
 * intervals. Empty with fewer than two points, and without a starting capital.
 */
export const returnCurve = (equity: readonly string[]): number[] => {
  const start = decimal(equity[0] ?? '0');
  if (equity.length < 2 || start.lte(0)) return [];
  const returns = thinnedOut(equity, RETURN_POINTS).flatMap(
    (amount) => percent(decimal(amount).minus(start).div(start).toNumber()) ?? [],
  );
  const decimals = decimalsFor(returns);
  // Adding zero turns -0 into 0.
  return returns.map((value) => Number(value.toFixed(decimals)) + 0);
};
