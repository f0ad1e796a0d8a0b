import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import type { Candles } from '../../../shared/data/candles/read-candles.ts';
import { ADJUSTMENTS } from '../../../shared/data/candles/series.ts';
import { ANCHORS, anchorOf } from '../../../shared/domain/candles/anchor.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { TIMEFRAMES, type Timeframe } from '../../../shared/domain/strategies/strategies.ts';

const candleOut = extensionRecord(
  'Candle',
  z.object({
    start: timestamp(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
    complete: z.boolean(),
  }),
);

/** Candles of an instrument and a timeframe. */
export const candlesOut = extensionRecord(
  'Candles',
  z.object({
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    source: z.string(),
    adjustment: z.enum(ADJUSTMENTS),
    time_zone: z.string(),
    anchor: z.enum(ANCHORS),
    session_open: z.string().nullable(),
    derived_from: z.enum(TIMEFRAMES).nullable(),
    candles: z.array(candleOut),
  }),
);

/** Presents candles. */
export const presentCandles = (
  { series, bars, incomplete }: Candles,
  timeframe: Timeframe,
): z.input<typeof candlesOut> => ({
  symbol: series.symbol,
  timeframe,
  source: series.source,
  adjustment: series.adjustment,
  time_zone: calendarById(series.calendar).timeZone.name,
  anchor: anchorOf(series.calendar).anchor,
  session_open: anchorOf(series.calendar).opening ?? null,
  derived_from: series.timeframe === timeframe ? null : series.timeframe,
  candles: Array.from(bars.start, (start, index) => ({
    start: new Date(start).toISOString(),
    open: bars.open[index] ?? 0,
    high: bars.high[index] ?? 0,
    low: bars.low[index] ?? 0,
    close: bars.close[index] ?? 0,
    volume: bars.volume[index] ?? 0,
    complete: incomplete?.[index] !== 1,
  })),
});
