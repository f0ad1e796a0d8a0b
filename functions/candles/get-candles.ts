import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer, timeOfRequest } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { findCandleSeries, readNewestCandles } from '../../shared/data/candles/read-candles.ts';
import { normaliseSymbol } from '../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { isHidden } from './is-hidden.ts';
import { candlesOut, presentCandles } from './records/candles.ts';

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 5000;

export const getCandles = defineOperation({
  method: 'GET',
  path: '/get_candles',
  name: 'get_candles',
  summary: 'Read candles of an instrument',
  description:
    'The newest candles that start from `from` and before `to`, oldest first. A timeframe that is not stored is ' +
    'derived from the largest smaller one, by the sessions of the exchange; such candles may reach back less ' +
    'far. 403 `candles_hidden` for candles whose source does not allow showing them.',
  caller: 'anyone',
  extension: true,
  input: {
    query: z.object({
      symbol: z.string(),
      timeframe: z.enum(TIMEFRAMES),
      from: timeOfRequest().optional(),
      to: timeOfRequest().optional(),
      limit: integer({ min: 1, max: MAX_LIMIT }).default(DEFAULT_LIMIT),
    }),
  },
  output: candlesOut,
  errors: ['candles_unknown', 'candles_hidden'],
  uses: ['feeds', 'marketData'],
  table: 'read',
  cache: 'public, no-cache',
  handler: async ({ query: { symbol: text, timeframe, from, to, limit } }, call) => {
    const symbol = normaliseSymbol(text);
    const series = symbol === undefined ? undefined : await findCandleSeries(call.store, symbol, timeframe);
    if (!series) {
      throw new HubError(
        'candles_unknown',
        'There are no candles of this symbol from which the timeframe can be made.',
      );
    }
    if (isHidden(call, series)) {
      throw new HubError(
        'candles_hidden',
        'The licence of the source of these candles does not allow showing them. Backtests and deployments use them.',
      );
    }
    const range = {
      from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
      to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
    };
    return presentCandles(await readNewestCandles(call.store, series, timeframe, range, limit), timeframe);
  },
});
