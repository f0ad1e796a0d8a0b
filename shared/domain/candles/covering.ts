import type { Timeframe } from '../strategies/strategies.ts';
import { type BarColumns, barCount, columnsOf, firstBarFrom, readBar, sliceBars } from './bars.ts';
import { type Calendar, dayAt } from './calendar.ts';
import { slotEnd } from './grid.ts';
import { endOfPeriod, isOnGrid, periodsOf } from './periods.ts';
import { expectedBars, isInSession } from './sessions.ts';
import { INTRADAY_MS, type SourceTimeframe } from './timeframes.ts';

/** Part of a price by which a bar and its smaller bars may differ: units of splits are computed. */
const ROUNDING = 1e-9;

const isSame = (left: number, right: number): boolean =>
  Math.abs(left - right) <= ROUNDING * Math.max(Math.abs(left), Math.abs(right));

/** A bar with its kind. */
export interface CoveredBar {
  readonly calendar: Calendar;
  readonly timeframe: Timeframe;
  /** Start, open, high, low, close and volume. */
  readonly bar: Float64Array;
}

/** Smaller bars of a series, those of a covered bar among them. */
export interface SmallerSeries {
  readonly calendar: Calendar;
  readonly timeframe: SourceTimeframe;
  readonly bars: BarColumns;
}

/** Returns whether bars have the open, high, low and close of a bar. */
const hasPrices = (bars: BarColumns, bar: Float64Array): boolean => {
  const [, open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN] = bar;
  return (
    isSame(bars.open[0] ?? Number.NaN, open) &&
    isSame(
      bars.high.reduce((left, right) => Math.max(left, right)),
      high,
    ) &&
    isSame(
      bars.low.reduce((left, right) => Math.min(left, right)),
      low,
    ) &&
    isSame(bars.close.at(-1) ?? Number.NaN, close)
  );
};

/** Returns whether each day of a span of time that is no weekend has bars, and none is missing between those of a day. */
const isGapless = (
  calendar: Calendar,
  timeframe: SourceTimeframe,
  { start: starts }: BarColumns,
  [start, end]: readonly [number, number],
): boolean => {
  const length = INTRADAY_MS[timeframe];
  let index = 0;
  for (let day = dayAt(calendar, start); day.start < end; day = dayAt(calendar, day.end)) {
    if (Number.isNaN(day.open)) continue;
    const from = index;
    while ((starts[index] ?? day.end) < day.end) {
      const before = starts[index - 1] ?? 0;
      if (index > from && starts[index] !== (length && slotEnd(day, length, before))) return false;
      index += 1;
    }
    if (index === from) return false;
  }
  return true;
};

/** Returns whether bars are all that the sessions of a span of time should have. */
const isWhole = (
  calendar: Calendar,
  timeframe: SourceTimeframe,
  bars: BarColumns,
  [start, end]: readonly [number, number],
): boolean => {
  if (!calendar.sessionsKnown) return isGapless(calendar, timeframe, bars, [start, end]);
  const counted = bars.start.filter((at) => isInSession(dayAt(calendar, at), timeframe, at)).length;
  return counted >= expectedBars(calendar, timeframe, start, end);
};

/** Returns the end of the time that the smaller bars of a bar cover. */
export const endOfCovered = ({ calendar, timeframe, bar }: CoveredBar): number =>
  endOfPeriod(calendar, timeframe, bar[0] ?? Number.NaN);

/**
 * Returns the smaller bars that make up a bar: all that its sessions should have, with its prices. undefined if some are
 * missing, or if they tell of other prices. If the sessions are not known, none may be missing between those of a day.
 * Smaller bars of another anchor make up days and weeks, and bars of hours and minutes only if they start on their grid.
 */
export const coveringBars = (covered: CoveredBar, smaller: SmallerSeries): BarColumns | undefined => {
  const { bar } = covered;
  const { timeframe, bars } = smaller;
  const start = bar[0] ?? Number.NaN;
  const end = endOfCovered(covered);
  const within = sliceBars(bars, firstBarFrom(bars, start), firstBarFrom(bars, end));
  const { calendar } = INTRADAY_MS[covered.timeframe] === undefined ? smaller : covered;
  if (!within.start.every((at) => isOnGrid(calendar, timeframe, at))) return undefined;
  const { startOf } = periodsOf(calendar, timeframe, covered.timeframe);
  const rows = Array.from(within.start.keys()).filter(
    (index) => startOf(within.start[index] ?? Number.NaN) === start,
  );
  if (rows.length === 0) return undefined;
  const own = rows.length === barCount(within) ? within : pick(within, rows);
  return isWhole(calendar, timeframe, own, [start, end]) && hasPrices(own, bar) ? own : undefined;
};

const pick = (bars: BarColumns, rows: readonly number[]): BarColumns =>
  columnsOf(
    rows.map((index) => {
      const row = new Float64Array(6);
      readBar(bars, index, row);
      const [start = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = row;
      return { start, open, high, low, close, volume };
    }),
  );
