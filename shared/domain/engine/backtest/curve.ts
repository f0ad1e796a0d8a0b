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
  /** Lowest equity of the drawdown that runs, and its bar; Infinity if none runs. */
  trough: stored,
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
  /** Current month, in months since the epoch, and the first day after it. */
  month: stored,
  monthEnd: stored,
  monthEquity: stored,
  /** Returns in percent by month. */
  months: z.array(z.tuple([z.int(), stored])),
  /** Every `step`-th bar: start, equity, drawdown, benchmark. */
  step: z.int(),
  /** Most points, the last bar's included. */
  limit: stored,
  nextPoint: z.int(),
  /** Start, equity, drawdown and benchmark of each point, one after the other. */
  points: z.array(stored),
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
  trough: Number.POSITIVE_INFINITY,
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
  month: Number.NaN,
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

/** Sums over days in a typed array: storing a double in an object's field is slow. */
const readDays = ({ dayEquity, days, returns, mean, squares, downside }: Curve): Float64Array =>
  Float64Array.of(dayEquity, days, returns, mean, squares, downside);

const writeDays = (curve: Curve, sums: Float64Array): void => {
  curve.dayEquity = at(sums, 0);
  curve.days = at(sums, 1);
  curve.returns = at(sums, 2);
  curve.mean = at(sums, 3);
  curve.squares = at(sums, 4);
  curve.downside = at(sums, 5);
};

const closeDay = (sums: Float64Array, equity: number): void => {
  const before = at(sums, 0);
  sums[0] = equity;
  sums[1] = at(sums, 1) + 1;
  if (before <= 0) return;
  const change = (equity - before) / before;
  const returns = at(sums, 2) + 1;
  const distance = change - at(sums, 3);
  const mean = at(sums, 3) + distance / returns;
  sums[2] = returns;
  sums[3] = mean;
  sums[4] = at(sums, 4) + distance * (change - mean);
  if (change < 0) sums[5] = at(sums, 5) + change * change;
};

const closeMonth = (curve: Curve, equity: number): void => {
  const { monthEquity: before } = curve;
  curve.monthEquity = equity;
  curve.months.push([curve.month, before > 0 ? (equity / before - 1) * PERCENT : 0]);
};

const EPOCH_YEAR = 1970;
const YEAR_MONTHS = 12;

/** Goes on to the month of a day. */
const enterMonth = (curve: Curve, day: number): void => {
  if (Number.isNaN(curve.month)) {
    const date = new Date(day * DAY_MS);
    curve.month = (date.getUTCFullYear() - EPOCH_YEAR) * YEAR_MONTHS + date.getUTCMonth() - 1;
  }
  do {
    curve.month += 1;
    curve.monthEnd = Date.UTC(EPOCH_YEAR, curve.month + 1, 1) / DAY_MS;
  } while (day >= curve.monthEnd);
};

/** Closes of bars in a row. `peak` is the highest equity up to each bar, which the curve fills in. */
export interface Marks {
  readonly start: Float64Array;
  readonly equity: Float64Array;
  /** Value of holding the symbols. */
  readonly benchmark: Float64Array;
  readonly peak: Float64Array;
}

/** Closes the days and months that end within the bars. */
const addDays = (curve: Curve, marks: Marks, count: number, offsetAt: (at: number) => number): void => {
  const sums = readDays(curve);
  let { day, dayEnd, equity } = curve;
  for (let index = 0; index < count; index += 1) {
    const start = at(marks.start, index);
    if (start >= dayEnd) {
      const offset = offsetAt(start);
      const next = Math.floor((start + offset) / DAY_MS);
      if (next !== day) {
        if (!Number.isNaN(day)) closeDay(sums, equity);
        if (next >= curve.monthEnd) {
          if (!Number.isNaN(day)) closeMonth(curve, equity);
          enterMonth(curve, next);
        }
        day = next;
      }
      const end = (day + 1) * DAY_MS;
      dayEnd = end - offsetAt(end - offset);
    }
    equity = at(marks.equity, index);
  }
  curve.day = day;
  curve.dayEnd = dayEnd;
  writeDays(curve, sums);
};

const fallBelow = (peak: number, equity: number): number => (peak > 0 ? (peak - equity) / peak : 0);

/** Ends the drawdown that runs. @param end the bar that regains the peak, or the last one. */
const finishDrawdown = (curve: Curve, to: number | null, end: number): void => {
  const depth = fallBelow(curve.peak, curve.trough);
  curve.trough = Number.POSITIVE_INFINITY;
  curve.drawdowns += 1;
  curve.depths += depth;
  curve.maxDepth = Math.max(curve.maxDepth, depth);
  curve.longestMs = Math.max(curve.longestMs, end - curve.peakAt);
  const { deepest } = curve;
  const last = deepest.at(-1);
  if (deepest.length === LISTED_DRAWDOWNS && last && last.depth >= depth) return;
  deepest.push({ from: curve.peakAt, trough: curve.troughAt, to, depth });
  deepest.sort((left, right) => right.depth - left.depth);
  if (deepest.length > LISTED_DRAWDOWNS) deepest.pop();
};

/** Part of the peak from which on equity counts as at the peak: sums of the same trades may differ by rounding. */
const AT_PEAK = 1 - 1e-12;

const addDrawdowns = (curve: Curve, marks: Marks, count: number): void => {
  let { peak, peakAt, trough } = curve;
  let level = peak * AT_PEAK;
  if (curve.bars === 0) peakAt = at(marks.start, 0);
  for (let index = 0; index < count; index += 1) {
    const equity = at(marks.equity, index);
    if (equity >= level) {
      if (trough < level) {
        curve.peak = peak;
        curve.peakAt = peakAt;
        curve.trough = trough;
        const start = at(marks.start, index);
        finishDrawdown(curve, start, start);
        trough = Number.POSITIVE_INFINITY;
      }
      if (equity > peak) {
        peak = equity;
        level = peak * AT_PEAK;
      }
      peakAt = at(marks.start, index);
    } else if (equity < trough) {
      trough = equity;
      curve.troughAt = at(marks.start, index);
    }
    marks.peak[index] = peak;
  }
  curve.peak = peak;
  curve.peakAt = peakAt;
  curve.trough = trough;
};

const addBenchmark = (curve: Curve, { benchmark }: Marks, count: number): void => {
  let peak = curve.benchmarkPeak;
  let deepest = curve.benchmarkDepth;
  for (let index = 0; index < count; index += 1) {
    const value = at(benchmark, index);
    if (value >= peak) peak = value;
    else if (peak - value > deepest * peak) deepest = (peak - value) / peak;
  }
  curve.benchmarkPeak = peak;
  curve.benchmarkDepth = deepest;
};

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

const addPoints = (curve: Curve, marks: Marks, count: number): void => {
  while (curve.nextPoint < curve.bars + count) {
    pushPoint(curve, marks, curve.nextPoint - curve.bars);
    curve.nextPoint += curve.step;
    // One place is reserved for the last bar.
    if (curve.points.length >= curve.limit * POINT_FIELDS) thinOut(curve);
  }
};

/** Adds the first `count` of the closes that follow. Each pass over them is a loop of its own over few variables. */
export const addMarks = (
  curve: Curve,
  marks: Marks,
  count: number,
  offsetAt: (at: number) => number,
): void => {
  if (count === 0) return;
  if (curve.bars === 0) curve.firstAt = at(marks.start, 0);
  addDays(curve, marks, count, offsetAt);
  addDrawdowns(curve, marks, count);
  addBenchmark(curve, marks, count);
  addPoints(curve, marks, count);
  curve.bars += count;
  curve.lastAt = at(marks.start, count - 1);
  curve.equity = at(marks.equity, count - 1);
  curve.benchmark = at(marks.benchmark, count - 1);
};

/** Ends the day, the month and the drawdown that run. Nothing can be added afterwards. */
export const finishCurve = (curve: Curve): void => {
  if (curve.bars === 0) return;
  const { equity, lastAt, points } = curve;
  const sums = readDays(curve);
  closeDay(sums, equity);
  writeDays(curve, sums);
  closeMonth(curve, equity);
  if (points.at(-POINT_FIELDS) !== lastAt) {
    points.push(lastAt, equity, fallBelow(curve.peak, equity), curve.benchmark);
  }
  if (curve.trough < curve.peak) finishDrawdown(curve, null, lastAt);
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

/** Returns the returns of the months, such as `2024-01`. */
export const monthlyReturns = ({ months }: Curve): { month: string; return_pct: number }[] =>
  months.map(([month, change]) => {
    const year = Math.floor(month / YEAR_MONTHS);
    const number = String(month - year * YEAR_MONTHS + 1).padStart(2, '0');
    return { month: `${EPOCH_YEAR + year}-${number}`, return_pct: change };
  });
