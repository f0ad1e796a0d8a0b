import { describe, expect, test } from '@jest/globals';
import { type Bar, columnsOf } from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { faultOf, opensBeyondLimit, suspicionOf } from '../../../../shared/domain/candles/checks.ts';
import { qualityOf } from '../../../../shared/domain/candles/quality.ts';
import type { AssetClass } from '../../../../shared/domain/instruments/instruments.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const DAY_MS = 86_400_000;
const us = calendarById('us');
const MONDAY = us.timeZone.instantOf(Date.parse('2021-03-15T00:00:00Z'));

const bar = (change: Partial<Bar> = {}): Bar => ({
  start: MONDAY,
  open: 10,
  high: 12,
  low: 9,
  close: 11,
  volume: 100,
  ...change,
});

const daily = (assetClass: AssetClass = 'equity', timeframe: Timeframe = '1d') => ({
  calendar: us,
  timeframe,
  assetClass,
});

describe('a bar', () => {
  test('that is sound has no fault', () => {
    expect(faultOf(bar(), undefined, daily())).toBeUndefined();
    expect(
      faultOf(bar({ open: 10, high: 10, low: 10, close: 10, volume: 0 }), bar(), daily()),
    ).toBeUndefined();
  });

  test.each<[string, Partial<Bar>]>([
    ['the high is not the highest price', { high: 10.5 }],
    ['the low is not the lowest price', { low: 10.5 }],
    ['the close is not a number', { close: Number.NaN }],
    ['the open is not a number', { open: Number.POSITIVE_INFINITY }],
    ['the low is not above zero', { low: 0 }],
    ['the volume is not a number from zero', { volume: -1 }],
    ['the time is not between 1900 and 2200', { start: Date.UTC(1800, 0) }],
    ['daily bars start at midnight in America/New_York', { start: MONDAY + 1 }],
  ])('is refused: %s', (fault, change) => {
    expect(faultOf(bar(change), undefined, daily())).toBe(fault);
  });

  test('is refused off the grid of its timeframe', () => {
    const at = { start: MONDAY + 61_000 };
    expect(faultOf(bar(at), undefined, daily('equity', '5m'))).toBe(
      'bars of 5m start at multiples of 5m after midnight in America/New_York',
    );
    expect(faultOf(bar({ start: MONDAY + DAY_MS }), undefined, daily('equity', '1w'))).toBe(
      'weekly bars start on the first day of the trading week, at midnight in America/New_York',
    );
  });

  test('may have prices of zero and below where the market does', () => {
    const oil = bar({ open: 17.73, high: 17.85, low: -40.32, close: -37.63 });
    expect(faultOf(oil, bar({ close: 18.27 }), daily('commodity'))).toBeUndefined();
    expect(faultOf(oil, bar({ close: 18.27 }), daily('crypto'))).toBe('the low is not above zero');
  });

  test('in another unit than the bar before is refused', () => {
    const pence = bar({ open: 1000, high: 1200, low: 900, close: 1100 });
    expect(faultOf(pence, bar(), daily())).toBe('the close is not plausible after 11: the factor is over 50');
    expect(faultOf(bar(), pence, daily())).toMatch('not plausible after 1100');
  });

  test('that jumps, or has a long wick, is suspicious by the measure of its class', () => {
    const up = bar({ open: 11.5, high: 13, low: 11.4, close: 12.9 });
    expect(suspicionOf(up, bar(), 'equity')).toBeUndefined();
    expect(suspicionOf(up, bar(), 'forex')).toBe('jump');
    expect(suspicionOf(bar({ high: 14 }), undefined, 'equity')).toBe('wick');
    expect(opensBeyondLimit(up, bar(), 'forex')).toBe(false);
    expect(opensBeyondLimit(bar({ open: 14 }), bar(), 'equity')).toBe(true);
  });
});

describe('a report', () => {
  const day = (date: string, change: Partial<Bar> = {}): Bar =>
    bar({ start: us.timeZone.instantOf(Date.parse(`${date}T00:00:00Z`)), ...change });

  test('counts missing sessions, not weekends and holidays', () => {
    const days = ['2021-04-01', '2021-04-05', '2021-04-06', '2021-04-12', '2021-04-14'];
    expect(qualityOf(columnsOf(days.map((one) => day(one))), daily())).toEqual({
      bars: 5,
      missing: 4,
      gapCount: 2,
      gaps: [
        { after: day('2021-04-06').start, before: day('2021-04-12').start, missing: 3 },
        { after: day('2021-04-12').start, before: day('2021-04-14').start, missing: 1 },
      ],
      suspiciousCount: 0,
      suspicious: [],
    });
  });

  test('of weekly bars counts missing weeks across daylight saving', () => {
    const weeks = ['2021-03-01', '2021-03-08', '2021-03-22', '2021-11-01', '2021-11-08'];
    expect(qualityOf(columnsOf(weeks.map((one) => day(one))), daily('equity', '1w'))).toMatchObject({
      missing: 1 + 31,
      gapCount: 2,
    });
  });

  test('names at most 20 gaps and suspicious bars, and counts all', () => {
    const every = Array.from({ length: 60 }, (_, index) =>
      day(new Date(Date.UTC(2021, 0, 4 + index * 7)).toISOString().slice(0, 10), { high: 20 }),
    );
    const report = qualityOf(columnsOf(every), daily());
    expect(report.gaps).toHaveLength(20);
    expect(report.suspicious).toHaveLength(20);
    expect(report).toMatchObject({ gapCount: 59, suspiciousCount: 60 });
  });
});
