import { type Amount, isShown, memoised, NONE, numberWriter } from './values.ts';

/** Moment: ISO-8601 text or milliseconds since the epoch. */
export type Moment = string | number | null | undefined;

/** Time for people: in their zone, with the UTC time for its title. */
export interface ShownTime {
  readonly text: string;
  /** Time in UTC; empty for a missing time. */
  readonly title: string;
  /** ISO-8601 text for the `datetime` attribute; empty for a missing time. */
  readonly iso: string;
}

/** Language of the console. */
const WORDS = 'en';
const writeWords = numberWriter(WORDS);

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 365 * DAY;
const UNITS = [
  ['year', YEAR],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1],
] as const;

const millisOf = (moment: Moment): number | undefined => {
  const millis = typeof moment === 'string' ? Date.parse(moment) : moment;
  // Dates reach 8.64e15 milliseconds on both sides of the epoch.
  return isShown(millis) && Math.abs(millis) <= 8.64e15 ? millis : undefined;
};

/** Returns whether bars of a timeframe are days or longer. */
export const isDayOrLonger = (timeframe: string): boolean => /[dw]$/.test(timeframe);

/**
 * Returns the UTC midnight of the day that a daily bar is about. Such a bar starts at midnight of its exchange or the
 * evening before: within twelve hours of that of UTC.
 */
export const dayOfBar = (start: number): number => Math.round(start / (DAY * 1000)) * DAY * 1000;

/** Makes the functions that write times for a locale and a time zone, and lengths of time in English. */
export const timeFormats = (locale?: string, timeZone?: string) => {
  const dateFormat = memoised((options: string) => new Intl.DateTimeFormat(locale, JSON.parse(options)));
  const writeTime = (millis: number, options: Intl.DateTimeFormatOptions): string =>
    dateFormat(JSON.stringify(options)).format(millis);
  const local: Intl.DateTimeFormatOptions = timeZone === undefined ? {} : { timeZone };
  const minutes: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
  const seconds: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

  const time = (
    moment: Moment,
    text: (millis: number) => string,
    utc: Intl.DateTimeFormatOptions,
  ): ShownTime => {
    const millis = millisOf(moment);
    if (millis === undefined) return { text: NONE, title: '', iso: '' };
    return {
      text: text(millis),
      title: `${writeTime(millis, { ...utc, timeZone: 'UTC' })} UTC`,
      iso: new Date(millis).toISOString(),
    };
  };

  // Lengths of time are words within English sentences.
  const ago = new Intl.RelativeTimeFormat(WORDS, { style: 'narrow' });
  const list = new Intl.ListFormat(WORDS, { type: 'unit', style: 'narrow' });

  return {
    /** Writes a moment in the user's zone, to the minute; with `seconds`, to the second. */
    when: (moment: Moment, { seconds: isExact = false }: { readonly seconds?: boolean } = {}): ShownTime =>
      time(moment, (millis) => writeTime(millis, { ...(isExact ? seconds : minutes), ...local }), seconds),

    /** Writes the start of a bar: the day for bars of a day or longer; else the time in the user's zone. */
    bar: (moment: Moment, timeframe: string): ShownTime =>
      time(
        moment,
        (millis) =>
          isDayOrLonger(timeframe)
            ? writeTime(dayOfBar(millis), { dateStyle: 'medium', timeZone: 'UTC' })
            : writeTime(millis, { ...minutes, ...local }),
        seconds,
      ),

    /** Writes the time of day in the user's zone. */
    clock: (moment: Moment): ShownTime =>
      time(moment, (millis) => writeTime(millis, { timeStyle: 'short', ...local }), seconds),

    /** Writes a day of the user's zone. */
    day: (moment: Moment): ShownTime =>
      time(moment, (millis) => writeTime(millis, { dateStyle: 'medium', ...local }), seconds),

    /** Writes a month that is given as `2024-03`. */
    month: (month: string): string => {
      const millis = millisOf(`${month}-01T00:00:00Z`);
      if (millis === undefined) return NONE;
      return writeTime(millis, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    },

    /** Writes the short names of the twelve months. */
    monthNames: (): string[] =>
      Array.from({ length: 12 }, (_, index) =>
        writeTime(Date.UTC(2024, index, 1), { month: 'short', timeZone: 'UTC' }),
      ),

    /** Writes a length of time by its two largest units: `3 days, 4 hr`. */
    duration: (lengthS: Amount): string => {
      if (!isShown(lengthS)) return NONE;
      let left = Math.round(Math.abs(lengthS));
      const parts: string[] = [];
      const first = UNITS.findIndex(([, size]) => left >= size);
      const from = first === -1 ? UNITS.length - 1 : first;
      for (const [index, [unit, size]] of UNITS.entries()) {
        if (index < from || index > from + 1) continue;
        const count = Math.floor(left / size);
        left -= count * size;
        if (count > 0 || parts.length === 0) {
          parts.push(writeWords(count, { style: 'unit', unit, unitDisplay: 'short' }));
        }
      }
      return lengthS < 0 && Math.round(lengthS) !== 0 ? `-${list.format(parts)}` : list.format(parts);
    },

    /** Writes how long ago a moment was: `12s ago`. A moment up to a minute ahead counts as now: clocks differ. */
    age: (moment: Moment, now: number): string => {
      const millis = millisOf(moment);
      if (millis === undefined) return NONE;
      const elapsed = Math.round((now - millis) / 1000);
      const ahead = elapsed < -MINUTE;
      const seconds = ahead ? -elapsed : Math.max(0, elapsed);
      const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? UNITS[4];
      const count = Math.floor(seconds / size);
      return ago.format(ahead ? count : -count, unit);
    },
  };
};
