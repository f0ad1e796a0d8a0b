import { describe, expect, test } from '@jest/globals';
import { catalogueEntryOf, DEMO_INSTRUMENTS } from '../../../infra/local/market/instruments.ts';
import { nextBar, pastBars } from '../../../infra/local/market/prices.ts';
import { barAt, barCount } from '../../../shared/domain/candles/bars.ts';
import { calendarById, calendarIdOf } from '../../../shared/domain/candles/calendar.ts';
import { faultOf } from '../../../shared/domain/candles/checks.ts';

const MONDAY = Date.parse('2016-11-21T00:00:00Z');
const DAY_BARS = 1440;

describe.each(DEMO_INSTRUMENTS)('$symbol of the demo market', (instrument) => {
  const entry = catalogueEntryOf(instrument);
  const kind = {
    calendar: calendarById(calendarIdOf(entry)),
    timeframe: '1m' as const,
    assetClass: entry.asset_class,
  };

  test('has a bar for every minute, also at the weekend, and each is valid', () => {
    const bars = pastBars(instrument, MONDAY, 3 * DAY_BARS);
    expect(barCount(bars)).toBe(3 * DAY_BARS);
    for (let index = 0; index < barCount(bars); index += 1) {
      const bar = barAt(bars, index);
      if (!bar) throw new Error('a bar is missing');
      expect(faultOf(bar, index === 0 ? undefined : barAt(bars, index - 1), kind)).toBeUndefined();
    }
  });

  test('goes on after a restart as it would have without one', () => {
    const bars = pastBars(instrument, MONDAY, 100);
    const { start, close } = barAt(bars, 60) ?? { start: 0, close: 0 };
    expect(nextBar(instrument, start + 60_000, close)).toEqual(barAt(bars, 61));
  });

  test('moves, and stays near its usual price', () => {
    const { close } = pastBars(instrument, MONDAY, 20 * DAY_BARS);
    expect(new Set(close.slice(-100)).size).toBeGreaterThan(20);
    expect(Math.min(...close)).toBeGreaterThan(instrument.price / 3);
    expect(Math.max(...close)).toBeLessThan(instrument.price * 3);
  });
});
