import { describe, expect, test } from '@jest/globals';
import { type Bar, columnsOf, listBars } from '../../../../shared/domain/candles/bars.ts';
import { calendarById, dayAt } from '../../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../../shared/domain/candles/close-time.ts';
import { deriveBars } from '../../../../shared/domain/candles/derive.ts';
import { barStartAt, endOfPeriod, isOnGrid } from '../../../../shared/domain/candles/periods.ts';
import { isInSession } from '../../../../shared/domain/candles/sessions.ts';
import { nextSlot, nextStart } from '../../../../shared/domain/candles/slots.ts';
import { INTRADAY_MS } from '../../../../shared/domain/candles/timeframes.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const MINUTE_MS = 60_000;
const TIMEFRAMES = ['15m', '30m', '1h', '4h'] as const;

/** A minute as a clock on the wall shows it. */
interface WallMinute {
  readonly at: number;
  readonly day: string;
  readonly time: string;
}

/** Reads the clock of a time zone at each minute of some days. */
const minutesIn = (zone: string, from: string, to: string): WallMinute[] => {
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const minutes: WallMinute[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += MINUTE_MS) {
    const [day = '', time = ''] = format.format(at).split(' ');
    minutes.push({ at, day, time });
  }
  return minutes;
};

/** Counts minutes from the opening of each day, and begins a bar with each day and with each multiple of its length. */
const plainBars = (
  minutes: readonly WallMinute[],
  opening: string,
  timeframe: (typeof TIMEFRAMES)[number],
) => {
  const length = (INTRADAY_MS[timeframe] ?? 0) / MINUTE_MS;
  const days = Map.groupBy(minutes, ({ day }) => day);
  return [...days.values()].flatMap((day) => {
    const open = day.findIndex(({ time }) => time === opening);
    const starts = day.filter((_, index) => index === 0 || (index - open) % length === 0);
    const end = (day.at(-1)?.at ?? 0) + MINUTE_MS;
    return starts.map(({ at }, index) => ({ start: at, end: starts[index + 1]?.at ?? end }));
  });
};

describe.each([
  // Clocks change on 9 March and 2 November.
  ['us@09:30', 'America/New_York', '09:30', '2025-03-07T05:00Z', '2025-03-12T04:00Z'],
  ['us@09:30', 'America/New_York', '09:30', '2025-10-31T04:00Z', '2025-11-05T05:00Z'],
  // Trading ends at 13:00 on Friday.
  ['us@09:30', 'America/New_York', '09:30', '2025-11-26T05:00Z', '2025-11-30T05:00Z'],
  ['us', 'America/New_York', '00:00', '2025-11-26T05:00Z', '2025-11-30T05:00Z'],
  // Clocks change on 30 March and 26 October.
  ['weekdays:Europe/London@08:00', 'Europe/London', '08:00', '2025-03-28T00:00Z', '2025-04-01T23:00Z'],
  ['weekdays:Europe/London@08:45', 'Europe/London', '08:45', '2025-10-23T23:00Z', '2025-10-29T00:00Z'],
  ['weekdays:Asia/Kolkata@09:15', 'Asia/Kolkata', '09:15', '2025-03-06T18:30Z', '2025-03-11T18:30Z'],
] as const)('bars of the calendar %s', (id, zone, opening, from, to) => {
  const calendar = calendarById(id);
  const minutes = minutesIn(zone, from, to);

  test.each(TIMEFRAMES)('of %s are those that a clock on the wall gives', (timeframe) => {
    const bars = plainBars(minutes, opening, timeframe);
    expect(bars.length).toBeGreaterThan(10);
    for (const { start, end } of bars) {
      const { open, close } = dayAt(calendar, start);
      expect([
        barStartAt(calendar, timeframe, start),
        barStartAt(calendar, timeframe, end - 1),
        endOfPeriod(calendar, timeframe, start),
        nextStart(calendar, timeframe, start),
        closeTimeOf(calendar, timeframe, start),
      ]).toEqual([start, start, end, end, close > start && close < end ? close : end]);
      expect(isInSession(dayAt(calendar, start), timeframe, start)).toBe(end > open && start < close);
    }
    const starts = new Set(bars.map(({ start }) => start));
    for (const { at } of minutes) expect(isOnGrid(calendar, timeframe, at)).toBe(starts.has(at));
    const session = bars.filter(({ start }) => isInSession(dayAt(calendar, start), timeframe, start));
    for (const [index, { start }] of session.entries()) {
      const next = session[index + 1]?.start;
      if (next !== undefined) expect(nextSlot(calendar, timeframe, start)).toBe(next);
    }
  });

  test.each<[(typeof TIMEFRAMES)[number], Timeframe]>([
    ['15m', '1h'],
    ['30m', '4h'],
    ['1h', '4h'],
    ['1h', '1d'],
  ])('of %s make up those of %s', (timeframe, higher) => {
    const ofSession = plainBars(minutes, opening, timeframe).filter(({ start }) =>
      isInSession(dayAt(calendar, start), timeframe, start),
    );
    const given = ofSession.map(
      ({ start }, index): Bar => ({
        start,
        open: index,
        high: index + 2,
        low: index,
        close: index + 1,
        volume: 1,
      }),
    );
    const days = Object.groupBy(minutes, ({ day }) => day);
    const periods =
      higher === '1d'
        ? Object.values(days).map((day = []) => ({
            start: day[0]?.at ?? 0,
            end: (day.at(-1)?.at ?? 0) + MINUTE_MS,
          }))
        : higher === '1h' || higher === '4h'
          ? plainBars(minutes, opening, higher)
          : [];
    const expected = periods.flatMap(({ start, end }) => {
      const own = given.filter((bar) => bar.start >= start && bar.start < end);
      const [first] = own;
      const last = own.at(-1);
      return first && last
        ? [
            {
              start,
              open: first.open,
              high: last.high,
              low: first.low,
              close: last.close,
              volume: own.length,
            },
          ]
        : [];
    });
    expect(listBars(deriveBars(columnsOf(given), calendar, timeframe, higher).bars)).toEqual(expected);
  });
});
