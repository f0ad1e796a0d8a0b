import type { Timeframe } from '../strategies/strategies.ts';
import { type BarColumns, barCount, sliceBars } from './bars.ts';
import { type Calendar, dayAt } from './calendar.ts';
import { endOfPeriod, periodsOf } from './periods.ts';
import { expectedBars, isInSession } from './sessions.ts';
import type { SourceTimeframe } from './timeframes.ts';

/** Bars derived from smaller ones. */
export interface DerivedBars {
  readonly bars: BarColumns;
  /** 1 for each bar that is not closed yet, or lacks smaller bars that its sessions should have. */
  readonly incomplete: Uint8Array;
}

const emptyColumns = (count: number): BarColumns => ({
  start: new Float64Array(count),
  open: new Float64Array(count),
  high: new Float64Array(count),
  low: new Float64Array(count),
  close: new Float64Array(count),
  volume: new Float64Array(count),
});

/**
 * Derives bars of a higher timeframe by the calendar. Bars outside the session count for bars of hours and minutes, not
 * for days and weeks.
 */
export const deriveBars = (
  bars: BarColumns,
  calendar: Calendar,
  timeframe: SourceTimeframe,
  higher: Timeframe,
): DerivedBars => {
  const count = barCount(bars);
  const periods = periodsOf(calendar, timeframe, higher);
  const made = emptyColumns(count);
  const incomplete = new Uint8Array(count);
  const { start, open, high, low, close, volume } = bars;
  let length = 0;
  let period = Number.NaN;
  let closed = false;
  let counted = 0;
  let day = dayAt(calendar, start[0] ?? 0);

  /** Flags the last bar made. */
  const finish = (place: 'followed' | 'last'): void => {
    if (length === 0) return;
    const lacks = counted < expectedBars(calendar, timeframe, period, endOfPeriod(calendar, higher, period));
    incomplete[length - 1] = lacks || !(closed || place === 'followed') ? 1 : 0;
  };

  for (let index = 0; index < count; index++) {
    const at = start[index] ?? Number.NaN;
    const own = periods.startOf(at);
    if (Number.isNaN(own)) continue;
    if (own !== period) {
      finish('followed');
      period = own;
      closed = false;
      counted = 0;
      made.start[length] = own;
      made.open[length] = open[index] ?? Number.NaN;
      made.high[length] = Number.NEGATIVE_INFINITY;
      made.low[length] = Number.POSITIVE_INFINITY;
      length += 1;
    }
    const to = length - 1;
    made.high[to] = Math.max(made.high[to] ?? 0, high[index] ?? Number.NaN);
    made.low[to] = Math.min(made.low[to] ?? 0, low[index] ?? Number.NaN);
    made.close[to] = close[index] ?? Number.NaN;
    made.volume[to] = (made.volume[to] ?? 0) + (volume[index] ?? Number.NaN);
    if (at < day.start || at >= day.end) day = dayAt(calendar, at);
    if (isInSession(day, timeframe, at)) counted += 1;
    closed = periods.closesWith(at);
  }
  finish('last');
  return { bars: sliceBars(made, 0, length), incomplete: incomplete.subarray(0, length) };
};
