import { RANGE_POINTS } from '../../../metrics/curve-range.ts';
import { at } from '../../memory.ts';
import { fallBelow } from './drawdowns.ts';
import type { Curve, Marks } from './state.ts';

const PERCENT = 100;
/** Fields of a point: number of the bar, start, equity, drawdown, benchmark. */
const POINT_FIELDS = 5;
const START = 1;
const EQUITY = 2;
const FALL = 3;
const BENCHMARK = 4;
/** Points outside of the buckets: of the first bar, the first evaluated one and the last one. */
const SINGLE_POINTS = 3;

const pushPoint = (fields: number[], { bars }: Curve, marks: Marks, index: number): void => {
  const equity = at(marks.equity, index);
  const fall = fallBelow(at(marks.peak, index), equity);
  fields.push(bars + index, at(marks.start, index), equity, fall, at(marks.benchmark, index));
};

const fieldOf = ({ points }: Curve, point: number, field: number): number =>
  points[point * POINT_FIELDS + field] ?? Number.NaN;

const copyPoint = ({ points }: Curve, from: number, to: number): void => {
  if (from === to) return;
  for (let field = 0; field < POINT_FIELDS; field += 1) {
    points[to * POINT_FIELDS + field] = points[from * POINT_FIELDS + field] ?? Number.NaN;
  }
};

/** Calls for each of three numbers once, in their order. */
const eachOf = (one: number, two: number, three: number, call: (number: number) => void): void => {
  const first = Math.min(one, two, three);
  const last = Math.max(one, two, three);
  const middle = one + two + three - first - last;
  call(first);
  if (middle !== first && middle !== last) call(middle);
  if (last !== first) call(last);
};

/**
 * Keeps of some points those that show their range: the first ones of the highest and lowest equity and of the deepest
 * drawdown. Loops over plain numbers, since a backtest does it for every bucket.
 *
 * @param target place from which on they are kept, at or before the first.
 * @returns the place after the last one kept.
 */
const keepRange = (curve: Curve, from: number, to: number, target: number): number => {
  let [highest, lowest, deepest] = [from, from, from];
  for (let point = from + 1; point < to; point += 1) {
    const equity = fieldOf(curve, point, EQUITY);
    if (equity > fieldOf(curve, highest, EQUITY)) highest = point;
    if (equity < fieldOf(curve, lowest, EQUITY)) lowest = point;
    if (fieldOf(curve, point, FALL) > fieldOf(curve, deepest, FALL)) deepest = point;
  }
  let next = target;
  eachOf(highest, lowest, deepest, (point) => {
    copyPoint(curve, point, next);
    next += 1;
  });
  return next;
};

/** Doubles the length of the buckets. */
const thinOut = (curve: Curve): void => {
  const { points } = curve;
  curve.step *= 2;
  const count = points.length / POINT_FIELDS;
  let kept = 0;
  for (let from = 0; from < count; ) {
    const bucket = Math.floor(fieldOf(curve, from, 0) / curve.step);
    let to = from + 1;
    while (to < count && Math.floor(fieldOf(curve, to, 0) / curve.step) === bucket) to += 1;
    curve.openBucket = kept;
    kept = keepRange(curve, from, to, kept);
    from = to;
  }
  points.length = kept * POINT_FIELDS;
};

/** Adds closes to the bucket that is open. */
const addToBucket = (curve: Curve, marks: Marks, from: number, to: number): void => {
  const { points } = curve;
  const isNew = (curve.bars + from) % curve.step === 0;
  if (isNew) curve.openBucket = points.length / POINT_FIELDS;
  let [highest, lowest, deepest] = [from, from, from];
  let [most, least, depth] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = from; index < to; index += 1) {
    const equity = at(marks.equity, index);
    if (equity > most) {
      most = equity;
      highest = index;
    }
    if (equity < least) {
      least = equity;
      lowest = index;
    }
    const fall = fallBelow(at(marks.peak, index), equity);
    if (fall > depth) {
      depth = fall;
      deepest = index;
    }
  }
  eachOf(highest, lowest, deepest, (index) => pushPoint(points, curve, marks, index));
  if (isNew) return;
  const end = points.length / POINT_FIELDS;
  points.length = keepRange(curve, curve.openBucket, end, curve.openBucket) * POINT_FIELDS;
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
  if (curve.bars === 0) pushPoint(curve.singles, curve, marks, 0);
  // A later block has no such bar.
  if (!(at(marks.start, count - 1) >= curve.evaluatedAt && at(marks.start, 0) <= curve.evaluatedAt)) return;
  for (let index = 0; index < count; index += 1) {
    if (at(marks.start, index) === curve.evaluatedAt) pushPoint(curve.singles, curve, marks, index);
  }
};

/** Inserts a point at the place of its bar, unless it is there. */
const insertPoint = ({ points }: Curve, fields: readonly number[]): void => {
  const [bar = Number.NaN] = fields;
  let place = points.length;
  while (place > 0 && (points[place - POINT_FIELDS] ?? Number.NaN) > bar) place -= POINT_FIELDS;
  if (points[place - POINT_FIELDS] !== bar) points.splice(place, 0, ...fields);
};

/** Adds the points of the first bar, the first evaluated one and the last one. */
export const finishPoints = (curve: Curve): void => {
  const { bars, lastAt, equity, peak, benchmark, singles } = curve;
  for (let index = 0; index < singles.length; index += POINT_FIELDS) {
    insertPoint(curve, singles.slice(index, index + POINT_FIELDS));
  }
  insertPoint(curve, [bars - 1, lastAt, equity, fallBelow(peak, equity), benchmark]);
};

/** A point of a curve of equity. */
export interface EquityPoint {
  readonly at: number;
  readonly equity: number;
  readonly drawdown_pct: number;
}

/** Returns the points of the equity. */
export const equityPoints = (curve: Curve): EquityPoint[] => {
  const rows: EquityPoint[] = [];
  for (let point = 0; point * POINT_FIELDS < curve.points.length; point += 1) {
    rows.push({
      at: fieldOf(curve, point, START),
      equity: fieldOf(curve, point, EQUITY),
      drawdown_pct: fieldOf(curve, point, FALL) * PERCENT,
    });
  }
  return rows;
};

/** Returns the points of the benchmark, at the same bars from the first evaluated one on. */
export const benchmarkPoints = (curve: Curve): { at: number; equity: number }[] => {
  const rows: { at: number; equity: number }[] = [];
  for (let point = 0; point * POINT_FIELDS < curve.points.length; point += 1) {
    const start = fieldOf(curve, point, START);
    if (start >= curve.evaluatedAt) rows.push({ at: start, equity: fieldOf(curve, point, BENCHMARK) });
  }
  return rows;
};
