import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeDays, equityNow } from '../../../shared/domain/ledger/days.ts';
import { type Ledger, SETTLE_DAYS } from '../../../shared/domain/ledger/ledger-state.ts';
import type { DayRecord } from '../../../shared/domain/metrics/equity-history.ts';
import {
  addDayRecord,
  addDayRecords,
  CURVE_POINTS,
  type History,
  historySchema,
  KEPT_DAYS,
  openHistory,
} from '../../../shared/domain/metrics/equity-history.ts';
import { addDays, dayOf, monthOf, startOf, weekOf } from '../../../shared/domain/periods.ts';
import { randomNumbers } from '../../support/random-bars.ts';
import { emptyBooks, orderEvent, receive, START, timeAt } from './ledger-histories.ts';

const FIRST = '2025-11-03';

const record = (index: number, net = '1', trades = 1): DayRecord => [
  addDays(FIRST, index),
  String(10_000 + index + 1),
  net,
  trades,
];

const historyAfter = (days: number) =>
  addDayRecords(
    openHistory(FIRST, '10000'),
    Array.from({ length: days }, (_, index) => record(index)),
  );

describe('an equity history', () => {
  test('begins at the starting capital, the day before the first', () => {
    expect(historyAfter(2).curve).toEqual([
      ['2025-11-02', '10000', 0, 0],
      ['2025-11-03', '10001', 0, 1],
      ['2025-11-04', '10002', 0, 2],
    ]);
  });

  test('adds up weeks from Monday and months', () => {
    const { weeks, months, days } = historyAfter(30);
    expect(days).toHaveLength(30);
    expect(weeks).toEqual([
      ['2025-11-03', '7', 7],
      ['2025-11-10', '7', 7],
      ['2025-11-17', '7', 7],
      ['2025-11-24', '7', 7],
      ['2025-12-01', '2', 2],
    ]);
    expect(months).toEqual([
      ['2025-11', '28', 28],
      ['2025-12', '2', 2],
    ]);
  });

  test('omits days without result and trades, and ignores a day that it has already', () => {
    const history = addDayRecord(historyAfter(2), record(2, '0', 0));
    expect(history.days).toHaveLength(2);
    expect(history.curve).toHaveLength(4);
    expect(addDayRecord(history, record(1, '5'))).toBe(history);
  });

  test.each([498, 499, 500, 998, 1500, 5000])('has at most 500 points after %d days', (days) => {
    const { curve } = historyAfter(days);
    expect(curve.length).toBeLessThan(CURVE_POINTS);
    expect(curve.length).toBeGreaterThan(CURVE_POINTS / 2 - 2);
    expect([curve[0]?.[0], curve.at(-1)?.[0]]).toEqual([addDays(FIRST, -1), addDays(FIRST, days - 1)]);
  });

  test('keeps the highs and lows of equity and drawdown, in the same points however the days are added', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 500, max: 3000 }), (seed, count) => {
        const random = randomNumbers(seed);
        let equity = 10_000;
        const records = Array.from({ length: count }, (_, index): DayRecord => {
          equity = Math.max(1, Math.round(equity * (1 + (random() - 0.5) * 0.1)));
          return [addDays(FIRST, index), String(equity), '1', 1];
        });
        const history = addDayRecords(openHistory(FIRST, '10000'), records);
        expect(
          addDayRecords(addDayRecords(openHistory(FIRST, '10000'), records.slice(0, 400)), records),
        ).toEqual(history);
        const all = [10_000, ...records.map(([, value]) => Number(value))];
        let peak = 0;
        const falls = all.map((value) => {
          peak = Math.max(peak, value);
          return (peak - value) / peak;
        });
        const shown = history.curve.map(([, value]) => Number(value));
        expect([Math.max(...shown), Math.min(...shown)]).toEqual([Math.max(...all), Math.min(...all)]);
        for (const [, value, fall, number] of history.curve) {
          expect([Number(value), fall]).toEqual([
            all[number],
            expect.closeTo(falls[number] ?? Number.NaN, 12),
          ]);
        }
        expect(Math.max(...history.curve.map(([, , fall]) => fall))).toBeCloseTo(Math.max(...falls), 12);
      }),
      { numRuns: 20 },
    );
  });

  test('stays small', () => {
    const history = historyAfter(10_000);
    expect(historySchema.parse(history)).toEqual(history);
    expect(history.days).toHaveLength(KEPT_DAYS);
    expect(JSON.stringify(history).length).toBeLessThan(60_000);
  });

  test('is shown with unsettled days and the current day', () => {
    const traded = [
      orderEvent({ client_order_id: 'a', occurred_at: timeAt(1), fees: '1' }),
      orderEvent({ client_order_id: 'b', occurred_at: timeAt(2 * 1440), side: 'sell', average_price: '103' }),
    ].reduce(receive, emptyBooks());
    const shownOf = (ledger: Ledger, history: History) =>
      addDayRecords(history, equityNow(ledger, startOf('2025-11-05')).days);
    const shown = shownOf(traded.ledger, openHistory(dayOf(START), '10000'));
    expect(shown.days).toEqual([
      ['2025-11-03', '-1', 0],
      ['2025-11-05', '3', 1],
    ]);
    const closed = closeDays(traded.ledger, openHistory(dayOf(START), '10000'), '2025-11-30');
    expect(closed.history.through).toBe(addDays('2025-11-30', -SETTLE_DAYS - 1));
    expect(shownOf(closed.ledger, closed.history).days).toEqual(shown.days);
    expect(closed.ledger.head.days).toHaveLength(SETTLE_DAYS + 1);
  });
});

test.each([
  ['2025-11-02', '2025-10-27', '2025-11'],
  ['2025-11-03', '2025-11-03', '2025-11'],
  ['2026-01-01', '2025-12-29', '2026-01'],
  ['1969-12-31', '1969-12-29', '1969-12'],
])('%s is in the week of %s and in %s', (day, week, month) => {
  expect([weekOf(day), monthOf(day)]).toEqual([week, month]);
});
