import { TimeZone } from '../candles/time-zone.ts';

/** Hours of a time zone, as stored or as an answer shows them. */
export interface OpenHours {
  readonly time_zone: string;
  /** Weekdays on which the hours begin; every day without. */
  readonly weekdays?: readonly string[] | null | undefined;
  readonly from: string;
  readonly to: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const THURSDAY = 3;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const isDayIn = (weekdays: OpenHours['weekdays'], day: number): boolean => {
  const name = DAYS[(((day + THURSDAY) % DAYS.length) + DAYS.length) % DAYS.length];
  return !weekdays || (name !== undefined && weekdays.includes(name));
};

/**
 * Returns whether a moment lies in hours. The part after midnight of hours that pass midnight belongs to the weekday on
 * which they begin. Equal times mean the whole day.
 */
export const isOpenAt = ({ time_zone, weekdays, from, to }: OpenHours, at: number): boolean => {
  const local = Math.floor((at + TimeZone.of(time_zone).offsetAt(at)) / MINUTE_MS);
  const day = Math.floor(local / DAY_MINUTES);
  const minute = local - day * DAY_MINUTES;
  const [first, end] = [minutesOf(from), minutesOf(to)];
  if (first < end) return minute >= first && minute < end && isDayIn(weekdays, day);
  if (minute >= first) return isDayIn(weekdays, day);
  return minute < end && isDayIn(weekdays, day - 1);
};

/** Returns whether the weekday of a moment is one of hours, whatever the time of day. */
export const isDayOpenAt = ({ time_zone, weekdays }: OpenHours, at: number): boolean => {
  const local = Math.floor((at + TimeZone.of(time_zone).offsetAt(at)) / MINUTE_MS);
  return isDayIn(weekdays, Math.floor(local / DAY_MINUTES));
};

/** Hours repeat every week, and a day more has a change of the clocks. */
const MAX_WAIT_MINUTES = 8 * DAY_MINUTES;

/**
 * Returns the first minute after a moment at which all hours are open together; undefined if they never are.
 *
 * @param options.hasTime false if the weekday counts alone.
 */
export const nextOpening = (
  hours: readonly OpenHours[],
  after: number,
  { hasTime }: { readonly hasTime: boolean },
): number | undefined => {
  const isOpen = hasTime ? isOpenAt : isDayOpenAt;
  const first = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
  for (let minute = 0; minute < MAX_WAIT_MINUTES; minute += 1) {
    const at = first + minute * MINUTE_MS;
    if (hours.every((each) => isOpen(each, at))) return at;
  }
  return undefined;
};
