import * as z from 'zod';

/** A day of the calendar in UTC, `2025-11-20`. */
export const daySchema = z.iso.date();
export type Day = z.output<typeof daySchema>;

const DAY_MS = 86_400_000;
const THURSDAY = 4;
const DAYS_OF_WEEK = 7;
const MONDAY = 1;
const FRIDAY = 5;

export const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/** The first instant of a day. */
export const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

export const addDays = (day: Day, days: number): Day => dayOf(startOf(day) + days * DAY_MS);

export const daysBetween = (from: Day, to: Day): number => Math.round((startOf(to) - startOf(from)) / DAY_MS);

/** Sunday is 0. The epoch was a Thursday. */
const weekdayOf = (day: Day): number => {
  const days = Math.round(startOf(day) / DAY_MS) + THURSDAY;
  return ((days % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
};

export const isWeekday = (day: Day): boolean => weekdayOf(day) >= MONDAY && weekdayOf(day) <= FRIDAY;

/** The Monday of the day's ISO week. */
export const weekOf = (day: Day): Day =>
  addDays(day, -((weekdayOf(day) + DAYS_OF_WEEK - MONDAY) % DAYS_OF_WEEK));

/** The month of a day, `2025-11`. */
export const monthOf = (day: Day): string => day.slice(0, 7);
