import { TimeZone } from '../candles/time-zone.ts';
import type { Hours } from './limits.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const THURSDAY = 3;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const isDayIn = (weekdays: Hours['weekdays'], day: number): boolean => {
  const name = DAYS[(((day + THURSDAY) % DAYS.length) + DAYS.length) % DAYS.length];
  return weekdays === undefined || (name !== undefined && weekdays.includes(name));
};

/**
 * Returns whether a moment lies in hours. The part after midnight of hours that pass midnight belongs to the weekday on
 * which they begin. Equal times mean the whole day.
 */
export const isOpenAt = ({ time_zone, weekdays, from, to }: Hours, at: number): boolean => {
  const local = Math.floor((at + TimeZone.of(time_zone).offsetAt(at)) / MINUTE_MS);
  const day = Math.floor(local / DAY_MINUTES);
  const minute = local - day * DAY_MINUTES;
  const [first, end] = [minutesOf(from), minutesOf(to)];
  if (first < end) return minute >= first && minute < end && isDayIn(weekdays, day);
  if (minute >= first) return isDayIn(weekdays, day);
  return minute < end && isDayIn(weekdays, day - 1);
};

/** Returns whether the weekday of a moment is one of hours, whatever the time of day. */
export const isDayOpenAt = ({ time_zone, weekdays }: Hours, at: number): boolean => {
  const local = Math.floor((at + TimeZone.of(time_zone).offsetAt(at)) / MINUTE_MS);
  return isDayIn(weekdays, Math.floor(local / DAY_MINUTES));
};
