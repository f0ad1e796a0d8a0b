import { describe, expect, it } from '@jest/globals';
import { isTradingDay } from '../../../infra/local/demo/trading-days.ts';

const DAY = 24 * 3_600_000;

describe('trading days', () => {
  it.each(['2025', '2026', '2027'])('of New York in %s leave out the published holidays', (year) => {
    // https://www.nyse.com/markets/hours-calendars, as published for these years.
    const published: Readonly<Record<string, readonly string[]>> = {
      2025: ['01-01', '01-20', '02-17', '04-18', '05-26', '06-19', '07-04', '09-01', '11-27', '12-25'],
      2026: ['01-01', '01-19', '02-16', '04-03', '05-25', '06-19', '07-03', '09-07', '11-26', '12-25'],
      2027: ['01-01', '01-18', '02-15', '03-26', '05-31', '06-18', '07-05', '09-06', '11-25', '12-24'],
    };
    const closed: string[] = [];
    for (let day = Date.UTC(Number(year), 0, 1); day < Date.UTC(Number(year) + 1, 0, 1); day += DAY) {
      const date = new Date(day);
      const isWeekend = [0, 6].includes(date.getUTCDay());
      if (!isWeekend && !isTradingDay('us_shares', day)) closed.push(date.toISOString().slice(5, 10));
    }
    expect(closed).toEqual(published[year]);
  });
});
