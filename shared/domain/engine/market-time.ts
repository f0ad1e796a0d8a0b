import type { Calendar } from '../candles/calendar.ts';
import { type Periods, periodsOf } from '../candles/periods.ts';
import type { Timeframe } from '../strategies/strategies.ts';

/** Time at an exchange. Each answer depends on the given moment alone, never on other bars. */
export interface MarketTime {
  /** Returns the difference of local time from UTC, in milliseconds. */
  readonly offsetAt: (at: number) => number;
  /** Tells the bar of a higher timeframe that a bar belongs to. The timeframe `1d` stands for the session. */
  readonly periods: (timeframe: Timeframe, higher: Timeframe) => Periods;
}

/** Returns the time of a calendar's exchange. */
export const marketTimeOf = (calendar: Calendar): MarketTime => ({
  offsetAt: (at) => calendar.timeZone.offsetAt(at),
  periods: (timeframe, higher) => periodsOf(calendar, timeframe, higher),
});

/** Tells the month of a bar by its start: that of its session's day, at the exchange. */
export const monthsOf = (
  { offsetAt, periods }: MarketTime,
  timeframe: Timeframe,
): Pick<Periods, 'startOf'> => {
  const { startOf } = periods(timeframe, '1d');
  let last = Number.NaN;
  let month = Number.NaN;
  return {
    startOf: (barStart) => {
      const day = startOf(barStart);
      if (day === last || Number.isNaN(day)) return Number.isNaN(day) ? day : month;
      const local = new Date(day + offsetAt(day));
      last = day;
      month = Date.UTC(local.getUTCFullYear(), local.getUTCMonth());
      return month;
    },
  };
};
