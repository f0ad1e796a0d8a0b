import type { Day } from '../periods.ts';
import { dayOf as utcDayOf, startOf as utcStartOf } from '../periods.ts';
import type { Timeframe } from '../strategies/strategies.ts';
import { baseCalendarId } from './anchor.ts';
import { type Calendar, calendarById, dayAt } from './calendar.ts';
import { TimeZone } from './time-zone.ts';
import { INTRADAY_MS } from './timeframes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 7;
/** Monday is 0. The epoch was a Thursday. */
const EPOCH_WEEKDAY = 3;
const FRIDAY = 4;
const SATURDAY = 5;
const SUNDAY = 6;

/** Calendars of markets over the counter, whose day ends at 17:00 in New York. */
const OVER_THE_COUNTER: ReadonlySet<string> = new Set(['forex', 'cfd']);
const ALWAYS_OPEN = 'always';

const YEAR_DAYS = { always: 365, weekdays: 260, exchange: 252 } as const;

/**
 * Trading days of an account, from the calendars of its symbols. Currencies, metals and other markets over the counter
 * change day at 17:00 in New York, and their weekend belongs to Monday. An exchange changes day at its midnight. Markets
 * that never close, and accounts over several kinds of days, change day at 00:00 UTC.
 */
export interface TradingDays {
  readonly calendars: readonly string[];
  /** Days of a year on which at least one of the symbols trades. */
  readonly perYear: number;
  /** Returns the trading day of a moment. */
  readonly dayOf: (at: number) => Day;
  /** Returns the first moment of a day. Days of a weekend that belongs to Monday are empty. */
  readonly startOf: (day: Day) => number;
  /** Returns whether at least one of the symbols trades on a day. */
  readonly isOpenOn: (day: Day) => boolean;
  /** Returns the trading day of a moment, in days since the epoch. */
  readonly numberOf: (at: number) => number;
  /** Returns the first moment after a day that is given in days since the epoch. */
  readonly endOf: (number: number) => number;
  /** Returns the days between two days, without them, on which a calendar with known holidays has a session. */
  readonly openBetween: (from: number, to: number) => number;
}

/** Change of days: at midnight of a time zone, or some hours before. */
interface Change {
  readonly zone: TimeZone;
  readonly hoursBefore: number;
  /** True if Saturday and Sunday belong to Monday. */
  readonly weekendIsMonday: boolean;
}

const UTC = TimeZone.of('UTC');

const isOverTheCounter = (id: string): boolean => OVER_THE_COUNTER.has(id);

const changeOf = (calendars: readonly Calendar[]): Change => {
  const [first, ...others] = calendars;
  if (calendars.some(({ id }) => id === ALWAYS_OPEN) || first === undefined) {
    return { zone: UTC, hoursBefore: 0, weekendIsMonday: false };
  }
  if (calendars.every(({ id }) => isOverTheCounter(id))) {
    return { zone: TimeZone.of('America/New_York'), hoursBefore: 7, weekendIsMonday: true };
  }
  const { timeZone: zone } = first;
  return others.every(({ id, timeZone }) => timeZone === zone && !isOverTheCounter(id)) &&
    !isOverTheCounter(first.id)
    ? { zone, hoursBefore: 0, weekendIsMonday: false }
    : { zone: UTC, hoursBefore: 0, weekendIsMonday: true };
};

const perYearOf = (ids: readonly string[]): number => {
  if (ids.includes(ALWAYS_OPEN)) return YEAR_DAYS.always;
  // Exchanges rest on different holidays, so that one of several is open on nearly every weekday.
  return ids.length > 1 || ids.some(isOverTheCounter) ? YEAR_DAYS.weekdays : YEAR_DAYS.exchange;
};

const weekdayOf = (number: number): number =>
  (((number + EPOCH_WEEKDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS;

/** Returns whether a calendar has a session within a span of time. */
const hasSession = (calendar: Calendar, from: number, to: number): boolean => {
  for (let day = dayAt(calendar, from); day.start < to; day = dayAt(calendar, day.end)) {
    if (day.open < to && day.close > from) return true;
  }
  return false;
};

const makeDays = (ids: readonly string[]): TradingDays => {
  const calendars = ids.map(calendarById);
  const { zone, hoursBefore, weekendIsMonday } = changeOf(calendars);
  const shift = hoursBefore * HOUR_MS;
  const numberOf = (at: number): number => {
    const number = Math.floor((at + zone.offsetAt(at) + shift) / DAY_MS);
    if (!weekendIsMonday) return number;
    const weekday = weekdayOf(number);
    return weekday < SATURDAY ? number : number + WEEK_DAYS - weekday;
  };
  const startOf = (number: number): number => {
    const weekday = weekdayOf(number);
    const sinceSaturday = (weekday + WEEK_DAYS - SATURDAY) % WEEK_DAYS;
    const first = weekendIsMonday && sinceSaturday <= 2 ? number - sinceSaturday : number;
    return zone.instantOf(first * DAY_MS - shift);
  };
  const textOf = (number: number): Day => utcDayOf(number * DAY_MS);
  const isOpen = (number: number, among: readonly Calendar[]): boolean => {
    const [from, to] = [startOf(number), startOf(number + 1)];
    return from < to && among.some((calendar) => hasSession(calendar, from, to));
  };
  const withHolidays = calendars.filter(({ sessionsKnown }) => sessionsKnown);
  const numberOfDay = (day: Day): number => utcStartOf(day) / DAY_MS;
  return {
    calendars: ids,
    perYear: perYearOf(ids),
    dayOf: (at) => textOf(numberOf(at)),
    startOf: (day) => startOf(numberOfDay(day)),
    isOpenOn: (day) => isOpen(numberOfDay(day), calendars),
    numberOf,
    endOf: (number) => startOf(number + 1),
    openBetween: (from, to) => {
      if (ids.includes(ALWAYS_OPEN)) return Math.max(0, to - from - 1);
      let count = 0;
      for (let number = from + 1; number < to; number += 1) {
        // Weekends are most of the days without bars.
        if (weekdayOf(number) < SATURDAY && isOpen(number, withHolidays)) count += 1;
      }
      return count;
    },
  };
};

/** Combinations of calendars that are kept. */
const MAX_KNOWN = 200;
const known = new Map<string, TradingDays>();

/**
 * Returns the trading days of an account over calendars, in any order; those of UTC without any.
 *
 * @throws RangeError if there is no calendar of an id.
 */
export const tradingDaysOf = (calendars: readonly string[]): TradingDays => {
  const key = calendars.join();
  const found = known.get(key);
  if (found) return found;
  const days = makeDays([...new Set(calendars.map(baseCalendarId))].sort());
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, days);
  return days;
};

/** Days of the bars of a timeframe, in days since the epoch. */
export interface BarDays {
  readonly numberOf: (barStart: number) => number;
  /** Returns the first start of a bar that may belong to a later day. */
  readonly endOf: (number: number) => number;
  /** Returns the trading days between two days that have no bar: equity stays as it was. */
  readonly openBetween: (from: number, to: number) => number;
}

/**
 * Returns the days that the bars of a timeframe belong to: the one on which a bar of minutes or hours begins, the one of
 * a daily bar, the last one of a weekly bar: Friday, or Sunday with a market that never closes. Daily bars begin at
 * midnight of their own exchange, so that their middle is on the same date everywhere.
 */
export const barDaysOf = (days: TradingDays, timeframe: Timeframe): BarDays => {
  if (INTRADAY_MS[timeframe] !== undefined) return days;
  const dayOfMiddle = (start: number): number => days.numberOf(start + DAY_MS / 2);
  const lastOfWeek = days.calendars.includes(ALWAYS_OPEN) ? SUNDAY : FRIDAY;
  return {
    numberOf:
      timeframe === '1d'
        ? dayOfMiddle
        : (start) => {
            const first = dayOfMiddle(start);
            return first + ((lastOfWeek + WEEK_DAYS - weekdayOf(first)) % WEEK_DAYS);
          },
    endOf: () => Number.NEGATIVE_INFINITY,
    openBetween: timeframe === '1d' ? days.openBetween : () => 0,
  };
};
