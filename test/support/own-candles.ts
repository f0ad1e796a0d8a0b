import { sessionBars } from './candles.ts';
import type { Response, TestHub } from './hub.ts';

/** Returns daily candles as rows of a request. */
export const ownRows = (from = '2010-01-04', count = 500): number[][] => {
  const { start, open, high, low, close, volume } = sessionBars(from, count);
  const columns = [start, open, high, low, close, volume];
  return Array.from({ length: count }, (_, index) => columns.map((column) => column[index] ?? 0));
};

/** Returns the body of a request that imports own candles of SPY. */
export const ownCandlesBody = (more: Readonly<Record<string, unknown>> = {}) => ({
  symbol: 'SPY',
  timeframe: '1d',
  source: 'Yahoo',
  bars: ownRows(),
  ...more,
});

/** Imports own candles. */
export const importOwnCandles = (
  hub: TestHub,
  user_id: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Response> =>
  hub.call('POST /import_own_candles', { query: { user_id }, json: ownCandlesBody(more) });
