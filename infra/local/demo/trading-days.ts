/** The calendar by which an instrument of the demo data trades. */
export type Market = 'us_shares' | 'forex' | 'crypto';

const DAY = 24 * 3_600_000;

const utc = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day);

/** Moves a holiday of a weekend to the Friday before or the Monday after. */
const observed = (time: number): number => {
  const weekday = new Date(time).getUTCDay();
  if (weekday === 6) return time - DAY;
  return weekday === 0 ? time + DAY : time;
};

/** Returns the nth weekday of a month; the last one where n is -1. Weekdays count from Sunday, 0. */
const nthWeekday = (year: number, month: number, weekday: number, n: number): number => {
  const first = n > 0 ? utc(year, month, 1) : utc(year, month + 1, 0);
  const offset = (weekday - new Date(first).getUTCDay()) * Math.sign(n);
  return first + Math.sign(n) * (((offset + 7) % 7) + (Math.abs(n) - 1) * 7) * DAY;
};

/** Easter Sunday by the Gregorian rule (Meeus, Astronomical Algorithms, chapter 8). */
const easter = (year: number): number => {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return utc(year, Math.floor(n / 31), (n % 31) + 1);
};

/** Full-day holidays of the New York Stock Exchange, by its Rule 7.2. A New Year on a Saturday is not moved. */
const nyseHolidays = (year: number): number[] => {
  const newYear = utc(year, 1, 1);
  return [
    ...(new Date(newYear).getUTCDay() === 6 ? [] : [observed(newYear)]),
    nthWeekday(year, 1, 1, 3),
    nthWeekday(year, 2, 1, 3),
    easter(year) - 2 * DAY,
    nthWeekday(year, 5, 1, -1),
    observed(utc(year, 6, 19)),
    observed(utc(year, 7, 4)),
    nthWeekday(year, 9, 1, 1),
    nthWeekday(year, 11, 4, 4),
    observed(utc(year, 12, 25)),
  ];
};

/** Says whether a market trades on the day that begins at this UTC midnight. */
export const isTradingDay = (market: Market, midnight: number): boolean => {
  if (market === 'crypto') return true;
  const date = new Date(midnight);
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const year = date.getUTCFullYear();
  const holidays = market === 'us_shares' ? nyseHolidays(year) : [utc(year, 1, 1), utc(year, 12, 25)];
  return !holidays.includes(midnight);
};

/** Hours of a day, in UTC, that lie within the market's session in summer and in winter. */
export const SESSION: Readonly<Record<Market, { entry: number; exit: number; close: number }>> = {
  us_shares: { entry: 15, exit: 19, close: 20 },
  forex: { entry: 7, exit: 16, close: 20 },
  crypto: { entry: 6, exit: 18, close: 23 },
};
