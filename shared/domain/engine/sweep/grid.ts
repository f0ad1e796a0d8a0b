/** The most combinations of a sweep. */
export const MAX_COMBINATIONS = 2000;

/** Values of a parameter that a sweep tries. */
export interface Axis {
  readonly name: string;
  readonly values: number[];
}

/** Digits that remain after adding steps: decimal steps make decimal values. */
const DIGITS = 12;
/** Part of a step by which the last value may pass the end, for steps that are no binary fractions. */
const TOLERANCE = 1e-9;

/** Returns how many values lie in a range, both ends included. */
export const countInRange = (from: number, to: number, step: number): number =>
  Math.max(0, Math.floor((to - from) / step + TOLERANCE) + 1);

/** Returns the values of a range, both ends included. */
export const valuesInRange = (from: number, to: number, step: number): number[] =>
  Array.from({ length: countInRange(from, to, step) }, (_, index) =>
    Number((from + index * step).toPrecision(DIGITS)),
  );

/** Returns the number of combinations of values. */
export const countCombinations = (axes: readonly Axis[]): number =>
  axes.reduce((count, { values }) => count * values.length, 1);

/** Returns a combination by its number, from 0 on. The last parameter changes first. */
export const combinationAt = (axes: readonly Axis[], number: number): Record<string, number> => {
  let left = number;
  const entries: [string, number][] = [];
  for (const { name, values } of axes.toReversed()) {
    const value = values[left % values.length];
    if (value === undefined) throw new RangeError('a parameter of a sweep has no values');
    entries.push([name, value]);
    left = Math.floor(left / values.length);
  }
  return Object.fromEntries(entries.reverse());
};
