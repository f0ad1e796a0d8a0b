import { expect, test } from '@jest/globals';
import { parseBarTime } from '../../../../shared/domain/candles/bar-time.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { TimeZone } from '../../../../shared/domain/candles/time-zone.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const us = calendarById('us');
const UTC = TimeZone.of('UTC');

test.each<[string, Timeframe, string]>([
  ['2021-03-15', '1d', '2021-03-15T04:00:00.000Z'],
  ['2021-01-15', '1d', '2021-01-15T05:00:00.000Z'],
  ['2021-03-15 00:00:00', '1d', '2021-03-15T04:00:00.000Z'],
  ['2021-03-15T00:00:00Z', '1d', '2021-03-15T04:00:00.000Z'],
  ['2021-03-15T04:00:00Z', '1d', '2021-03-15T04:00:00.000Z'],
  ['1615766400', '1d', '2021-03-15T04:00:00.000Z'],
  ['2021-03-17', '1w', '2021-03-15T04:00:00.000Z'],
  ['2021-03-19', '1w', '2021-03-15T04:00:00.000Z'],
  ['2021-03-15T09:30:00', '5m', '2021-03-15T13:30:00.000Z'],
  ['2021-03-15 09:30', '5m', '2021-03-15T13:30:00.000Z'],
  ['2021-03-15T09:30:00-05:00', '5m', '2021-03-15T14:30:00.000Z'],
  ['1615815000000', '5m', '2021-03-15T13:30:00.000Z'],
  ['2021-03-15T19:00:00+0530', '5m', '2021-03-15T13:30:00.000Z'],
  ['1615815000000000', '5m', '2021-03-15T13:30:00.000Z'],
  ['1615815000000000000', '5m', '2021-03-15T13:30:00.000Z'],
  ['2021-11-07 01:30', '5m', '2021-11-07T05:30:00.000Z'],
  ['2021-03-14 03:00', '5m', '2021-03-14T07:00:00.000Z'],
])('%j of %s starts at %s', (text, timeframe, expected) => {
  const start = parseBarTime(text, us, timeframe, us.timeZone);
  expect(new Date(start).toISOString()).toBe(expected);
});

test.each<[string, Timeframe, string]>([
  ['15/03/2021', '1d', 'the time is no date or time that exists'],
  ['2021-13-15', '1d', 'the time is no date or time that exists'],
  ['2021-02-30', '1d', 'the time is no date or time that exists'],
  ['2021-02-29T10:00:00Z', '1h', 'the time is no date or time that exists'],
  ['2021-02-28 24:00', '1h', 'the time is no date or time that exists'],
  ['', '5m', 'the time is no date or time that exists'],
  [
    '2021-03-14 02:30',
    '5m',
    'the local time does not exist in America/New_York, where clocks are put forward',
  ],
])('%j of %s is refused: %s', (text, timeframe, reason) => {
  expect(parseBarTime(text, us, timeframe, us.timeZone)).toBe(reason);
});

test('a day exists in a zone that skips its midnight', () => {
  const beirut = { ...us, timeZone: TimeZone.of('Asia/Beirut') };
  expect(parseBarTime('2021-03-28', beirut, '1d', beirut.timeZone)).toBe(Date.parse('2021-03-27T22:00Z'));
});

test('local times are of the zone of the file, days of the exchange', () => {
  expect(parseBarTime('2021-03-15T13:30', us, '5m', UTC)).toBe(Date.parse('2021-03-15T13:30Z'));
  expect(parseBarTime('2021-03-15', us, '1d', UTC)).toBe(Date.parse('2021-03-15T04:00Z'));
});

test('a midnight with an offset is the day as written', () => {
  const utc = calendarById('weekdays:UTC');
  const india = calendarById('weekdays:Asia/Kolkata');
  const day = '2021-03-15T00:00:00+0530';
  expect(parseBarTime(day, utc, '1d', UTC)).toBe(Date.parse('2021-03-15T00:00Z'));
  expect(parseBarTime(day, india, '1d', UTC)).toBe(Date.parse('2021-03-14T18:30Z'));
  // A chart in another zone writes the opening of a session on the day after.
  expect(parseBarTime('2021-03-16T00:30:00+11:00', us, '1d', UTC)).toBe(Date.parse('2021-03-15T04:00Z'));
});

test.each(['2021-01-03T17:00:00-05:00', '2021-01-03T22:00:00Z', '1609711200'])(
  'a day of currencies that starts at 17:00 in New York has the date of its end: %s',
  (text) => {
    const forex = calendarById('forex');
    expect(parseBarTime(text, forex, '1d', UTC)).toBe(Date.parse('2021-01-04T00:00Z'));
  },
);

test('time zones are kept up to a bound, as any spelling of their letters is one', () => {
  const name = 'america/argentina/buenos_aires';
  const spelled = (number: number): string =>
    [...name].map((letter, place) => ((number >> place) % 2 === 1 ? letter.toUpperCase() : letter)).join('');
  const first = TimeZone.of(spelled(0));
  expect(TimeZone.of(spelled(0))).toBe(first);
  for (let number = 1; number < 2000; number += 1) TimeZone.of(spelled(number));
  const again = TimeZone.of(spelled(0));
  expect(again).not.toBe(first);
  expect(again.offsetAt(0)).toBe(first.offsetAt(0));
});
