const DAY_MS = 24 * 3_600_000;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the Sunday (UTC) on or before a moment: the name of a weekly round. */
export const weeklyRound = (previous: string | undefined, now: Date): string | undefined => {
  const sunday = dateOf(now.getTime() - now.getUTCDay() * DAY_MS);
  return previous === undefined || previous < sunday ? sunday : undefined;
};

const HOUR_LENGTH = '2026-03-06T14'.length;

/** Returns the hour (UTC) of a moment: the name of an hourly round. Missed ones are left out. */
export const hourlyRound = (previous: string | undefined, now: Date): string | undefined => {
  const hour = now.toISOString().slice(0, HOUR_LENGTH);
  return previous === undefined || previous < hour ? hour : undefined;
};

/**
 * Makes rounds that are due each day at an hour of local time, weekends included. The local date names the
 * round, as 2026-03-06. Missed days become due one after the other.
 *
 * @param hour from 0 to 23.
 */
export const dailyRounds = (
  hour: number,
  timeZone: string,
): ((previous: string | undefined, now: Date) => string | undefined) => {
  const wallClock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  return (previous, now) => {
    const parts = Object.fromEntries(wallClock.formatToParts(now).map(({ type, value }) => [type, value]));
    const today = Date.parse(`${parts.year}-${parts.month}-${parts.day}`);
    const latest = dateOf(Number(parts.hour) >= hour ? today : today - DAY_MS);
    if (previous === undefined) return latest;
    return previous < latest ? dateOf(Date.parse(previous) + DAY_MS) : undefined;
  };
};
