import { type AssetClass, DEMO_EXCHANGE } from '../instruments/instruments.ts';
import { anchorOf, baseCalendarId, isOpening } from './anchor.ts';
import { CFDS, FOREX, type MarketHours, US_EQUITIES } from './market-hours.ts';
import { TimeZone } from './time-zone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const THURSDAY = 4;
const SATURDAY = 6;
const FRIDAY = 5;

/** A day of a calendar, in milliseconds since the epoch. */
export interface CalendarDay {
  /** First moment, and the first moment of the next day. */
  readonly start: number;
  readonly end: number;
  /** Origin of the grid of bars of minutes and hours: the start, or the time at which sessions regularly open. */
  readonly grid: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** First and last moment of the session; NaN if there is none. */
  readonly open: number;
  readonly close: number;
}

/**
 * Days, weeks and sessions of an exchange. Bars are on the grid of its time zone: daily bars start at midnight there,
 * and bars of hours and minutes at multiples of their length before and after the origin of the day's grid. Weeks end
 * with Friday, or with Sunday if every day has a session.
 */
export interface Calendar {
  readonly id: string;
  /** Time zone of days, bars and rules. */
  readonly timeZone: TimeZone;
  /** First weekday with a session; weekly bars start on it. */
  readonly firstWeekday: number;
  /** Weekday that ends a week. */
  readonly lastWeekday: number;
  /** false if sessions and holidays are not known: then every weekday is one long session. */
  readonly sessionsKnown: boolean;
  /** Local time at which sessions regularly open; undefined if it is not known, or if the market is open at night. */
  readonly opening: string | undefined;
  /** Returns the day that begins at a local midnight, given as if it were UTC. */
  readonly dayOf: (localMidnight: number) => CalendarDay;
}

const weekdayOf = (localMidnight: number): number => {
  const days = Math.round(localMidnight / DAY_MS) + THURSDAY;
  return ((days % 7) + 7) % 7;
};

/** Returns the local midnight before a moment, as if it were UTC. */
const localMidnightOf = (zone: TimeZone, at: number): number =>
  Math.floor((at + zone.offsetAt(at)) / DAY_MS) * DAY_MS;

/** Returns the day of a calendar that contains a moment. */
export const dayAt = (calendar: Calendar, at: number): CalendarDay =>
  calendar.dayOf(localMidnightOf(calendar.timeZone, at));

/** Returns the minutes since midnight of a moment's local time. */
export const minuteOfDay = ({ timeZone }: Calendar, at: number): number => {
  const local = at + timeZone.offsetAt(at);
  return Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS);
};

/** Returns the start of the week that a day belongs to. Days without a session after a week's end belong to the next. */
export const weekStartOf = (calendar: Calendar, day: CalendarDay): number => {
  const midnight = localMidnightOf(calendar.timeZone, day.start);
  const sinceEnd = (day.weekday + 6 - calendar.lastWeekday) % 7;
  const toFirst = (calendar.firstWeekday + 6 - calendar.lastWeekday) % 7;
  return calendar.timeZone.instantOf(midnight + (toFirst - sinceEnd) * DAY_MS);
};

type Interval = readonly [from: number, to: number];

/** Tells the session that starts on a local day, as local times given as if they were UTC; undefined if there is none. */
type Sessions = (localMidnight: number) => Interval | undefined;

/** Returns the minutes from midnight to a time of day, such as 09:30. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const sessionsOf = (hours: MarketHours): Sessions => {
  const holidays = new Set(
    Object.entries(hours.holidays).flatMap(([year, days]) => days.split(' ').map((day) => `${year}${day}`)),
  );
  const byDay = (times: Readonly<Record<string, string>>): Map<string, number> =>
    new Map(
      Object.entries(times).flatMap(([time, days]) =>
        days.split(' ').map((day): [string, number] => [day, minutesOf(time)]),
      ),
    );
  const early = byDay(hours.earlyCloses);
  const late = byDay(hours.lateOpens);
  const week = hours.week.map((session) => session?.map(minutesOf));
  return (midnight) => {
    const [open, close] = week[weekdayOf(midnight)] ?? [];
    if (open === undefined || close === undefined) return undefined;
    const day = new Date(midnight).toISOString().slice(0, 10).replaceAll('-', '');
    if (holidays.has(day)) return undefined;
    const from = Math.max(open, late.get(day) ?? open);
    const to = Math.min(close, early.get(day) ?? close);
    return from < to ? [midnight + from * MINUTE_MS, midnight + to * MINUTE_MS] : undefined;
  };
};

/** Returns the part of a day that sessions of another time zone cover, from the first opening to the last close. */
const sessionWithin = (sessions: Sessions, zone: TimeZone, [start, end]: Interval): Interval | undefined => {
  const parts: Interval[] = [];
  for (let day = localMidnightOf(zone, start); zone.instantOf(day) < end; day += DAY_MS) {
    const session = sessions(day);
    if (!session) continue;
    const from = Math.max(start, zone.instantOf(session[0]));
    const to = Math.min(end, zone.instantOf(session[1]));
    if (from < to) parts.push([from, to]);
  }
  const [first] = parts;
  const last = parts.at(-1);
  return first && last && [first[0], last[1]];
};

const MONDAY = 1;
const SUNDAY = 0;

const wholeDay: Sessions = (midnight) => [midnight, midnight + DAY_MS];
const wholeWeekday: Sessions = (midnight) =>
  weekdayOf(midnight) === SUNDAY || weekdayOf(midnight) === SATURDAY ? undefined : wholeDay(midnight);

/** Days that a calendar keeps: those of a century. */
const MAX_DAYS = 36_600;

/** Keeps the days that were computed: a day takes microseconds, and each of its bars asks for it. */
const keptDays = (compute: Calendar['dayOf']): Calendar['dayOf'] => {
  const days = new Map<number, CalendarDay>();
  return (midnight) => {
    const known = days.get(midnight);
    if (known) return known;
    if (days.size >= MAX_DAYS) days.clear();
    const day = compute(midnight);
    days.set(midnight, day);
    return day;
  };
};

const calendarOfSessions = (
  id: string,
  timeZone: TimeZone,
  firstWeekday: number,
  sessionZone: TimeZone,
  sessions: Sessions,
): Calendar => ({
  id,
  timeZone,
  firstWeekday,
  lastWeekday: sessions === wholeDay ? SUNDAY : FRIDAY,
  sessionsKnown: sessions !== wholeWeekday,
  opening: undefined,
  dayOf: keptDays((midnight) => {
    const start = timeZone.instantOf(midnight);
    const end = timeZone.instantOf(midnight + DAY_MS);
    const [open, close] = sessionWithin(sessions, sessionZone, [start, end]) ?? [Number.NaN, Number.NaN];
    return { start, end, grid: start, weekday: weekdayOf(midnight), open, close };
  }),
});

const MAKERS: Readonly<Record<string, () => Calendar>> = {
  us: () => {
    const zone = TimeZone.of(US_EQUITIES.sessionZone);
    const [opening] = US_EQUITIES.week[MONDAY] ?? [];
    return { ...calendarOfSessions('us', zone, MONDAY, zone, sessionsOf(US_EQUITIES)), opening };
  },
  // The days of currencies and metals are those of UTC, as data providers cut them; their week opens and closes in New York.
  forex: () =>
    calendarOfSessions(
      'forex',
      TimeZone.of('UTC'),
      SUNDAY,
      TimeZone.of(FOREX.sessionZone),
      sessionsOf(FOREX),
    ),
  cfd: () =>
    calendarOfSessions('cfd', TimeZone.of('UTC'), SUNDAY, TimeZone.of(CFDS.sessionZone), sessionsOf(CFDS)),
  always: () => calendarOfSessions('always', TimeZone.of('UTC'), MONDAY, TimeZone.of('UTC'), wholeDay),
};

const WEEKDAYS_PREFIX = 'weekdays:';

/** Calendar of symbols outside of the catalogue. */
export const UNKNOWN_CALENDAR = `${WEEKDAYS_PREFIX}UTC`;

const known = new Map<string, Calendar>();

const makeBase = (id: string): Calendar | undefined => {
  if (Object.hasOwn(MAKERS, id)) return MAKERS[id]?.();
  if (!id.startsWith(WEEKDAYS_PREFIX)) return undefined;
  const zone = TimeZone.find(id.slice(WEEKDAYS_PREFIX.length));
  return zone && calendarOfSessions(id, zone, MONDAY, zone, wholeWeekday);
};

/** Returns whether bars can start with the sessions of a calendar. */
export const hasOpening = ({ opening, sessionsKnown }: Calendar): boolean =>
  opening !== undefined || !sessionsKnown;

const makeCalendar = (id: string): Calendar | undefined => {
  const { opening } = anchorOf(id);
  if (opening === undefined) return makeBase(id);
  const base = findCalendar(baseCalendarId(id));
  if (!base || !hasOpening(base) || !isOpening(opening)) return undefined;
  if (opening !== (base.opening ?? opening)) return undefined;
  const minutes = minutesOf(opening);
  return {
    ...base,
    id,
    opening,
    dayOf: keptDays((midnight) => ({
      ...base.dayOf(midnight),
      grid: base.timeZone.instantOf(midnight + minutes * MINUTE_MS),
    })),
  };
};

/**
 * Finds a calendar by id: `us`, `forex`, `cfd`, `always`, or `weekdays:<time zone>` for an exchange whose sessions and
 * holidays are not known. `us@09:30` and `weekdays:<time zone>@09:15` have the same days and sessions, and bars of
 * minutes and hours that start with the session. undefined for other texts.
 */
export const findCalendar = (id: string): Calendar | undefined => {
  const found = known.get(id) ?? makeCalendar(id);
  if (found) known.set(id, found);
  return found;
};

/** Returns a calendar by id. @throws RangeError if there is none. */
export const calendarById = (id: string): Calendar => {
  const calendar = findCalendar(id);
  if (!calendar) throw new RangeError(`there is no calendar ${id}`);
  return calendar;
};

/** Exchanges with the sessions and holidays of the United States. */
export const US_EXCHANGES: ReadonlySet<string> = new Set([
  'NYSE',
  'NASDAQ',
  'NYSE Arca',
  'CBOE',
  'AMEX',
  'BATS',
  'US',
]);

/** Exchange of contracts over the counter. */
const OTC_EXCHANGE = 'OTC';

/** Time zones of exchanges whose sessions are not known. */
export const EXCHANGE_ZONES: Readonly<Record<string, string>> = {
  ASX: 'Australia/Sydney',
  B3: 'America/Sao_Paulo',
  BME: 'Europe/Madrid',
  EUREX: 'Europe/Berlin',
  'Euronext Amsterdam': 'Europe/Amsterdam',
  'Euronext Milan': 'Europe/Rome',
  'Euronext Paris': 'Europe/Paris',
  HKEX: 'Asia/Hong_Kong',
  LSE: 'Europe/London',
  NSE: 'Asia/Kolkata',
  'Nasdaq Copenhagen': 'Europe/Copenhagen',
  'Nasdaq Stockholm': 'Europe/Stockholm',
  'Oslo Børs': 'Europe/Oslo',
  SGX: 'Asia/Singapore',
  SIX: 'Europe/Zurich',
  TSE: 'Asia/Tokyo',
  TSX: 'America/Toronto',
  XETRA: 'Europe/Berlin',
};

/** Returns the id of an instrument's calendar. */
export const calendarIdOf = (instrument: {
  readonly exchange: string;
  readonly asset_class: AssetClass;
}): string => {
  const { exchange, asset_class: assetClass } = instrument;
  if (assetClass === 'crypto' || exchange === DEMO_EXCHANGE) return 'always';
  if (assetClass === 'forex') return 'forex';
  if (assetClass === 'commodity' || exchange === OTC_EXCHANGE) return 'cfd';
  if (US_EXCHANGES.has(exchange)) return 'us';
  const zone = Object.hasOwn(EXCHANGE_ZONES, exchange) ? EXCHANGE_ZONES[exchange] : undefined;
  return `${WEEKDAYS_PREFIX}${zone ?? 'UTC'}`;
};
