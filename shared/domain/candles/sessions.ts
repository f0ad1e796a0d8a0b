import { type Calendar, type CalendarDay, dayAt } from './calendar.ts';
import { slotEnd } from './grid.ts';
import { INTRADAY_MS, type SourceTimeframe } from './timeframes.ts';

/** Returns whether a bar of a day overlaps its session. Daily bars do if there is a session. */
export const isInSession = (day: CalendarDay, timeframe: SourceTimeframe, at: number): boolean => {
  const length = INTRADAY_MS[timeframe];
  return length === undefined
    ? !Number.isNaN(day.open)
    : slotEnd(day, length, at) > day.open && at < day.close;
};

/** Counts the bars of a day that overlap its session and start in `[from, to)`. */
const barsOfDay = (day: CalendarDay, length: number, from: number, to: number): number => {
  if (Number.isNaN(day.open)) return 0;
  const slotFrom = (at: number): number => Math.ceil((at - day.grid) / length);
  const first = Math.max(Math.floor((day.open - day.grid) / length), slotFrom(from));
  const last = Math.min(slotFrom(day.close), slotFrom(to));
  return Math.max(0, last - first);
};

/**
 * Counts the bars that a complete series has from `from` to `to`, without `to`: those that overlap a session. Counts
 * none for a calendar whose sessions are not known.
 */
export const expectedBars = (
  calendar: Calendar,
  timeframe: SourceTimeframe,
  from: number,
  to: number,
): number => {
  if (!calendar.sessionsKnown) return 0;
  const length = INTRADAY_MS[timeframe];
  let count = 0;
  for (let day = dayAt(calendar, from); day.start < to; day = dayAt(calendar, day.end)) {
    if (length !== undefined) count += barsOfDay(day, length, from, to);
    else if (day.start >= from && !Number.isNaN(day.open)) count += 1;
  }
  return count;
};
