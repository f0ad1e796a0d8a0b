import { type Bar, type BarColumns, columnsOf } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { coveringBars } from '../../shared/domain/candles/covering.ts';
import type { AskedBar } from '../../shared/domain/engine/backtest/advance.ts';
import { randomNumbers } from './random-bars.ts';

export const QUARTER_MS = 900_000;
export const calendar = calendarById('always');

/** Returns bars of 15 minutes without a gap in time, and with gaps between their prices. */
export const quarters = (seed: number, count: number): BarColumns => {
  const random = randomNumbers(seed);
  const bars: Bar[] = [];
  let price = 100;
  for (let index = 0; index < count; index += 1) {
    const open = price * (1 + (random() - 0.5) * (random() < 0.2 ? 0.04 : 0.002));
    const close = open * (1 + (random() - 0.5) * 0.03);
    const high = Math.max(open, close) * (1 + random() * 0.01);
    const low = Math.min(open, close) * (1 - random() * 0.01);
    price = close;
    bars.push({ start: Date.UTC(2024, 0, 1) + index * QUARTER_MS, open, high, low, close, volume: 1 });
  }
  return columnsOf(bars);
};

/** Returns a function that finds the quarters which make up an hour. */
export const quartersOf =
  (all: BarColumns) =>
  ({ bar }: Pick<AskedBar, 'bar'>): BarColumns | undefined =>
    coveringBars({ calendar, timeframe: '1h', bar }, { calendar, timeframe: '15m', bars: all });
