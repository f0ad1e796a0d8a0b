import { RANGE_POINTS, rangeOf } from '../../../metrics/curve-range.ts';
import { at } from '../../memory.ts';
import { fallBelow } from './drawdowns.ts';
import type { Curve, Marks } from './state.ts';

const PERCENT = 100;
const POINT_FIELDS = 5;
/** Points outside of the buckets: of the first bar, the first evaluated one and the last one. */
const SINGLE_POINTS = 3;

/** A bar of the curve: its index, start, equity, drawdown and benchmark. */
type Point = readonly [bar: number, start: number, equity: number, fall: number, benchmark: number];

const pointAt = ({ bars }: Curve, marks: Marks, index: number): Point => {
  const equity = at(marks.equity, index);
  const fall = fallBelow(at(marks.peak, index), equity);
  return [bars + index, at(marks.start, index), equity, fall, at(marks.benchmark, index)];
};

const pointsOf = (fields: readonly number[]): Point[] => {
  const points: Point[] = [];
  for (let index = 0; index < fields.length; index += POINT_FIELDS) {
    const [bar = Number.NaN, start = Number.NaN, equity = Number.NaN] = fields.slice(index, index + 3);
    points.push([bar, start, equity, fields[index + 3] ?? Number.NaN, fields[index + 4] ?? Number.NaN]);
  }
  return points;
};

/** Returns points in the order of their bars, each bar once. */
const inOrder = (points: readonly Point[]): Point[] =>
  [...new Map(points.map((point) => [point[0], point])).values()].sort(([left], [right]) => left - right);

const extremesOf = (bucket: readonly Point[]): Point[] =>
  rangeOf(bucket, ([, , equity, fall]) => ({ equity, fall }));

/** Doubles the length of the buckets. */
const thinOut = (curve: Curve): void => {
  curve.step *= 2;
  const groups = Map.groupBy(pointsOf(curve.points), ([bar]) => Math.floor(bar / curve.step));
  const buckets = [...groups.values()].map((points) => extremesOf(points).flat());
  curve.points = buckets.flat();
  curve.openBucket = curve.points.length - (buckets.at(-1)?.length ?? 0);
};

/** Returns the points of some closes that show their range. */
const closesRange = (curve: Curve, marks: Marks, from: number, to: number): Point[] => {
  let [highest, lowest, deepest] = [from, from, from];
  let [most, least, depth] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = from; index < to; index += 1) {
    const equity = at(marks.equity, index);
    if (equity > most) [most, highest] = [equity, index];
    if (equity < least) [least, lowest] = [equity, index];
    const fall = fallBelow(at(marks.peak, index), equity);
    if (fall > depth) [depth, deepest] = [fall, index];
  }
  return inOrder([highest, lowest, deepest].map((index) => pointAt(curve, marks, index)));
};

/** Adds closes to the bucket that is open. */
const addToBucket = (curve: Curve, marks: Marks, from: number, to: number): void => {
  if (curve.step === 1) {
    curve.openBucket = curve.points.length;
    curve.points.push(...pointAt(curve, marks, from));
    return;
  }
  const added = closesRange(curve, marks, from, to);
  const isNew = (curve.bars + from) % curve.step === 0;
  const open = isNew ? [] : pointsOf(curve.points.splice(curve.openBucket));
  curve.openBucket = curve.points.length;
  curve.points.push(...extremesOf([...open, ...added]).flat());
};

/** Returns whether further buckets could exceed the most points. */
const isFull = ({ points, limit }: Curve): boolean =>
  points.length / POINT_FIELDS > limit - SINGLE_POINTS - RANGE_POINTS;

/**
 * Adds closes to the points: the bars are divided into buckets of equal length, and each keeps the points that show its
 * range. Any division of the closes gives the same points.
 */
export const addPoints = (curve: Curve, marks: Marks, count: number): void => {
  for (let from = 0; from < count; ) {
    const bar = curve.bars + from;
    if (bar % curve.step === 0) while (isFull(curve)) thinOut(curve);
    const to = Math.min(count, from + curve.step - (bar % curve.step));
    addToBucket(curve, marks, from, to);
    from = to;
  }
  if (curve.bars === 0) curve.singles.push(...pointAt(curve, marks, 0));
  for (let index = 0; index < count; index += 1) {
    if (at(marks.start, index) === curve.evaluatedAt) curve.singles.push(...pointAt(curve, marks, index));
  }
};

/** Adds the points of the first bar, the first evaluated one and the last one. */
export const finishPoints = (curve: Curve): void => {
  const { bars, lastAt, equity, peak, benchmark } = curve;
  const last: Point = [bars - 1, lastAt, equity, fallBelow(peak, equity), benchmark];
  curve.points = inOrder([...pointsOf(curve.points), ...pointsOf(curve.singles), last]).flat();
};

/** A point of a curve of equity. */
export interface EquityPoint {
  readonly at: number;
  readonly equity: number;
  readonly drawdown_pct: number;
}

/** Returns the points of the equity. */
export const equityPoints = ({ points }: Curve): EquityPoint[] =>
  pointsOf(points).map(([, start, equity, fall]) => ({ at: start, equity, drawdown_pct: fall * PERCENT }));

/** Returns the points of the benchmark, at the same bars from the first evaluated one on. */
export const benchmarkPoints = ({ points, evaluatedAt }: Curve): { at: number; equity: number }[] =>
  pointsOf(points)
    .filter(([, start]) => start >= evaluatedAt)
    .map(([, start, , , benchmark]) => ({ at: start, equity: benchmark }));
