import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Bar, barAt, barCount, columnsOf, sliceBars } from '../../../../shared/domain/candles/bars.ts';
import { type Calendar, calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { deriveBars } from '../../../../shared/domain/candles/derive.ts';
import { periodsOf } from '../../../../shared/domain/candles/periods.ts';
import type { SourceTimeframe } from '../../../../shared/domain/candles/timeframes.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const us = calendarById('us');
const always = calendarById('always');
const session = calendarById('us@09:30');
const kolkata = calendarById('weekdays:Asia/Kolkata@09:15');

const at = (calendar: Calendar, local: string): number =>
  calendar.timeZone.instantOf(Date.parse(`${local}Z`));

const bar = (start: number, price = 10): Bar => ({
  start,
  open: price,
  high: price + 1,
  low: price - 1,
  close: price + 0.5,
  volume: 100,
});

/** Bars at local times, each at a price one higher. */
const barsAt = (calendar: Calendar, locals: readonly string[]) =>
  columnsOf(locals.map((local, index) => bar(at(calendar, local), 10 + index)));

const derived = (
  calendar: Calendar,
  timeframe: SourceTimeframe,
  higher: Timeframe,
  locals: readonly string[],
) => {
  const { bars, incomplete } = deriveBars(barsAt(calendar, locals), calendar, timeframe, higher);
  return Array.from({ length: barCount(bars) }, (_, index) => ({
    ...barAt(bars, index),
    start: new Date(bars.start[index] ?? 0).toISOString(),
    incomplete: incomplete[index] === 1,
  }));
};

const SESSION = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00'];

describe('derived bars', () => {
  test('of a day hold its session', () => {
    const hours = ['08:00', ...SESSION, '16:00'].map((hour) => `2021-03-15T${hour}`);
    expect(derived(us, '1h', '1d', hours)).toEqual([
      {
        start: '2021-03-15T04:00:00.000Z',
        open: 11,
        high: 18,
        low: 10,
        close: 17.5,
        volume: 700,
        incomplete: false,
      },
    ]);
  });

  test('are flagged where bars are missing or still to come', () => {
    const whole = SESSION.map((hour) => `2021-03-15T${hour}`);
    const lacking = SESSION.filter((hour) => hour !== '11:00').map((hour) => `2021-03-16T${hour}`);
    const open = ['2021-03-17T09:00', '2021-03-17T10:00'];
    expect(
      derived(us, '1h', '1d', [...whole, ...lacking, ...open]).map(({ incomplete }) => incomplete),
    ).toEqual([false, true, true]);
  });

  test('of hours that begin with the session follow it', () => {
    const hours = ['08:30', '09:30', '10:30', '11:30', '12:30', '13:30', '14:30', '15:30', '16:30'];
    const locals = hours.map((hour) => `2021-03-15T${hour}`);
    expect(derived(session, '1h', '4h', locals)).toMatchObject([
      { start: '2021-03-15T09:30:00.000Z', volume: 100 },
      { start: '2021-03-15T13:30:00.000Z', volume: 400, open: 11, close: 14.5, incomplete: false },
      { start: '2021-03-15T17:30:00.000Z', volume: 300, open: 15, close: 17.5, incomplete: false },
    ]);
    expect(derived(session, '1h', '1d', locals)).toMatchObject([
      { start: '2021-03-15T04:00:00.000Z', volume: 700, open: 11, close: 17.5, incomplete: false },
    ]);
    const early = hours.slice(1, 5).map((hour) => `2020-11-27T${hour}`);
    expect(derived(session, '1h', '4h', early)).toMatchObject([{ volume: 400, incomplete: false }]);
    expect(derived(session, '1h', '1d', early.slice(1))).toMatchObject([{ incomplete: true }]);
  });

  test('of a day with an early close are complete without the afternoon', () => {
    const hours = ['09:00', '10:00', '11:00', '12:00'].map((hour) => `2020-11-27T${hour}`);
    expect(derived(us, '1h', '1d', hours)).toMatchObject([{ incomplete: false }]);
    expect(derived(us, '1h', '4h', hours)).toMatchObject([{ incomplete: false }, { incomplete: false }]);
  });

  test('of a week with a holiday are complete without it, once another week begins', () => {
    const days = ['29', '30', '31'].map((day) => `2021-03-${day}T00:00`);
    const week = [...days, '2021-04-01T00:00'];
    expect(derived(us, '1d', '1w', week)).toMatchObject([{ incomplete: true, volume: 400 }]);
    expect(derived(us, '1d', '1w', [...week, '2021-04-05T00:00'])).toMatchObject([
      { incomplete: false },
      { incomplete: true },
    ]);
  });

  test('of an exchange with unknown sessions are incomplete only while they are open', () => {
    const berlin = calendarById('weekdays:Europe/Berlin');
    const hours = ['2021-03-15T09:00', '2021-03-15T17:00', '2021-03-16T09:00'];
    expect(derived(berlin, '1h', '1d', hours)).toMatchObject([{ incomplete: false }, { incomplete: true }]);
  });

  test('equal a plain computation over any bars', () => {
    const starts = fc.uniqueArray(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 60 });
    const higher = fc.constantFrom<Timeframe>('5m', '15m', '1h', '4h', '1d', '1w');
    fc.assert(
      fc.property(
        starts,
        higher,
        fc.constantFrom(us, always, session, kolkata),
        (slots, timeframe, calendar) => {
          const from = at(calendar, '2021-03-12T08:00');
          const series = slots
            .toSorted((a, b) => a - b)
            .map((slot) => bar(from + slot * MINUTE_MS, 10 + (slot % 17)));
          const { startOf } = periodsOf(calendar, '1m', timeframe);
          const groups = Map.groupBy(series, ({ start }) => startOf(start));
          groups.delete(Number.NaN);
          const expected = [...groups].map(([start, group]) => ({
            start,
            open: group[0]?.open,
            high: Math.max(...group.map(({ high }) => high)),
            low: Math.min(...group.map(({ low }) => low)),
            close: group.at(-1)?.close,
            volume: group.length * 100,
          }));
          const { bars } = deriveBars(columnsOf(series), calendar, '1m', timeframe);
          expect(Array.from({ length: barCount(bars) }, (_, index) => barAt(bars, index))).toEqual(expected);
        },
      ),
    );
  });

  test('never change by later bars, once another one began', () => {
    const hours = Array.from({ length: 400 }, (_, index) =>
      bar(at(us, '2021-03-01T00:00') + index * HOUR_MS, 10 + (index % 5)),
    );
    const all = columnsOf(hours);
    const whole = deriveBars(all, us, '1h', '1d');
    for (let count = 1; count < hours.length; count += 37) {
      const part = deriveBars(sliceBars(all, 0, count), us, '1h', '1d');
      const closed = Math.max(0, barCount(part.bars) - 1);
      expect(sliceBars(part.bars, 0, closed)).toEqual(sliceBars(whole.bars, 0, closed));
      expect(part.incomplete.slice(0, closed)).toEqual(whole.incomplete.slice(0, closed));
    }
  });
});
