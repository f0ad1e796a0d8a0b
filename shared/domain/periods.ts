import * as z from 'zod';

/** A calendar day in UTC, `2025-11-20`. */
export const daySchema = z.iso.date();
export type Day = z.output<typeof daySchema>;

const DAY_MS = 86_400_000;
const THURSDAY = 4;
const DAYS_OF_WEEK = 7;
const MONDAY = 1;

/** Texts of days by their number since 1970. A request asks for few days, but often. */
const texts = new Map<number, Day>();
const MOST_TEXTS = 1000;

/** Returns the UTC day of a time in milliseconds. */
export const dayOf = (at: number): Day => {
  const number = Math.floor(Math.trunc(at) / DAY_MS);
  const known = texts.get(number);
  if (known !== undefined) return known;
  const day = new Date(at).toISOString().slice(0, 10);
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(number, day);
  return day;
};

/** Returns the first instant of a day, in milliseconds. */
export const startOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** Returns the day that is `days` later. */
export const addDays = (day: Day, days: number): Day => dayOf(startOf(day) + days * DAY_MS);

/** Returns the number of days from one day to another. */
export const daysBetween = (from: Day, to: Day): number => Math.round((startOf(to) - startOf(from)) / DAY_MS);

/** Returns the weekday; Sunday is 0. The epoch was a Thursday. */
const weekdayOf = (day: Day): number => {
  const days = Math.round(startOf(day) / DAY_MS) + THURSDAY;
  return ((days % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
};

/** Returns the Monday of the day's ISO week. */
export const weekOf = (day: Day): Day =>
  addDays(day, -((weekdayOf(day) + DAYS_OF_WEEK - MONDAY) % DAYS_OF_WEEK));

/** Returns the month of a day, `2025-11`. */
export const monthOf = (day: Day): string => day.slice(0, 7);
