import type { Timeframe } from '../strategies/strategies.ts';
import { type Calendar, type CalendarDay, dayAt, weekStartOf } from './calendar.ts';
import { endOfPeriod } from './periods.ts';
import { INTRADAY_MS } from './timeframes.ts';

/** Longest time without a session, in days. */
const MAX_CLOSED_DAYS = 30;

/** Returns the moment at which a bar of a session closes. The close of the session cuts a bar short. */
export const closeOfBar = (calendar: Calendar, timeframe: Timeframe, start: number): number => {
  const length = INTRADAY_MS[timeframe];
  const { close } = dayAt(calendar, start);
  if (length === undefined) return close;
  return start < close ? Math.min(start + length, close) : start + length;
};

/** Returns the earliest start of a later bar of the series. */
export const nextStart = (calendar: Calendar, timeframe: Timeframe, start: number): number => {
  const length = INTRADAY_MS[timeframe];
  const { end } = dayAt(calendar, start);
  return length === undefined ? end : Math.min(start + length, end);
};

/** Returns the start of a day's last bar that has closed by a moment; undefined if none has. */
const lastOfDay = (day: CalendarDay, length: number | undefined, at: number): number | undefined => {
  if (Number.isNaN(day.open)) return undefined;
  if (length === undefined) return at >= day.close ? day.start : undefined;
  const first = Math.floor((day.open - day.start) / length);
  const last =
    at >= day.close
      ? Math.ceil((day.close - day.start) / length) - 1
      : Math.floor((at - day.start) / length) - 1;
  return last >= first ? day.start + last * length : undefined;
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
  const opening = Math.floor((day.open - day.start) / length);
  const next = Math.floor((at - day.start) / length) + 1;
  const start = day.start + Math.max(opening, next) * length;
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
