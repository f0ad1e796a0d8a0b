/** Equity of a point of a curve, and the part of the highest equity before by which it is below. */
export interface Height {
  readonly equity: number;
  readonly fall: number;
}

/** Most points that {@link rangeOf} keeps. */
export const RANGE_POINTS = 3;

/**
 * Returns the points of a part of a curve that show its range, in their order: the first of the highest and of the lowest
 * equity, and of the deepest fall. The range of several parts together is that of their ranges.
 */
export const rangeOf = <P>(points: readonly P[], heightOf: (point: P) => Height): P[] => {
  if (points.length < RANGE_POINTS) return [...points];
  const heights = points.map(heightOf);
  let [highest, lowest, deepest] = [0, 0, 0];
  for (const [index, { equity, fall }] of heights.entries()) {
    if (equity > (heights[highest]?.equity ?? Number.NaN)) highest = index;
    if (equity < (heights[lowest]?.equity ?? Number.NaN)) lowest = index;
    if (fall > (heights[deepest]?.fall ?? Number.NaN)) deepest = index;
  }
  return points.filter((_, index) => index === highest || index === lowest || index === deepest);
};
