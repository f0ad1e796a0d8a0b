import * as z from 'zod';
import { at } from '../memory.ts';
import { stored } from '../stored.ts';

const DAY_MS = 86_400_000;
/** Most points of a thinned curve. */
export const CURVE_POINTS = 500;
/** Deepest drawdowns that are listed. */
const LISTED_DRAWDOWNS = 5;
const PERCENT = 100;

const drawdownSchema = z.object({ from: stored, trough: stored, to: stored.nullable(), depth: stored });

/** A fall of equity below its peak. `to` is the bar that regains the peak; null if none has. */
export type Drawdown = z.output<typeof drawdownSchema>;

/** Sums over the equity of all bars, sufficient for all figures; bounded in size. Changed in place. */
export const curveSchema = z.object({
  start: stored,
  bars: z.int(),
  firstAt: stored,
  lastAt: stored,
  equity: stored,
  peak: stored,
  /** Last bar at the peak. */
  peakAt: stored,
  /** Deepest point of the drawdown that runs, as a fraction of the peak; 0 if none runs. */
  depth: stored,
  troughAt: stored,
  maxDepth: stored,
  /** Finished drawdowns. */
  drawdowns: z.int(),
  depths: stored,
  longestMs: stored,
  deepest: z.array(drawdownSchema),
  /** Local day of the last bar, in days since the epoch, and the moment at which it ends. */
  day: stored,
  dayEnd: stored,
  dayEquity: stored,
  days: z.int(),
  /** Returns of days: count, mean, sum of squared distances from the mean, sum of squared losses. */
  returns: z.int(),
  mean: stored,
  squares: stored,
  downside: stored,
  /** First day after the current month. */
  monthEnd: stored,
  monthEquity: stored,
  months: z.array(z.tuple([z.string(), stored])),
  /** Every `step`-th bar: start, equity, drawdown, benchmark. */
  step: z.int(),
  /** Most points, the last bar's included. */
  limit: stored,
  nextPoint: z.int(),
  points: z.array(z.tuple([stored, stored, stored, stored])),
  benchmark: stored,
  benchmarkPeak: stored,
  benchmarkDepth: stored,
});

export type Curve = z.output<typeof curveSchema>;

/** Returns the curve before the first bar. @param limit most points; Infinity for every bar. */
export const newCurve = (startingCapital: number, limit: number): Curve => ({
  start: startingCapital,
  bars: 0,
  firstAt: Number.NaN,
  lastAt: Number.NaN,
  equity: startingCapital,
  peak: startingCapital,
  peakAt: Number.NaN,
  depth: 0,
  troughAt: Number.NaN,
  maxDepth: 0,
  drawdowns: 0,
  depths: 0,
  longestMs: 0,
  deepest: [],
  day: Number.NaN,
  dayEnd: Number.NEGATIVE_INFINITY,
  dayEquity: startingCapital,
  days: 0,
  returns: 0,
  mean: 0,
  squares: 0,
  downside: 0,
  monthEnd: Number.NEGATIVE_INFINITY,
  monthEquity: startingCapital,
  months: [],
  step: 1,
  limit,
  nextPoint: 0,
  points: [],
  benchmark: startingCapital,
  benchmarkPeak: startingCapital,
  benchmarkDepth: 0,
});

const closeDay = (curve: Curve): void => {
  const { dayEquity: before, equity } = curve;
  curve.days += 1;
  curve.dayEquity = equity;
  if (before <= 0) return;
  const change = (equity - before) / before;
  curve.returns += 1;
  const distance = change - curve.mean;
  curve.mean += distance / curve.returns;
  curve.squares += distance * (change - curve.mean);
  if (change < 0) curve.downside += change * change;
};

const closeMonth = (curve: Curve): void => {
  const { monthEquity: before, equity } = curve;
  curve.monthEquity = equity;
  const month = new Date(curve.day * DAY_MS).toISOString().slice(0, 7);
  curve.months.push([month, before > 0 ? (equity / before - 1) * PERCENT : 0]);
};

const monthEndOf = (day: number): number => {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
};

/** Begins the local day of a bar, if it is a new one. */
const enterDay = (curve: Curve, start: number, offsetAt: (at: number) => number): void => {
  const offset = offsetAt(start);
  const day = Math.floor((start + offset) / DAY_MS);
  if (day !== curve.day) {
    if (curve.bars > 0) {
      closeDay(curve);
      if (day >= curve.monthEnd) closeMonth(curve);
    }
    if (day >= curve.monthEnd) curve.monthEnd = monthEndOf(day);
    curve.day = day;
  }
  const end = (day + 1) * DAY_MS;
  curve.dayEnd = end - offsetAt(end - offset);
};

const finishDrawdown = (curve: Curve, to: number | null, end: number): void => {
  const { depth } = curve;
  curve.drawdowns += 1;
  curve.depths += depth;
  curve.longestMs = Math.max(curve.longestMs, end - curve.peakAt);
  const { deepest } = curve;
  const last = deepest.at(-1);
  if (deepest.length < LISTED_DRAWDOWNS || (last && last.depth < depth)) {
    deepest.push({ from: curve.peakAt, trough: curve.troughAt, to, depth });
    deepest.sort((left, right) => right.depth - left.depth);
    if (deepest.length > LISTED_DRAWDOWNS) deepest.pop();
  }
  curve.depth = 0;
};

const thinOut = (curve: Curve): void => {
  const { points } = curve;
  let kept = 0;
  for (let index = 0; index < points.length; index += 2) {
    const point = points[index];
    if (point) points[kept] = point;
    kept += 1;
  }
  points.length = kept;
  curve.step *= 2;
  curve.nextPoint = kept * curve.step;
};

const addPoint = (curve: Curve, start: number, drawdown: number, benchmark: number): void => {
  curve.points.push([start, curve.equity, drawdown, benchmark]);
  curve.nextPoint += curve.step;
  // One place is reserved for the last bar.
  if (curve.points.length >= curve.limit) thinOut(curve);
};

/** Closes of bars in a row: start of the bar, equity, and the value of holding the symbols. */
export interface Marks {
  readonly start: Float64Array;
  readonly equity: Float64Array;
  readonly benchmark: Float64Array;
}

/** Follows the value of holding the symbols. */
const addBenchmark = (curve: Curve, { benchmark }: Marks, count: number): void => {
  let peak = curve.benchmarkPeak;
  let deepest = curve.benchmarkDepth;
  for (let index = 0; index < count; index += 1) {
    const value = at(benchmark, index);
    if (value >= peak) peak = value;
    else if ((peak - value) / peak > deepest) deepest = (peak - value) / peak;
  }
  curve.benchmarkPeak = peak;
  curve.benchmarkDepth = deepest;
};

/** Follows one bar below the peak. Returns the fall as a fraction of the peak. */
const fallAt = (curve: Curve, start: number, equity: number): number => {
  const fall = curve.peak > 0 ? (curve.peak - equity) / curve.peak : 0;
  if (curve.bars === 0) curve.peakAt = start;
  if (fall > curve.depth) {
    curve.depth = fall;
    curve.troughAt = start;
    if (fall > curve.maxDepth) curve.maxDepth = fall;
  }
  return fall;
};

/** Adds the first `count` of the closes that follow. */
export const addMarks = (
  curve: Curve,
  marks: Marks,
  count: number,
  offsetAt: (at: number) => number,
): void => {
  addBenchmark(curve, marks, count);
  for (let index = 0; index < count; index += 1) {
    const start = at(marks.start, index);
    const equity = at(marks.equity, index);
    if (start >= curve.dayEnd) enterDay(curve, start, offsetAt);
    let fall = 0;
    if (equity >= curve.peak) {
      if (curve.depth > 0) finishDrawdown(curve, start, start);
      curve.peak = equity;
      curve.peakAt = start;
    } else fall = fallAt(curve, start, equity);
    if (curve.bars === 0) curve.firstAt = start;
    curve.equity = equity;
    curve.lastAt = start;
    if (curve.bars === curve.nextPoint) addPoint(curve, start, fall, at(marks.benchmark, index));
    curve.bars += 1;
  }
  if (count > 0) curve.benchmark = at(marks.benchmark, count - 1);
};

/** Ends the day, the month and the drawdown that run. Nothing can be added afterwards. */
export const finishCurve = (curve: Curve): void => {
  if (curve.bars === 0) return;
  closeDay(curve);
  closeMonth(curve);
  const fall = curve.peak > 0 ? (curve.peak - curve.equity) / curve.peak : 0;
  if (curve.depth > 0) finishDrawdown(curve, null, curve.lastAt);
  if (curve.points.at(-1)?.[0] !== curve.lastAt) {
    curve.points.push([curve.lastAt, curve.equity, fall, curve.benchmark]);
  }
};
