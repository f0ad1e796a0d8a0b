import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { OwnSeries } from '../../../shared/data/candles/own-series.ts';
import { ADJUSTMENTS } from '../../../shared/data/candles/series.ts';
import { anchorOf } from '../../../shared/domain/candles/anchor.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

/** Series of own candles, without them. */
export const ownSeriesOut = extensionRecord(
  'OwnCandles',
  z.object({
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    source: z.string(),
    adjustment: z.enum(ADJUSTMENTS),
    time_zone: z.string(),
    session_open: z.string().nullable(),
    count: integer(),
    first: timestamp(),
    last: timestamp(),
    changed_at: timestamp(),
  }),
);

/** Presents a series of own candles to its owner. */
export const presentOwnSeries = ({
  calendar,
  first,
  last,
  ...series
}: OwnSeries): z.output<typeof ownSeriesOut> => ({
  ...series,
  time_zone: calendarById(calendar).timeZone.name,
  session_open: anchorOf(calendar).opening ?? null,
  first: new Date(first).toISOString(),
  last: new Date(last).toISOString(),
});
