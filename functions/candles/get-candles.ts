import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { type Candles, findCandleSeries, readNewestCandles } from '../../shared/data/candles/read-candles.ts';
import { ADJUSTMENTS } from '../../shared/data/candles/series.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { normaliseSymbol } from '../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 5000;

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

const candlesOut = extensionRecord(
  'Candles',
  z.object({
    symbol: z.string(),
    timeframe: z.enum(TIMEFRAMES),
    source: z.string(),
    adjustment: z.enum(ADJUSTMENTS),
    time_zone: z.string(),
    derived_from: z.enum(TIMEFRAMES).nullable(),
    candles: z.array(candleOut),
  }),
);

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** A time, or a day for its start in UTC. */
const time = () =>
  z.string().refine((text) => moment.safeParse(text).success, {
    error: 'invalid datetime format',
    params: { type: 'value_error.datetime' },
  });

const present = (
  { series, bars, incomplete }: Candles,
  timeframe: Timeframe,
): z.input<typeof candlesOut> => ({
  symbol: series.symbol,
  timeframe,
  source: series.source,
  adjustment: series.adjustment,
  time_zone: calendarById(series.calendar).timeZone.name,
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

export const getCandles = defineOperation({
  method: 'GET',
  path: '/get_candles',
  name: 'get_candles',
  summary: 'Read candles of an instrument',
  description:
    'The newest candles that start from `from` and before `to`, oldest first. A timeframe that is not stored is ' +
    'derived from the largest smaller one, by the sessions of the exchange; such candles may reach back less ' +
    'far.',
  caller: 'anyone',
  extension: true,
  input: {
    query: z.object({
      symbol: z.string(),
      timeframe: z.enum(TIMEFRAMES),
      from: time().optional(),
      to: time().optional(),
      limit: integer({ min: 1, max: MAX_LIMIT }).default(DEFAULT_LIMIT),
    }),
  },
  output: candlesOut,
  errors: ['candles_unknown'],
  table: 'read',
  handler: async ({ query: { symbol: text, timeframe, from, to, limit } }, call) => {
    const symbol = normaliseSymbol(text);
    const series = symbol === undefined ? undefined : await findCandleSeries(call.store, symbol, timeframe);
    if (!series) {
      throw new HubError(
        'candles_unknown',
        'There are no candles of this symbol from which the timeframe can be made.',
      );
    }
    const range = {
      from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
      to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
    };
    return present(await readNewestCandles(call.store, series, timeframe, range, limit), timeframe);
  },
});
