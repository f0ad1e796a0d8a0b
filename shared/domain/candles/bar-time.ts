import type { Timeframe } from '../strategies/strategies.ts';
import { type Calendar, dayAt, weekStartOf } from './calendar.ts';
import type { TimeZone } from './time-zone.ts';
import { INTRADAY_MS } from './timeframes.ts';

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const EPOCH = /^\d{9,13}$/;
const DAY_MS = 24 * 3_600_000;
/** Epochs below this are seconds. */
const FIRST_MS = 1e11;

const momentOf = (text: string, zone: TimeZone): number | undefined => {
  if (EPOCH.test(text)) return Number(text) < FIRST_MS ? Number(text) * 1000 : Number(text);
  if (ZONED.test(text)) return Date.parse(text.replace(' ', 'T'));
  const [, date, time] = LOCAL.exec(text) ?? [];
  return date === undefined ? undefined : zone.instantOf(Date.parse(`${date}T${time ?? '00:00'}Z`));
};

/** Returns the local midnight of a daily or weekly bar's day, as if it were UTC. */
const dayOf = (text: string, zone: TimeZone): number | undefined => {
  const [, date] = LOCAL.exec(text) ?? [];
  if (date !== undefined) return Date.parse(`${date}T00:00Z`);
  const at = momentOf(text, zone);
  if (at === undefined) return undefined;
  // Many sources mark days by midnight in UTC.
  return at % DAY_MS === 0 ? at : Math.floor((at + zone.offsetAt(at)) / DAY_MS) * DAY_MS;
};

/**
 * Reads the time of a bar in a file: ISO-8601 with a time zone, a local time, a date, or seconds or milliseconds since
 * 1970. Daily bars are named by their date, weekly bars by any day of their week.
 *
 * @param zone time zone of local times.
 * @returns the start of the bar; undefined if the text is no time.
 */
export const parseBarTime = (
  text: string,
  calendar: Calendar,
  timeframe: Timeframe,
  zone: TimeZone,
): number | undefined => {
  const at = INTRADAY_MS[timeframe] === undefined ? dayOf(text, calendar.timeZone) : momentOf(text, zone);
  if (at === undefined || Number.isNaN(at)) return undefined;
  if (INTRADAY_MS[timeframe] !== undefined) return at;
  const start = calendar.timeZone.instantOf(at);
  return timeframe === '1w' ? weekStartOf(calendar, dayAt(calendar, start)) : start;
};
