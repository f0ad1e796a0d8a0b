import { expect, test } from '@jest/globals';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../../shared/domain/candles/close-time.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

test.each<[string, Timeframe, string, string]>([
  ['us', '1m', '2026-03-06T14:30Z', '2026-03-06T14:31Z'],
  ['us', '1d', '2026-03-06T05:00Z', '2026-03-06T21:00Z'],
  // In summer, and on a day that closes early.
  ['us', '1d', '2026-07-06T04:00Z', '2026-07-06T20:00Z'],
  ['us', '1d', '2025-11-28T05:00Z', '2025-11-28T18:00Z'],
  ['us', '1h', '2025-11-28T17:00Z', '2025-11-28T18:00Z'],
  ['us', '4h', '2025-11-28T17:00Z', '2025-11-28T18:00Z'],
  ['us@09:30', '1h', '2026-03-06T20:30Z', '2026-03-06T21:00Z'],
  ['us@09:30', '4h', '2025-11-28T14:30Z', '2025-11-28T18:00Z'],
  ['us@09:30', '1d', '2026-03-06T05:00Z', '2026-03-06T21:00Z'],
  ['us', '1w', '2026-03-02T05:00Z', '2026-03-06T21:00Z'],
  // Good Friday.
  ['us', '1w', '2026-03-30T04:00Z', '2026-04-02T20:00Z'],
  ['forex', '1d', '2026-03-06T00:00Z', '2026-03-06T22:00Z'],
  ['always', '1d', '2026-03-07T00:00Z', '2026-03-08T00:00Z'],
  ['always', '1w', '2026-03-07T00:00Z', '2026-03-14T00:00Z'],
  ['weekdays:Asia/Tokyo', '1d', '2026-03-05T15:00Z', '2026-03-06T15:00Z'],
])('a bar of the calendar %s, %s, that starts at %s closes at %s', (calendar, timeframe, start, close) => {
  expect(new Date(closeTimeOf(calendarById(calendar), timeframe, Date.parse(start)))).toEqual(
    new Date(close),
  );
});
