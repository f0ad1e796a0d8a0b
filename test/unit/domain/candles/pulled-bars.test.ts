import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Bar } from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../../shared/domain/candles/close-time.ts';
import { selectPulled } from '../../../../shared/domain/candles/pulled-bars.ts';
import { lastClosedSlot, nextStart } from '../../../../shared/domain/candles/slots.ts';
import { INTRADAY_MS, type SourceTimeframe } from '../../../../shared/domain/candles/timeframes.ts';

const FROM = Date.parse('2026-11-25T05:00Z');
const HALF_HOUR_MS = 30 * 60_000;
const STEPS = 5 * 48;

const barAt = (start: number, price: number): Bar => ({
  start,
  open: price,
  high: price + 1,
  low: price - 1,
  close: price,
  volume: 1,
});

/** A provider with half-hour bars around the clock, some of them missing, and two sessions in between. */
const providers = fc
  .array(fc.record({ isMissing: fc.nat(3).map((n) => n === 0), price: fc.integer({ min: 90, max: 110 }) }), {
    minLength: STEPS,
    maxLength: STEPS,
  })
  .map((steps) =>
    steps.flatMap(({ isMissing, price }, index) =>
      isMissing ? [] : [barAt(FROM + index * HALF_HOUR_MS, price)],
    ),
  );

const seriesOf = (calendar: string, timeframe: SourceTimeframe) =>
  ({ calendar: calendarById(calendar), timeframe, assetClass: 'equity' }) as const;

/** Pulls at given times, each after the newest bar so far. */
const pullAt = (
  given: readonly Bar[],
  series: ReturnType<typeof seriesOf>,
  times: readonly number[],
): Bar[] => {
  const { timeframe } = series;
  const taken: Bar[] = [];
  let newest = barAt(FROM - 24 * 3_600_000, 100);
  for (const closedBy of times) {
    const from = nextStart(series.calendar, timeframe, newest.start);
    const { bars, refused } = selectPulled(
      given.filter(({ start }) => start >= from && start <= closedBy),
      { series, timeframe: '30m', newest, closedBy },
    );
    expect(refused).toEqual([]);
    taken.push(...bars);
    newest = bars.at(-1) ?? newest;
  }
  return taken;
};

describe.each([
  ['us', '30m'],
  ['us', '1h'],
  ['us', '4h'],
  ['us@09:30', '1h'],
  ['us@09:30', '4h'],
] as const)('bars of the calendar %s and %s pulled from half hours', (id, timeframe) => {
  const series = seriesOf(id, timeframe);

  test('are the same whenever they are pulled, closed and of sessions only', () => {
    fc.assert(
      fc.property(providers, fc.array(fc.nat(STEPS * 30), { maxLength: 20 }), (given, minutes) => {
        const end = FROM + STEPS * HALF_HOUR_MS;
        const times = minutes.map((minute) => FROM + minute * 60_000).sort((a, b) => a - b);
        const { calendar } = series;
        const taken = pullAt(given, series, [...times, end]);
        expect(taken).toEqual(pullAt(given, series, [end]));
        for (const { start } of taken) {
          const day = calendar.dayOf(Date.parse(new Date(start - 5 * 3_600_000).toISOString().slice(0, 10)));
          expect(start + (INTRADAY_MS[timeframe] ?? 0)).toBeGreaterThan(day.open);
          expect(closeTimeOf(calendar, timeframe, start)).toBeLessThanOrEqual(day.close);
        }
        const lastSlot = lastClosedSlot(calendar, timeframe, end) ?? 0;
        expect(taken.every(({ start }) => start <= lastSlot)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

test('bars out of order, off the grid and implausible ones are refused, the others kept', () => {
  const open = Date.parse('2026-11-25T14:30Z');
  const newest = barAt(open - HALF_HOUR_MS, 100);
  const { bars, refused } = selectPulled(
    [
      barAt(open + HALF_HOUR_MS, 100),
      barAt(open, 100),
      barAt(open + 2 * HALF_HOUR_MS + 1, 100),
      { ...barAt(open + 3 * HALF_HOUR_MS, 100), volume: -1 },
      barAt(open + 4 * HALF_HOUR_MS, 1e6),
      barAt(open + 5 * HALF_HOUR_MS, 101),
    ],
    { series: seriesOf('us', '30m'), timeframe: '30m', newest, closedBy: open + 24 * HALF_HOUR_MS },
  );
  expect(bars.map(({ start }) => (start - open) / HALF_HOUR_MS)).toEqual([1, 5]);
  expect(refused.map(({ reason }) => reason)).toEqual([
    'the bars are not in ascending order',
    expect.stringContaining('multiples of 30m'),
    'the volume is not a number from zero',
    expect.stringContaining('not plausible'),
  ]);
});
