import { Cron } from 'croner';
import type { Schedule } from '../../../functions/declaration.ts';

export interface Scheduler {
  readonly stop: () => void;
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Maximum delay of a timer in Node, nearly 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const rateMs = (expression: string): number | undefined => {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = UNIT_MS[unit];
  const every = Number(count) * (ms ?? 0);
  return every > 0 && every <= MAX_TIMER_MS ? every : undefined;
};

/**
 * Converts an AWS cron expression (minutes, hours, day of month, month, day of week, year) to a Cron. Cron has seconds
 * first, and writes the last Friday as `6#L` instead of `6L`.
 */
const parseCron = (expression: string, timeZone: string): Cron | undefined => {
  const fields = /^cron\((.+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/) ?? [];
  const [minutes, hours, dayOfMonth, month, dayOfWeek, year] = fields;
  if (fields.length !== 6 || (dayOfMonth === '?') === (dayOfWeek === '?')) return undefined;
  const weekday = dayOfWeek?.replace(/^(\w+)L$/, '$1#L');
  return new Cron(`0 ${minutes} ${hours} ${dayOfMonth} ${month} ${weekday} ${year}`, {
    timezone: timeZone,
    alternativeWeekdays: true,
    sloppyRanges: true,
    mode: '7-part',
    paused: true,
    unref: true,
  });
};

/** Returns the next time of a schedule after a given time. @throws Error for an expression that EventBridge does not have. */
export const nextRun = ({ expression, timeZone }: Omit<Schedule, 'job'>, after: Date): Date | null => {
  const everyMs = rateMs(expression);
  if (everyMs) return new Date(after.getTime() + everyMs);
  const cron = parseCron(expression, timeZone);
  if (!cron) throw new Error(`${expression} is neither rate(…) nor a cron(…) of six fields with one ?`);
  return cron.nextRun(after);
};

/**
 * Runs schedules like EventBridge Scheduler. Checks all expressions at once. As on AWS, a run may begin before the
 * previous one has ended.
 */
export const startScheduler = <S extends Schedule>(
  schedules: readonly S[],
  fire: (schedule: S) => void,
): Scheduler => {
  const now = new Date();
  for (const schedule of schedules) nextRun(schedule, now);
  const stops = schedules.map((schedule) => {
    const everyMs = rateMs(schedule.expression);
    if (everyMs) {
      const timer = setInterval(() => fire(schedule), everyMs).unref();
      return () => clearInterval(timer);
    }
    const cron = parseCron(schedule.expression, schedule.timeZone);
    cron?.schedule(() => fire(schedule));
    cron?.resume();
    return () => cron?.stop();
  });
  return {
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};
