import { ownWorkKey } from '../../shared/data/backtests/work-budget.ts';
import type { Key } from '../../shared/data/table/writes.ts';
import type { Response, TestHub } from './hub.ts';
import { crossRules } from './rules.ts';

/** Returns the body of a request that backtests a cross of two averages over the daily bars of SPY. */
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

/** Returns the body of a request that tries lengths of two averages over the daily bars of SPY. */
export const sweepBody = (more: Readonly<Record<string, unknown>> = {}) => ({
  rules: crossRules(
    { param: 'fast' },
    { param: 'slow' },
    {
      params: { fast: { default: 5, min: 2, max: 50 }, slow: { default: 20, min: 2, max: 400 } },
      exits: [{ side: 'long', when: { bars_in_trade: 7 } }],
    },
  ),
  symbol: 'SPY',
  timeframe: '1d',
  params: { fast: { from: 2, to: 10, step: 4 }, slow: [12, 20] },
  ...more,
});

/** Starts a sweep. */
export const sweepStrategy = (
  hub: TestHub,
  user_id: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Response> => hub.call('POST /sweep_strategy', { query: { user_id }, json: sweepBody(more) });

/** Returns the key of the work that a user has used on the present day. */
export const workKey = async ({ runtime: { keyRing, clock } }: TestHub, user_id: string): Promise<Key> =>
  ownWorkKey(await keyRing(), user_id, clock());

/** Returns the work that is used of a budget. */
export const usedOf = async ({ runtime: { store } }: TestHub, key: Key): Promise<number> =>
  Number((await store.getMany([key], { consistent: true }))[0]?.used ?? 0);
