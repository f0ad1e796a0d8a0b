import { at } from '../../memory.ts';
import { fallBelow } from './drawdowns.ts';
import type { Curve, Marks } from './state.ts';

const PERCENT = 100;
const POINT_FIELDS = 4;

const pushPoint = ({ points }: Curve, marks: Marks, index: number): void => {
  const equity = at(marks.equity, index);
  const fall = fallBelow(at(marks.peak, index), equity);
  points.push(at(marks.start, index), equity, fall, at(marks.benchmark, index));
};

/** Drops every second point, and doubles the step. */
const thinOut = (curve: Curve): void => {
  const { points } = curve;
  let kept = 0;
  for (let index = 0; index < points.length; index += 1) {
    if (Math.floor(index / POINT_FIELDS) % 2 === 1) continue;
    points[kept] = points[index] ?? Number.NaN;
    kept += 1;
  }
  points.length = kept;
  curve.step *= 2;
  curve.nextPoint = (kept / POINT_FIELDS) * curve.step;
};

/** Adds every `step`-th bar to the points. */
export const addPoints = (curve: Curve, marks: Marks, count: number): void => {
  while (curve.nextPoint < curve.bars + count) {
    pushPoint(curve, marks, curve.nextPoint - curve.bars);
    curve.nextPoint += curve.step;
    // One place is reserved for the last bar.
    if (curve.points.length >= curve.limit * POINT_FIELDS) thinOut(curve);
  }
};

/** Adds the last bar to the points, unless it is one of them. */
export const finishPoints = ({ points, equity, lastAt, peak, benchmark }: Curve): void => {
  if (points.at(-POINT_FIELDS) === lastAt) return;
  points.push(lastAt, equity, fallBelow(peak, equity), benchmark);
};

/** A point of a curve of equity. */
export interface EquityPoint {
  readonly at: number;
  readonly equity: number;
  readonly drawdown_pct: number;
}

/** Returns the points of the equity. */
export const equityPoints = ({ points }: Curve): EquityPoint[] => {
  const rows: EquityPoint[] = [];
  for (let index = 0; index < points.length; index += POINT_FIELDS) {
    const fall = points[index + 2] ?? Number.NaN;
    rows.push({
      at: points[index] ?? Number.NaN,
      equity: points[index + 1] ?? Number.NaN,
      drawdown_pct: fall * PERCENT,
    });
  }
  return rows;
};

/** Returns the points of the benchmark, at the same bars. */
export const benchmarkPoints = ({ points }: Curve): { at: number; equity: number }[] => {
  const rows: { at: number; equity: number }[] = [];
  for (let index = 0; index < points.length; index += POINT_FIELDS) {
    rows.push({ at: points[index] ?? Number.NaN, equity: points[index + 3] ?? Number.NaN });
  }
  return rows;
};
