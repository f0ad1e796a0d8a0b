import { describe, expect, test } from '@jest/globals';
import {
  type Calendar,
  calendarById,
  dayAt,
  minuteOfDay,
} from '../../../../shared/domain/candles/calendar.ts';
import { isOnGrid, periodsOf } from '../../../../shared/domain/candles/periods.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const HOUR_MS = 3_600_000;
const us = calendarById('us');
const forex = calendarById('forex');
const always = calendarById('always');

/** Returns a local time of a calendar. */
const at = (calendar: Calendar, local: string): number =>
  calendar.timeZone.instantOf(Date.parse(`${local}Z`));
const iso = (ms: number): string | null => (Number.isNaN(ms) ? null : new Date(ms).toISOString());

/** Returns the higher bars of local bar times, and the bars that close one. */
const higherOf = (calendar: Calendar, timeframe: Timeframe, higher: Timeframe, locals: readonly string[]) => {
  const periods = periodsOf(calendar, timeframe, higher);
  return locals.map((local) => {
    const start = at(calendar, local);
    return { bar: local, of: iso(periods.startOf(start)), closes: periods.closesWith(start) };
  });
};

describe('weeks of daily bars', () => {
  test('close with the bar of Friday', () => {
    expect(higherOf(us, '1d', '1w', ['2021-03-18T00:00', '2021-03-19T00:00', '2021-03-22T00:00'])).toEqual([
      { bar: '2021-03-18T00:00', of: '2021-03-15T04:00:00.000Z', closes: false },
      { bar: '2021-03-19T00:00', of: '2021-03-15T04:00:00.000Z', closes: true },
      { bar: '2021-03-22T00:00', of: '2021-03-22T04:00:00.000Z', closes: false },
    ]);
  });

  test('do not close with Thursday before Good Friday, only with the next bar', () => {
    expect(higherOf(us, '1d', '1w', ['2021-04-01T00:00', '2021-04-05T00:00'])).toEqual([
      { bar: '2021-04-01T00:00', of: '2021-03-29T04:00:00.000Z', closes: false },
      { bar: '2021-04-05T00:00', of: '2021-04-05T04:00:00.000Z', closes: false },
    ]);
  });

  test('of a market that never closes go from Monday to Sunday, of currencies from Sunday to Friday', () => {
    const days = ['2018-08-10T00:00', '2018-08-11T00:00', '2018-08-12T00:00', '2018-08-13T00:00'];
    expect(higherOf(always, '1d', '1w', days)).toEqual([
      { bar: '2018-08-10T00:00', of: '2018-08-06T00:00:00.000Z', closes: false },
      { bar: '2018-08-11T00:00', of: '2018-08-06T00:00:00.000Z', closes: false },
      { bar: '2018-08-12T00:00', of: '2018-08-06T00:00:00.000Z', closes: true },
      { bar: '2018-08-13T00:00', of: '2018-08-13T00:00:00.000Z', closes: false },
    ]);
    expect(higherOf(forex, '1d', '1w', ['2018-08-12T00:00', '2018-08-17T00:00'])).toEqual([
      { bar: '2018-08-12T00:00', of: '2018-08-12T00:00:00.000Z', closes: false },
      { bar: '2018-08-17T00:00', of: '2018-08-12T00:00:00.000Z', closes: true },
    ]);
  });
});

describe('days and weeks of intraday bars', () => {
  test('close with the last bar of the session', () => {
    // The bar of 09:00 holds the first half hour of the session.
    expect(
      higherOf(us, '1h', '1d', [
        '2020-11-25T08:00',
        '2020-11-25T09:00',
        '2020-11-25T14:00',
        '2020-11-25T15:00',
      ]),
    ).toEqual([
      { bar: '2020-11-25T08:00', of: null, closes: false },
      { bar: '2020-11-25T09:00', of: '2020-11-25T05:00:00.000Z', closes: false },
      { bar: '2020-11-25T14:00', of: '2020-11-25T05:00:00.000Z', closes: false },
      { bar: '2020-11-25T15:00', of: '2020-11-25T05:00:00.000Z', closes: true },
    ]);
  });

  test('close early where the exchange does', () => {
    const fridayAfterThanksgiving = ['2020-11-27T11:00', '2020-11-27T12:00', '2020-11-27T13:00'];
    expect(higherOf(us, '1h', '1d', fridayAfterThanksgiving).map(({ closes }) => closes)).toEqual([
      false,
      true,
      false,
    ]);
    expect(higherOf(us, '1h', '1w', fridayAfterThanksgiving)).toEqual([
      { bar: '2020-11-27T11:00', of: '2020-11-23T05:00:00.000Z', closes: false },
      { bar: '2020-11-27T12:00', of: '2020-11-23T05:00:00.000Z', closes: true },
      { bar: '2020-11-27T13:00', of: null, closes: false },
    ]);
  });

  test('of currencies end their week at 17:00 in New York, summer and winter', () => {
    const closes = (locals: readonly string[]) =>
      higherOf(forex, '1h', '1w', locals).map((one) => one.closes);
    expect(closes(['2018-07-06T19:00', '2018-07-06T20:00'])).toEqual([false, true]);
    expect(closes(['2018-01-12T20:00', '2018-01-12T21:00'])).toEqual([false, true]);
  });
});

describe('bars of hours', () => {
  test('are on a grid from midnight of the exchange, and close with the session', () => {
    expect(
      higherOf(us, '1h', '4h', [
        '2018-07-03T09:00',
        '2018-07-03T11:00',
        '2018-07-03T12:00',
        '2018-07-03T13:00',
        '2018-07-05T12:00',
        '2018-07-05T15:00',
      ]),
    ).toEqual([
      { bar: '2018-07-03T09:00', of: '2018-07-03T12:00:00.000Z', closes: false },
      { bar: '2018-07-03T11:00', of: '2018-07-03T12:00:00.000Z', closes: true },
      { bar: '2018-07-03T12:00', of: '2018-07-03T16:00:00.000Z', closes: true },
      { bar: '2018-07-03T13:00', of: null, closes: false },
      { bar: '2018-07-05T12:00', of: '2018-07-05T16:00:00.000Z', closes: false },
      { bar: '2018-07-05T15:00', of: '2018-07-05T16:00:00.000Z', closes: true },
    ]);
  });

  test('keep to the grid of a zone with half hours', () => {
    const india = calendarById('weekdays:Asia/Kolkata');
    expect(isOnGrid(india, '1h', Date.parse('2021-03-01T03:30:00Z'))).toBe(true);
    expect(isOnGrid(india, '1h', Date.parse('2021-03-01T04:00:00Z'))).toBe(false);
  });
});

test('days follow daylight saving', () => {
  const spring = dayAt(us, at(us, '2021-03-14T12:00'));
  expect(iso(spring.start)).toBe('2021-03-14T05:00:00.000Z');
  expect(spring.end - spring.start).toBe(23 * HOUR_MS);
  const autumn = dayAt(us, at(us, '2021-11-07T12:00'));
  expect(autumn.end - autumn.start).toBe(25 * HOUR_MS);
  expect(minuteOfDay(us, Date.parse('2021-07-01T13:45:00Z'))).toBe(9 * 60 + 45);
  expect(minuteOfDay(us, Date.parse('2021-12-01T14:45:00Z'))).toBe(9 * 60 + 45);
});

test('sessions know holidays, early closes and late openings', () => {
  const session = (calendar: Calendar, day: string) => {
    const { open, close } = dayAt(calendar, at(calendar, `${day}T00:00`));
    return [iso(open), iso(close)];
  };
  expect(session(us, '2012-10-29')).toEqual([null, null]);
  expect(session(us, '2020-12-24')).toEqual(['2020-12-24T14:30:00.000Z', '2020-12-24T18:00:00.000Z']);
  expect(session(forex, '2018-08-12')).toEqual(['2018-08-12T21:00:00.000Z', '2018-08-13T00:00:00.000Z']);
  expect(session(forex, '2018-08-11')).toEqual([null, null]);
  expect(session(forex, '2018-12-25')).toEqual(['2018-12-25T22:00:00.000Z', '2018-12-26T00:00:00.000Z']);
});

test('daily bars start at midnight of the exchange, weekly bars on its first day', () => {
  expect(isOnGrid(us, '1d', at(us, '2021-03-15T00:00'))).toBe(true);
  expect(isOnGrid(us, '1d', Date.parse('2021-03-15T00:00:00Z'))).toBe(false);
  expect(isOnGrid(us, '1w', at(us, '2021-03-15T00:00'))).toBe(true);
  expect(isOnGrid(us, '1w', at(us, '2021-03-16T00:00'))).toBe(false);
  expect(isOnGrid(us, '5m', at(us, '2021-03-15T09:35'))).toBe(true);
  expect(isOnGrid(us, '5m', at(us, '2021-03-15T09:36'))).toBe(false);
});
