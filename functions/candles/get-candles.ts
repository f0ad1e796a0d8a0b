import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer, timeOfRequest } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { hiddenCandles } from '../../shared/api/refusals.ts';
import { isHidden } from '../../shared/data/candles/is-hidden.ts';
import { distanceOf, findCandleSeries, readNewestCandles } from '../../shared/data/candles/read-candles.ts';
import type { Series } from '../../shared/data/candles/series.ts';
import { budgetOf, spend } from '../../shared/data/table/budgets.ts';
import { normaliseSymbol } from '../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { candlesOut, presentCandles } from './records/candles.ts';

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 5000;
/** Stored candles of a request that nothing is charged for: a chart of derived candles. */
const FREE_CANDLES = 50_000;

interface Span {
  readonly from: number;
  readonly to: number;
  /** Milliseconds that the most candles of an answer take. */
  readonly longest: number;
}

/** Charges a large span to the network of the caller. @throws HubError rate_limited */
const chargeSpan = async (call: Call, series: Series, { from, to, longest }: Span): Promise<void> => {
  const { store, now, wideNetwork } = call;
  const span = Math.min(longest, Math.min(to, series.last) - Math.max(from, series.first));
  const candles = Math.ceil(span / Math.max(1, distanceOf(series, series.timeframe)));
  if (wideNetwork === undefined || candles <= FREE_CANDLES) return;
  const budget = budgetOf(await call.keyRing(), 'candles_network', [wideNetwork], now);
  if (await spend(store, budget, candles)) return;
  throw new HubError(
    'rate_limited',
    'Your network has read many large spans of candles. Wait, or ask for less.',
    {
      retryAfterS: (budget.endsAt - now.getTime()) / 1000,
    },
  );
};

export const getCandles = defineOperation({
  method: 'GET',
  path: '/get_candles',
  name: 'get_candles',
  summary: 'Read candles of an instrument',
  description:
    'The newest candles that start from `from` and before `to`, oldest first. A timeframe that is not stored is ' +
    'derived from the largest smaller one, by the sessions of the exchange and the anchor of the stored candles; ' +
    'such candles may reach back less ' +
    'far. Spans over more than 50,000 stored candles are limited per network and hour. 403 `candles_hidden` for candles whose source does not allow showing them.',
  caller: 'anyone',
  extension: true,
  assistant: {
    description:
      'Reads the newest candles of a symbol, oldest first. Choose a limit of at most 100: of longer answers, only the oldest 100 are shown.',
  },
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
  errors: ['candles_unknown', 'candles_hidden', 'rate_limited'],
  uses: ['feeds', 'marketData'],
  table: 'write',
  rateClass: 'read',
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
    if (isHidden(call, series)) throw hiddenCandles();
    const range = {
      from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
      to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
    };
    await chargeSpan(call, series, { ...range, longest: limit * distanceOf(series, timeframe) });
    return presentCandles(await readNewestCandles(call.store, series, timeframe, range, limit), timeframe);
  },
});
