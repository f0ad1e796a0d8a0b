const MINUTE_MS = 60_000;
const FORM =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d{2}:\d{2})[.,](?<fraction>\d+))?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Date or time of ISO 8601 as it is written. */
interface WrittenTime {
  /** The date and time in epoch milliseconds, as if they were UTC. */
  readonly local: number;
  /** Difference of the time from UTC in milliseconds; undefined without a time zone. */
  readonly offset: number | undefined;
  /** True for a date without a time. */
  readonly isDay: boolean;
}

const offsetOf = (zone: string): number | undefined => {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
};

/** Reads a date or time of ISO 8601; undefined for another text, and for a day or time that does not exist. */
export const writtenTime = (text: string): WrittenTime | undefined => {
  const { day, time, fraction, zone } = FORM.exec(text)?.groups ?? {};
  if (day === undefined) return undefined;
  const clock = time === undefined ? '00:00:00' : time.padEnd(8, ':00');
  const plain = `${day}T${clock}.${(fraction ?? '').slice(0, 3).padEnd(3, '0')}Z`;
  const local = Date.parse(plain);
  // The platform takes a day such as 30 February for one of March.
  if (Number.isNaN(local) || new Date(local).toISOString() !== plain) return undefined;
  const offset = zone === undefined ? undefined : offsetOf(zone);
  if (zone !== undefined && offset === undefined) return undefined;
  return { local, offset, isDay: time === undefined };
};

/**
 * Reads a time of ISO 8601 with a time zone, in epoch milliseconds; undefined for another text.
 *
 * @example
 * readTime('2026-03-02T15:30:00+05:30'); // that of 2026-03-02T10:00:00Z
 */
export const readTime = (text: string): number | undefined => {
  const { local, offset } = writtenTime(text) ?? {};
  return local === undefined || offset === undefined ? undefined : local - offset;
};

/** Reads a time of ISO 8601 with a time zone, or a day for its start in UTC; undefined for another text. */
export const readTimeOrDay = (text: string): number | undefined => {
  const { local, offset, isDay } = writtenTime(text) ?? {};
  if (local === undefined) return undefined;
  return isDay ? local : offset === undefined ? undefined : local - offset;
};
