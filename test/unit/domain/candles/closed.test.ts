import { expect, test } from '@jest/globals';
import { type Calendar, calendarById, dayAt } from '../../../../shared/domain/candles/calendar.ts';
import { closedThrough, closedWith, closingTime } from '../../../../shared/domain/candles/closed.ts';
import { isOnGrid, periodsOf } from '../../../../shared/domain/candles/periods.ts';
import { isInSession } from '../../../../shared/domain/candles/sessions.ts';
import type { SourceTimeframe } from '../../../../shared/domain/candles/timeframes.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const QUARTER_MS = 15 * 60_000;
/** Three weeks with Thanksgiving, an early close and a change of the clocks. */
const FROM = Date.parse('2025-10-25T00:00Z');
const TO = Date.parse('2025-12-08T00:00Z');

/** Starts of the bars that a complete series has. */
const startsOf = (calendar: Calendar, timeframe: SourceTimeframe): number[] =>
  Array.from({ length: (TO - FROM) / QUARTER_MS }, (_, slot) => FROM + slot * QUARTER_MS).filter(
    (at) => isOnGrid(calendar, timeframe, at) && isInSession(dayAt(calendar, at), timeframe, at),
  );

const HIGHER: readonly (readonly [SourceTimeframe, readonly Timeframe[]])[] = [
  ['30m', ['1h', '4h', '1d', '1w']],
  ['1h', ['4h', '1d', '1w']],
  ['1d', ['1w']],
];

test.each([
  'us',
  'us@09:30',
  'always',
  'forex',
  'cfd',
  'weekdays:Europe/Berlin',
  'weekdays:Europe/London@08:00',
  'weekdays:Asia/Kolkata@09:15',
])('a bar of the calendar %s is closed when no smaller bar can belong to it any more', (id) => {
  const calendar = calendarById(id);
  for (const [timeframe, highers] of HIGHER) {
    const starts = startsOf(calendar, timeframe);
    for (const higher of highers) {
      const periods = periodsOf(calendar, timeframe, higher);
      // The first period may lack its first bars, and the last one its last ones.
      const last = periods.startOf(starts.at(-1) ?? 0);
      starts.forEach((start, index) => {
        const period = periods.startOf(start);
        const next = starts[index + 1];
        if (next === undefined || period === last || periods.startOf(next) === period) return;
        const closing = closingTime(calendar, timeframe, higher, period);
        const isRight = closing > start && closing <= next;
        expect([higher, new Date(start).toISOString(), isRight]).toEqual([higher, expect.any(String), true]);
      });
    }
  }
});

const at = (text: string): number => Date.parse(`2025-11-${text}Z`);

test('a watermark closes the day and the week with the last session', () => {
  const us = calendarById('us');
  const closed = (last: string, after: string, through: string) =>
    closedThrough(us, '1m', at(last), { after: at(after), through: at(through) });
  // Friday after Thanksgiving: trading ends at 13:00 in New York.
  expect(closed('28T17:57', '28T17:58', '28T17:59')).toEqual([]);
  expect(closed('28T17:57', '28T17:59', '28T18:00')).toEqual([
    '3m',
    '5m',
    '15m',
    '30m',
    '1h',
    '4h',
    '1d',
    '1w',
  ]);
  expect(closed('28T17:57', '28T18:00', '28T18:10')).toEqual([]);
  expect(closed('26T20:58', '26T20:58', '26T21:00')).toEqual(['3m', '5m', '15m', '30m', '1h', '4h', '1d']);
  expect(closedThrough(us, '1w', at('24T05:00'), { after: 0, through: at('30T00:00') })).toEqual([]);
});

test('bars close larger ones with their last bar, else with the first of the next', () => {
  const us = calendarById('us');
  const closed = (starts: readonly string[], before?: string) =>
    closedWith(us, '30m', starts.map(at), before === undefined ? undefined : at(before));
  expect(closed(['28T15:00'], '28T14:30')).toEqual(['30m']);
  expect(closed(['28T17:30'], '28T17:00')).toEqual(['30m', '1h', '4h', '1d', '1w']);
  // The next session, without the last bar of the one before.
  expect(closed(['25T14:30'], '24T20:00')).toEqual(['30m', '1h', '4h', '1d']);
  expect(closed(['25T14:30'], '24T20:30')).toEqual(['30m', '1h']);
  expect(closed(['25T14:30'])).toEqual(['30m', '1h', '4h', '1d', '1w']);
  expect(closed([])).toEqual([]);
});
