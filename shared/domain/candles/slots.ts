import type { Timeframe } from '../strategies/strategies.ts';
import { type Calendar, type CalendarDay, dayAt, weekStartOf } from './calendar.ts';
import { slotEnd, slotStart } from './grid.ts';
import { endOfPeriod } from './periods.ts';
import { INTRADAY_MS } from './timeframes.ts';

/** Longest time without a session, in days. */
const MAX_CLOSED_DAYS = 30;

/** Returns the earliest start of a later bar of the series. */
export const nextStart = (calendar: Calendar, timeframe: Timeframe, start: number): number => {
  const length = INTRADAY_MS[timeframe];
  const day = dayAt(calendar, start);
  return length === undefined ? day.end : slotEnd(day, length, start);
};

/** Returns the start of a day's last bar that has closed by a moment; undefined if none has. */
const lastOfDay = (day: CalendarDay, length: number | undefined, at: number): number | undefined => {
  if (Number.isNaN(day.open)) return undefined;
  if (length === undefined) return at >= day.close ? day.start : undefined;
  const first = slotStart(day, length, day.open);
  const end = at >= day.close ? day.close : slotStart(day, length, at);
  return end > first ? slotStart(day, length, end - 1) : undefined;
};

/**
 * Returns the start of the last bar of a session that has closed by a moment; undefined if there was no session for a
 * month.
 */
export const lastClosedSlot = (calendar: Calendar, timeframe: Timeframe, at: number): number | undefined => {
  const length = INTRADAY_MS[timeframe];
  let day = dayAt(calendar, at);
  for (let days = 0; days < MAX_CLOSED_DAYS; days++) {
    const found = lastOfDay(day, length, at);
    if (found !== undefined) return found;
    day = dayAt(calendar, day.start - 1);
  }
  return undefined;
};

/** Returns the start of the first bar of a day's session after a moment; undefined if there is none. */
const firstAfter = (day: CalendarDay, length: number | undefined, at: number): number | undefined => {
  if (Number.isNaN(day.open)) return undefined;
  if (length === undefined) return day.start > at ? day.start : undefined;
  const next = at < day.start ? day.start : slotEnd(day, length, at);
  const start = Math.max(slotStart(day, length, day.open), next);
  return start < day.close ? start : undefined;
};

/** Returns the start of the next bar of a session after a bar; undefined if there is no session for a month. */
export const nextSlot = (calendar: Calendar, timeframe: Timeframe, start: number): number | undefined => {
  if (timeframe === '1w') {
    return weekStartOf(calendar, dayAt(calendar, endOfPeriod(calendar, timeframe, start)));
  }
  let day = dayAt(calendar, start);
  for (let days = 0; days < MAX_CLOSED_DAYS; days++) {
    const found = firstAfter(day, INTRADAY_MS[timeframe], start);
    if (found !== undefined) return found;
    day = dayAt(calendar, day.end);
  }
  return undefined;
};
