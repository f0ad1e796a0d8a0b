import { TIMEFRAMES, type Timeframe } from '../strategies/strategies.ts';
import { type Calendar, dayAt } from './calendar.ts';
import { endOfPeriod, type Periods, periodsOf } from './periods.ts';
import { INTRADAY_MS, sourcesOf } from './timeframes.ts';

/** Returns the larger timeframes that are derived from the bars of a timeframe. */
export const higherThan = (timeframe: Timeframe): Timeframe[] =>
  TIMEFRAMES.filter((higher) => sourcesOf(higher).some((source) => source === timeframe));

/**
 * Returns the moment from which no bar belongs to a higher bar: the end of its last session.
 *
 * @param start of the higher bar.
 */
export const closingTime = (
  calendar: Calendar,
  timeframe: Timeframe,
  higher: Timeframe,
  start: number,
): number => {
  const end = endOfPeriod(calendar, higher, start);
  const first = dayAt(calendar, start);
  if (INTRADAY_MS[higher] !== undefined) return start < first.close ? Math.min(end, first.close) : end;
  let closing = end;
  // The last bar of a week of daily bars is that of its last day; a bar of a day ends with the session.
  for (let day = dayAt(calendar, end - 1); day.start >= start; day = dayAt(calendar, day.start - 1)) {
    closing = INTRADAY_MS[timeframe] === undefined ? day.start + 1 : day.close;
    if (!Number.isNaN(day.close)) return closing;
  }
  return end;
};

const closes = (periods: Periods, starts: Iterable<number>, before: number | undefined): boolean => {
  let previous = before;
  for (const start of starts) {
    if (periods.closesWith(start)) return true;
    // Not known: the bar before may have belonged to another period.
    if (previous === undefined) return true;
    const period = periods.startOf(previous);
    if (!Number.isNaN(period) && !periods.closesWith(previous) && periods.startOf(start) !== period)
      return true;
    previous = start;
  }
  return false;
};

/**
 * Returns the timeframes of which bars closed when bars arrived: their own, and larger ones that are derived from it.
 *
 * @param starts of the bars, oldest first.
 * @param before start of the bar before; undefined if it is not known: then larger timeframes count as closed.
 */
export const closedWith = (
  calendar: Calendar,
  timeframe: Timeframe,
  starts: readonly number[],
  before: number | undefined,
): Timeframe[] =>
  starts.length === 0
    ? []
    : [
        timeframe,
        ...higherThan(timeframe).filter((higher) =>
          closes(periodsOf(calendar, timeframe, higher), starts, before),
        ),
      ];

/** Returns when a watermark closes the newest bar of a larger timeframe; undefined if bars have closed it already. */
const openUntil = (
  calendar: Calendar,
  timeframe: Timeframe,
  higher: Timeframe,
  last: number,
): number | undefined => {
  const periods = periodsOf(calendar, timeframe, higher);
  const period = periods.startOf(last);
  if (Number.isNaN(period) || periods.closesWith(last)) return undefined;
  return closingTime(calendar, timeframe, higher, period);
};

/**
 * Returns the larger timeframes whose newest bar a watermark closes.
 *
 * @param last start of the newest bar of the timeframe.
 * @param after only bars that close later.
 * @param through all bars that start before it have arrived.
 */
export const closedThrough = (
  calendar: Calendar,
  timeframe: Timeframe,
  last: number,
  { after, through }: { readonly after: number; readonly through: number },
): Timeframe[] =>
  higherThan(timeframe).filter((higher) => {
    const until = openUntil(calendar, timeframe, higher, last);
    return until !== undefined && until > after && until <= through;
  });
