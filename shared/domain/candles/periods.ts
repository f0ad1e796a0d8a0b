import type { Timeframe } from '../strategies/strategies.ts';
import { type Calendar, type CalendarDay, dayAt, weekStartOf } from './calendar.ts';
import { slotEnd, slotStart } from './grid.ts';
import { INTRADAY_MS } from './timeframes.ts';

const DAYS_OF_WEEK = 7;

/**
 * Tells the bar of a higher timeframe that each bar belongs to, and the bar with which it closes. Depends on the bar's
 * start only, never on other bars, so that a backtest and a feed agree.
 */
export interface Periods {
  /**
   * Returns the start of the higher bar that a bar belongs to; NaN if it belongs to none. Bars before and after the
   * session belong to no day and no week. Bars after the close belong to no bar that the close has cut short.
   */
  readonly startOf: (barStart: number) => number;
  /**
   * Returns whether a bar is the last of its higher bar by the calendar, so that the higher bar closes with it. If that
   * bar is missing, the higher bar closes with the first bar that belongs to another one.
   */
  readonly closesWith: (barStart: number) => boolean;
}

/** Returns the start of the bar that contains a moment. Hours without a session belong to the bars of the grid too. */
export const barStartAt = (calendar: Calendar, timeframe: Timeframe, at: number): number => {
  const day = dayAt(calendar, at);
  const length = INTRADAY_MS[timeframe];
  if (length !== undefined) return slotStart(day, length, at);
  return timeframe === '1d' ? day.start : weekStartOf(calendar, day);
};

const isOutside = (day: CalendarDay, at: number, length: number): boolean =>
  !(slotEnd(day, length, at) > day.open && at < day.close);

const reachesClose = (day: CalendarDay, at: number, length: number): boolean =>
  at < day.close && slotEnd(day, length, at) >= day.close;

/**
 * Returns the periods of a higher timeframe for bars of a timeframe. The timeframe `1d` for bars of minutes or hours
 * gives sessions: their bars and their last bar.
 */
export const periodsOf = (calendar: Calendar, timeframe: Timeframe, higher: Timeframe): Periods => {
  const length = INTRADAY_MS[timeframe];
  const higherLength = INTRADAY_MS[higher];
  let day: CalendarDay | undefined;
  const dayOf = (at: number): CalendarDay => {
    if (day === undefined || at < day.start || at >= day.end) day = dayAt(calendar, at);
    return day;
  };

  if (timeframe === higher) return { startOf: (at) => at, closesWith: () => true };

  if (higherLength !== undefined && length !== undefined) {
    return {
      startOf: (at) => {
        const today = dayOf(at);
        const bucket = slotStart(today, higherLength, at);
        return bucket < today.close && today.close <= at ? Number.NaN : bucket;
      },
      closesWith: (at) => {
        const today = dayOf(at);
        return (
          slotEnd(today, length, at) >= slotEnd(today, higherLength, at) || reachesClose(today, at, length)
        );
      },
    };
  }

  const startOf = higher === '1d' ? (today: CalendarDay) => today.start : weekStart(calendar);
  const isLastDay = (today: CalendarDay): boolean =>
    higher === '1d' || today.weekday === calendar.lastWeekday;
  if (length === undefined) {
    return { startOf: (at) => startOf(dayOf(at)), closesWith: (at) => isLastDay(dayOf(at)) };
  }
  return {
    startOf: (at) => {
      const today = dayOf(at);
      return isOutside(today, at, length) ? Number.NaN : startOf(today);
    },
    closesWith: (at) => {
      const today = dayOf(at);
      return isLastDay(today) && reachesClose(today, at, length);
    },
  };
};

/** Returns a function that tells the start of a day's week, with the last week cached. */
const weekStart = (calendar: Calendar): ((day: CalendarDay) => number) => {
  let last: CalendarDay | undefined;
  let start = Number.NaN;
  return (day) => {
    if (day !== last) {
      last = day;
      start = weekStartOf(calendar, day);
    }
    return start;
  };
};

/** Returns the end of a higher bar. */
export const endOfPeriod = (calendar: Calendar, higher: Timeframe, start: number): number => {
  const day = dayAt(calendar, start);
  const length = INTRADAY_MS[higher];
  if (length !== undefined) return slotEnd(day, length, start);
  if (higher === '1d') return day.end;
  let last = day;
  for (let days = 1; days < DAYS_OF_WEEK; days++) last = dayAt(calendar, last.end);
  return last.end;
};

/** Returns whether a bar starts on the grid of its timeframe. */
export const isOnGrid = (calendar: Calendar, timeframe: Timeframe, at: number): boolean =>
  at === barStartAt(calendar, timeframe, at);
