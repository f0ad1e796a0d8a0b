import type { Timeframe } from '../strategies/strategies.ts';
import { anchoredCalendarId, anchorOf } from './anchor.ts';
import { type Calendar, findCalendar, hasOpening, minutesOf } from './calendar.ts';
import { INTRADAY_MS } from './timeframes.ts';

const MINUTE_MS = 60_000;

/**
 * Returns the calendar with the same days and sessions whose bars start with the session, or the reason why there is none.
 *
 * @param opening local time at which sessions regularly open; needed where it is not known.
 */
export const sessionCalendarOf = (
  calendar: Calendar,
  timeframe: Timeframe,
  opening = calendar.opening,
): Calendar | string => {
  if (INTRADAY_MS[timeframe] === undefined)
    return `bars of ${timeframe} start at midnight, and have no other anchor`;
  if (!hasOpening(calendar)) return 'the market has no daily session, so that its bars start with the clock';
  if (opening === undefined) return 'the opening of the exchange is not known, and has to be named';
  const found = findCalendar(anchoredCalendarId(calendar.id, opening));
  if (found) return found;
  return calendar.opening === undefined
    ? `${opening} is no time at which a session opens`
    : `sessions of the exchange open at ${calendar.opening}, not at ${opening}`;
};

/** Returns whether bars of a timeframe that start with the clock are on the grid of a calendar. */
export const fitsClock = (calendarId: string, timeframe: Timeframe): boolean => {
  const { opening } = anchorOf(calendarId);
  return opening === undefined || (minutesOf(opening) * MINUTE_MS) % (INTRADAY_MS[timeframe] ?? 1) === 0;
};
