import { writtenTime } from '../read-time.ts';
import type { Timeframe } from '../strategies/strategies.ts';
import { type Calendar, dayAt, weekStartOf } from './calendar.ts';
import { TimeZone } from './time-zone.ts';
import { INTRADAY_MS } from './timeframes.ts';

/** Matches seconds and milliseconds, microseconds, and nanoseconds since 1970. */
const EPOCH = /^(?:\d{9,13}|\d{15,16}|\d{18,19})$/;
const DAY_MS = 24 * 3_600_000;
/** Epochs below this are seconds. */
const FIRST_MS = 1e11;
const MS_DIGITS = 13;

const NO_TIME = 'the time is no date or time that exists';

const epochOf = (text: string): number | undefined => {
  if (!EPOCH.test(text)) return undefined;
  if (text.length > MS_DIGITS) return Number(text.slice(0, text.length > 16 ? -6 : -3));
  return Number(text) < FIRST_MS ? Number(text) * 1000 : Number(text);
};

/** Returns the moment of a text, or the reason why it has none. */
const momentOf = (text: string, zone: TimeZone): number | string => {
  const epoch = epochOf(text);
  if (epoch !== undefined) return epoch;
  const written = writtenTime(text);
  if (!written) return NO_TIME;
  const { local, offset } = written;
  if (offset !== undefined) return local - offset;
  const at = zone.instantOf(local);
  if (at + zone.offsetAt(at) === local) return at;
  return `the local time does not exist in ${zone.name}, where clocks are put forward`;
};

/** Calendars whose trading day goes from 17:00 to 17:00 in New York, and has the date of its end. */
const OVERNIGHT: ReadonlySet<string> = new Set(['forex', 'cfd']);
const OVERNIGHT_START_MS = 17 * 3_600_000;

const startsOvernight = ({ id }: Calendar, at: number): boolean => {
  if (!OVERNIGHT.has(id)) return false;
  const local = at + TimeZone.of('America/New_York').offsetAt(at);
  return local % DAY_MS === OVERNIGHT_START_MS;
};

/** Returns the local midnight of a daily or weekly bar's day, as if it were UTC, or the reason why there is none. */
const dayOf = (text: string, calendar: Calendar): number | string => {
  const zone = calendar.timeZone;
  const written = writtenTime(text);
  // A midnight names the day of its own time zone, which need not be the exchange's.
  if (written && (written.offset === undefined || written.local % DAY_MS === 0)) {
    return Math.floor(written.local / DAY_MS) * DAY_MS;
  }
  const at = momentOf(text, zone);
  // Many sources mark days by midnight in UTC.
  if (typeof at === 'string' || at % DAY_MS === 0) return at;
  const day = Math.floor((at + zone.offsetAt(at)) / DAY_MS) * DAY_MS;
  return startsOvernight(calendar, at) ? day + DAY_MS : day;
};

/**
 * Reads the time of a bar in a file: ISO-8601 with a time zone, a local time, a date, or seconds, milliseconds,
 * microseconds or nanoseconds since 1970. Daily bars are named by their date, weekly bars by any day of their week.
 *
 * @param zone time zone of local times.
 * @returns the start of the bar, or the reason why the text is no time.
 */
export const parseBarTime = (
  text: string,
  calendar: Calendar,
  timeframe: Timeframe,
  zone: TimeZone,
): number | string => {
  if (INTRADAY_MS[timeframe] !== undefined) return momentOf(text, zone);
  const day = dayOf(text, calendar);
  if (typeof day === 'string') return day;
  const start = calendar.timeZone.instantOf(day);
  return timeframe === '1w' ? weekStartOf(calendar, dayAt(calendar, start)) : start;
};
