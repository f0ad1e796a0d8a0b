import * as z from 'zod';
import { add, decimal, decimalText } from '../money.ts';
import { addDays, daySchema, monthOf, weekOf } from '../periods.ts';
import { RANGE_POINTS, rangeOf } from './curve-range.ts';

/** Most results kept per period. The equity curve covers the whole time, thinned out to `CURVE_POINTS`. */
export const KEPT_DAYS = 366;
const KEPT_WEEKS = 260;
const KEPT_MONTHS = 240;
export const CURVE_POINTS = 500;

/** End of a day: equity (null if not a trading day), net result, closed trades. */
export const dayRecordSchema = z.tuple([daySchema, decimalText.nullable(), decimalText, z.int()]);

export type DayRecord = z.output<typeof dayRecordSchema>;

/** First day of a period (a month: `2025-11`), net result, closed trades. Periods without either are omitted. */
const periodSchema = z.tuple([z.string(), decimalText, z.int()]);
/** End of a day: equity, the part of the highest equity before by which it is below, number of the trading day. */
const pointSchema = z.tuple([daySchema, decimalText, z.number(), z.int()]);

type Point = z.output<typeof pointSchema>;

/** Equity history of the settled days of a deployment; an item of its own, written once a day. */
export const historySchema = z.object({
  version: z.literal(1),
  /** The last day included. */
  through: daySchema.nullable(),
  /** Number of trading days closed, and their highest equity. */
  closed: z.int(),
  peak: decimalText,
  /** Trading days of a bucket, of which the curve keeps the highs and lows. */
  step: z.int(),
  curve: z.array(pointSchema),
  days: z.array(periodSchema),
  weeks: z.array(periodSchema),
  months: z.array(periodSchema),
});

export type History = z.output<typeof historySchema>;
type Period = History['days'][number];

/** Returns the history of a deployment that starts on `day`. Its curve begins the day before, at the starting capital. */
export const openHistory = (day: string, startingCapital: string): History => ({
  version: 1,
  through: null,
  closed: 0,
  peak: startingCapital,
  step: 1,
  curve: [[addDays(day, -1), startingCapital, 0, 0]],
  days: [],
  weeks: [],
  months: [],
});

const addPeriod = (periods: readonly Period[], key: string, day: DayRecord, kept: number): Period[] => {
  const [, , net, trades] = day;
  if (net === '0' && trades === 0) return [...periods];
  const last = periods.at(-1);
  if (last?.[0] !== key) return [...periods, [key, net, trades] satisfies Period].slice(-kept);
  return [...periods.slice(0, -1), [key, add(last[1], net), last[2] + trades]];
};

/** Returns the bucket of a day, by its length. The capital at the beginning is alone. */
const bucketOf = ([, , , number]: Point, step: number): number =>
  number === 0 ? -1 : Math.floor(number / step);

const rangeOfDays = (points: readonly Point[]): Point[] =>
  rangeOf(points, ([, equity, fall]) => ({ equity: Number(equity), fall }));

/** Returns the part of a peak by which an equity is below it; zero above. */
export const fallOf = (peak: string, equity: string): number => {
  const highest = decimal(peak);
  const fall = highest.minus(equity);
  return highest.gt(0) && fall.gt(0) ? fall.div(highest).toNumber() : 0;
};

const addPoint = (history: History, [day, equity]: DayRecord): History => {
  if (equity === null) return history;
  const closed = history.closed + 1;
  const peak = decimal(equity).gt(history.peak) ? equity : history.peak;
  let { step, curve } = history;
  // One place is reserved for the current point, which every curve shows.
  while (closed % step === 0 && curve.length > CURVE_POINTS - 1 - RANGE_POINTS) {
    step *= 2;
    curve = [...Map.groupBy(curve, (point) => bucketOf(point, step)).values()].flatMap(rangeOfDays);
  }
  const point: Point = [day, equity, fallOf(history.peak, equity), closed];
  const open = curve.findLastIndex((other) => bucketOf(other, step) !== bucketOf(point, step)) + 1;
  const last = rangeOfDays([...curve.slice(open), point]);
  return { ...history, closed, peak, step, curve: [...curve.slice(0, open), ...last] };
};

/** Adds a closed day; returns the same history if the day is included already. Days must come in order. */
export const addDayRecord = (history: History, record: DayRecord): History => {
  const [day] = record;
  if (history.through !== null && day <= history.through) return history;
  return {
    ...addPoint(history, record),
    through: day,
    days: addPeriod(history.days, day, record, KEPT_DAYS),
    weeks: addPeriod(history.weeks, weekOf(day), record, KEPT_WEEKS),
    months: addPeriod(history.months, monthOf(day), record, KEPT_MONTHS),
  };
};

/** Adds closed days, oldest first. */
export const addDayRecords = (history: History, records: readonly DayRecord[]): History =>
  records.reduce(addDayRecord, history);
