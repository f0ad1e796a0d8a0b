import { calendarById, dayAt, minuteOfDay, minutesOf } from '../../../shared/domain/candles/calendar.ts';
import { timeframeLength } from '../../../shared/domain/deployments/engines.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_DAYS = 7;

/** Returns the minutes of the day at which sessions of a calendar open and close; undefined if it has none in a week. */
const sessionMinutes = (calendarId: string, at: number): readonly [number, number] | undefined => {
  const calendar = calendarById(calendarId);
  for (let ahead = 0; ahead < WEEK_DAYS; ahead += 1) {
    const { open, close } = dayAt(calendar, at + ahead * DAY_MS);
    if (!Number.isNaN(open)) {
      const first = minuteOfDay(calendar, open);
      return [first, first + (close - open) / MINUTE_MS];
    }
  }
  return undefined;
};

/** Returns whether a time of day is in a range of the rules, which may go over midnight. */
const isWithin = (minute: number, [from, to]: readonly [string, string]): boolean => {
  const [first, end] = [minutesOf(from), minutesOf(to)];
  return first <= end ? minute >= first && minute < end : minute >= first || minute < end;
};

/**
 * Returns whether no entry of rules is decided within a session: bars that start at the times of their entries all close
 * outside of it.
 */
export const entersOutsideOnly = (
  { timeframe, read_from: at }: Pick<BacktestSetup, 'timeframe' | 'read_from'>,
  calendarId: string,
  entries: readonly [string, string] | undefined,
): boolean => {
  const length = timeframeLength(timeframe) / MINUTE_MS;
  const session = sessionMinutes(calendarId, at);
  if (!entries || !session || length >= DAY_MINUTES) return false;
  const [open, close] = session;
  const minutes = Array.from({ length: DAY_MINUTES }, (_, minute) => minute);
  return !minutes.some((minute) => {
    const end = minute + length;
    return isWithin(minute, entries) && end > open && end < close;
  });
};
