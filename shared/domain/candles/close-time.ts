import type { Timeframe } from '../strategies/strategies.ts';
import { type Calendar, type CalendarDay, dayAt } from './calendar.ts';
import { slotEnd } from './grid.ts';
import { INTRADAY_MS } from './timeframes.ts';

const DAYS_OF_WEEK = 7;

const closeOf = ({ close, end }: CalendarDay): number => (Number.isNaN(close) ? end : close);

/**
 * Returns the time of a bar's close, in milliseconds: the end of the bar, or of the session if that is earlier. A weekly
 * bar closes with the last session of its week.
 */
export const closeTimeOf = (calendar: Calendar, timeframe: Timeframe, start: number): number => {
  const first = dayAt(calendar, start);
  const length = INTRADAY_MS[timeframe];
  if (length !== undefined) {
    const end = slotEnd(first, length, start);
    return first.close > start && first.close < end ? first.close : end;
  }
  let closed = closeOf(first);
  if (timeframe === '1d') return closed;
  let day = first;
  for (let days = 1; days < DAYS_OF_WEEK; days++) {
    day = dayAt(calendar, day.end);
    if (!Number.isNaN(day.close)) closed = day.close;
  }
  return closed;
};
