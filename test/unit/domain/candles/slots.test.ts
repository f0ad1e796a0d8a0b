import { expect, test } from '@jest/globals';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../../shared/domain/candles/close-time.ts';
import { lastClosedSlot, nextSlot, nextStart } from '../../../../shared/domain/candles/slots.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const last = (calendar: string, timeframe: Timeframe, at: string): string | undefined => {
  const found = lastClosedSlot(calendarById(calendar), timeframe, Date.parse(at));
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
};

test.each([
  ['us', '1m', '2026-03-02T14:31:00Z', '2026-03-02T14:30'],
  ['us', '1m', '2026-03-02T14:30:59Z', '2026-02-27T20:59'],
  ['us', '1h', '2026-03-02T14:59:59Z', '2026-02-27T20:00'],
  ['us', '1h', '2026-03-02T15:00:00Z', '2026-03-02T14:00'],
  ['us', '4h', '2026-03-02T21:00:00Z', '2026-03-02T17:00'],
  ['us@09:30', '1h', '2026-03-02T15:29:59Z', '2026-02-27T20:30'],
  ['us@09:30', '1h', '2026-03-02T15:30:00Z', '2026-03-02T14:30'],
  ['us@09:30', '4h', '2026-03-02T21:00:00Z', '2026-03-02T18:30'],
  ['us@09:30', '4h', '2026-11-27T18:00:00Z', '2026-11-27T14:30'],
  ['weekdays:Asia/Kolkata@09:15', '1h', '2026-03-02T04:45:00Z', '2026-03-02T03:45'],
  // The day after Thanksgiving closes at 13:00.
  ['us', '4h', '2026-11-27T18:00:00Z', '2026-11-27T17:00'],
  ['us', '1d', '2026-11-27T17:59:00Z', '2026-11-25T05:00'],
  ['us', '1d', '2026-11-27T18:00:00Z', '2026-11-27T05:00'],
  // Daylight saving time begins on 8 March.
  ['us', '1m', '2026-03-09T13:31:00Z', '2026-03-09T13:30'],
  ['always', '1m', '2026-03-01T00:00:00Z', '2026-02-28T23:59'],
  ['always', '4h', '2026-03-01T03:59:00Z', '2026-02-28T20:00'],
  ['always', '1d', '2026-03-01T00:00:00Z', '2026-02-28T00:00'],
  ['forex', '1h', '2026-03-01T21:00:00Z', '2026-02-27T21:00'],
] as const)(
  'in the calendar %s, the last bar of %s closed by %s starts at %s',
  (calendar, timeframe, at, start) => {
    expect(last(calendar, timeframe, at)).toBe(start);
  },
);

test.each(['us', 'us@09:30'])(
  'every half hour of a year of %s: a slot has closed, and no later one has',
  (id) => {
    const calendar = calendarById(id);
    for (const timeframe of ['30m', '1h', '4h', '1d'] as const) {
      let before = Number.NEGATIVE_INFINITY;
      for (let at = Date.parse('2026-01-02T22:00Z'); at < Date.parse('2027-01-01'); at += 30 * 60_000) {
        const slot = lastClosedSlot(calendar, timeframe, at) ?? Number.NaN;
        expect(closeTimeOf(calendar, timeframe, slot)).toBeLessThanOrEqual(at);
        if (slot !== before) {
          // The slot closed within the last step, and follows the one before.
          if (before !== Number.NEGATIVE_INFINITY) {
            expect(closeTimeOf(calendar, timeframe, slot)).toBeGreaterThan(at - 30 * 60_000);
            expect(slot).toBeGreaterThanOrEqual(nextStart(calendar, timeframe, before));
          }
          before = slot;
        }
      }
    }
  },
);

test.each([
  ['us', '1d', '2026-11-25T05:00Z', '2026-11-27T05:00'],
  ['us', '1d', '2026-11-27T05:00Z', '2026-11-30T05:00'],
  ['us', '1m', '2026-11-27T17:59Z', '2026-11-30T14:30'],
  ['us', '1m', '2026-03-02T10:00Z', '2026-03-02T14:30'],
  ['us', '4h', '2026-11-27T13:00Z', '2026-11-27T17:00'],
  ['us@09:30', '1h', '2026-11-27T17:30Z', '2026-11-30T14:30'],
  ['us@09:30', '4h', '2026-11-25T14:30Z', '2026-11-25T18:30'],
  ['us@09:30', '1h', '2026-03-02T10:00Z', '2026-03-02T14:30'],
  ['us', '1w', '2026-03-02T05:00Z', '2026-03-09T04:00'],
  ['always', '15m', '2026-02-28T23:45Z', '2026-03-01T00:00'],
] as const)('in the calendar %s, the bar of %s after %s starts at %s', (calendar, timeframe, at, start) => {
  const found = nextSlot(calendarById(calendar), timeframe, Date.parse(at));
  expect(new Date(found ?? 0).toISOString().slice(0, 16)).toBe(start);
});

test.each(['us', 'us@09:30'])(
  'the next bar of a session of %s is the first that can be the last closed one',
  (id) => {
    const calendar = calendarById(id);
    for (const timeframe of ['30m', '4h', '1d'] as const) {
      let at = lastClosedSlot(calendar, timeframe, Date.parse('2026-01-02T22:00Z')) ?? 0;
      while (at < Date.parse('2026-04-01')) {
        const next = nextSlot(calendar, timeframe, at) ?? Number.NaN;
        const closing = closeTimeOf(calendar, timeframe, next);
        expect(lastClosedSlot(calendar, timeframe, closing - 1)).toBe(at);
        expect(lastClosedSlot(calendar, timeframe, closing)).toBe(next);
        at = next;
      }
    }
  },
);
