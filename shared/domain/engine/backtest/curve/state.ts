import * as z from 'zod';
import { stored } from '../../stored.ts';

/** Most points of a thinned curve. */
export const CURVE_POINTS = 500;
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
  /** Trading day of the last bar, in days since the epoch, and the moment at which it ends. */
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
  /** Start of the first evaluated bar, from which holding is counted; NaN before. */
  evaluatedAt: stored,
  /** Bars of a bucket, of which the curve keeps the highs and lows. */
  step: z.int(),
  /** Most points. */
  limit: stored,
  /** Number, start, equity, drawdown and benchmark of the bar of each point, one after the other. */
  points: z.array(stored),
  /** Place among `points` of those of the last bucket. */
  openBucket: z.int(),
  /** Points of the first and of the first evaluated bar. */
  singles: z.array(stored),
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
  evaluatedAt: Number.NaN,
  step: 1,
  limit,
  points: [],
  openBucket: 0,
  singles: [],
  benchmark: startingCapital,
  benchmarkPeak: startingCapital,
  benchmarkDepth: 0,
});

/** Closes of bars in a row. `peak` is the highest equity up to each bar, which the curve fills in. */
export interface Marks {
  readonly start: Float64Array;
  readonly equity: Float64Array;
  /** Value of holding the symbols. */
  readonly benchmark: Float64Array;
  readonly peak: Float64Array;
}
