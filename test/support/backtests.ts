import type { Response, TestHub } from './hub.ts';
import { crossRules } from './rules.ts';

/** Body of a request that backtests a cross of two averages over the daily bars of SPY. */
export const backtestBody = (more: Readonly<Record<string, unknown>> = {}) => ({
  rules: crossRules(5, 20, {
    exits: [
      {
        side: 'long',
        when: {
          left: { indicator: 'sma', length: 5 },
          op: 'crosses_below',
          right: { indicator: 'sma', length: 20 },
        },
      },
    ],
  }),
  symbol: 'SPY',
  timeframe: '1d',
  ...more,
});

/** Runs a backtest. */
export const runBacktest = (
  hub: TestHub,
  user_id: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Response> => hub.call('POST /run_backtest', { query: { user_id }, json: backtestBody(more) });
