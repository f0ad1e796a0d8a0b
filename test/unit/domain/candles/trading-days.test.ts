import fc from 'fast-check';
import { EXCHANGE_ZONES } from '../../../../shared/domain/candles/calendar.ts';
import { barDaysOf, tradingDaysOf } from '../../../../shared/domain/candles/trading-days.ts';
import { addDays, dayOf as utcDayOf } from '../../../../shared/domain/periods.ts';
import { plainDay } from '../../../support/plain-statistics.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dayIn = (calendars: string[], time: string): string => tradingDaysOf(calendars).dayOf(Date.parse(time));

test.each([
  // 17:00 in New York is 21:00 UTC in summer and 22:00 UTC in winter.
  [['forex'], '2024-07-03T20:59:59Z', '2024-07-03'],
  [['forex'], '2024-07-03T21:00:00Z', '2024-07-04'],
  [['cfd', 'forex'], '2024-01-03T21:59:59Z', '2024-01-03'],
  [['cfd', 'forex'], '2024-01-03T22:00:00Z', '2024-01-04'],
  // The week ends on Friday evening; Sunday evening is Monday.
  [['forex'], '2024-01-05T21:59:59Z', '2024-01-05'],
  [['forex'], '2024-01-05T22:00:00Z', '2024-01-08'],
  [['forex'], '2024-01-07T22:30:00Z', '2024-01-08'],
  // An exchange has the date of its session, a market that never closes that of UTC.
  [['us'], '2024-01-04T01:00:00Z', '2024-01-03'],
  [['weekdays:Asia/Tokyo'], '2024-01-03T23:30:00Z', '2024-01-04'],
  [['weekdays:Asia/Tokyo'], '2024-01-06T03:00:00Z', '2024-01-06'],
  [['always'], '2024-01-06T23:59:59Z', '2024-01-06'],
  // Over several calendars it is that of UTC; without a market open at weekends, Sunday belongs to Monday.
  [['us', 'always'], '2024-01-07T22:30:00Z', '2024-01-07'],
  [['us', 'forex'], '2024-01-07T22:30:00Z', '2024-01-08'],
  [['us', 'weekdays:America/New_York'], '2024-01-04T01:00:00Z', '2024-01-03'],
])('the trading day over %j at %s is %s', (calendars, time, day) => {
  expect(dayIn(calendars, time)).toBe(day);
});

test.each([
  [['us'], 252],
  [['us', 'us@09:30'], 252],
  [['weekdays:Asia/Kolkata@09:15'], 252],
  [['us', 'us'], 252],
  [['weekdays:Europe/London'], 252],
  [['forex'], 260],
  [['forex', 'us'], 260],
  [['us', 'weekdays:Europe/London'], 260],
  [['us', 'always'], 365],
  [['always'], 365],
])('a year over %j has %d trading days', (calendars, days) => {
  expect(tradingDaysOf(calendars).perYear).toBe(days);
});

test('the bars of an account do not decide its trading days', () => {
  expect(tradingDaysOf(['us@09:30', 'us']).calendars).toEqual(['us']);
});

test('symbols trade on days with a session of at least one of them', () => {
  const isOpen = (calendars: string[], day: string) => tradingDaysOf(calendars).isOpenOn(day);
  expect([isOpen(['us'], '2024-07-04'), isOpen(['us', 'forex'], '2024-07-04')]).toEqual([false, true]);
  expect([isOpen(['forex'], '2024-01-06'), isOpen(['forex'], '2024-01-07')]).toEqual([false, false]);
  expect([isOpen(['forex'], '2020-12-25'), isOpen(['forex'], '2020-12-24')]).toEqual([false, true]);
  expect([isOpen(['us'], '2024-01-06'), isOpen(['us', 'always'], '2024-01-06')]).toEqual([false, true]);
});

const calendars = fc.uniqueArray(fc.constantFrom('us', 'weekdays:Europe/London', 'forex', 'always'), {
  minLength: 1,
});

test('days follow each other without a gap, and a plain reading of the clock gives the same', () => {
  fc.assert(
    fc.property(calendars, fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2030, 0) }), (ids, at) => {
      const days = tradingDaysOf(ids);
      const day = days.dayOf(at);
      expect(day).toBe(plainDay(ids, at));
      const [start, end] = [days.startOf(day), days.startOf(addDays(day, 1))];
      expect(start <= at && at < end).toBe(true);
      expect([days.dayOf(start), days.dayOf(end - 1)]).toEqual([day, day]);
      expect(days.dayOf(start - 1) < day && days.dayOf(end) > day).toBe(true);
      expect(days.endOf(days.numberOf(at))).toBe(end);
    }),
    { numRuns: 300 },
  );
});

test('a day begins although clocks are put forward at midnight', () => {
  // São Paulo had no time from 00:00 to 01:00 on this day.
  const days = tradingDaysOf(['weekdays:America/Sao_Paulo']);
  const start = days.startOf('2018-11-04');
  expect(new Date(start).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  expect([days.dayOf(start - 1), days.dayOf(start)]).toEqual(['2018-11-03', '2018-11-04']);
});

test('daily bars belong to their own date, weekly bars to the end of their week, others to the day of their start', () => {
  const dayOfBar = (ids: string[], timeframe: '4h' | '1d' | '1w', start: string) =>
    utcDayOf(barDaysOf(tradingDaysOf(ids), timeframe).numberOf(Date.parse(start)) * DAY_MS);
  expect(dayOfBar(['forex'], '1d', '2024-01-08T00:00Z')).toBe('2024-01-08');
  expect(dayOfBar(['forex'], '1d', '2024-01-07T00:00Z')).toBe('2024-01-08');
  // A daily bar of London in summer, of New York, and of Sydney, of an account over several calendars.
  expect(dayOfBar(['us', 'weekdays:Europe/London'], '1d', '2024-07-01T23:00Z')).toBe('2024-07-02');
  expect(dayOfBar(['us', 'always'], '1d', '2024-07-02T04:00Z')).toBe('2024-07-02');
  expect(dayOfBar(['us', 'weekdays:Australia/Sydney'], '1d', '2024-07-01T14:00Z')).toBe('2024-07-02');
  expect(dayOfBar(['forex'], '4h', '2024-01-03T20:00Z')).toBe('2024-01-03');
  expect(dayOfBar(['us'], '1w', '2024-01-08T05:00Z')).toBe('2024-01-12');
  expect(dayOfBar(['forex'], '1w', '2024-01-07T00:00Z')).toBe('2024-01-12');
  expect(dayOfBar(['always'], '1w', '2024-01-08T00:00Z')).toBe('2024-01-14');
});

test('all days have ended at midnight in New York of the next one', () => {
  const ids = [
    'us',
    'forex',
    'cfd',
    'always',
    ...Object.values(EXCHANGE_ZONES).map((zone) => `weekdays:${zone}`),
  ];
  for (const midnight of [Date.parse('2024-01-10T05:00Z'), Date.parse('2024-07-10T04:00Z')]) {
    const date = utcDayOf(midnight);
    for (const id of ids) expect([id, tradingDaysOf([id]).dayOf(midnight) >= date]).toEqual([id, true]);
  }
});
