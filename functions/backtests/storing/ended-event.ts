import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { userChangeWrites } from '../../../shared/lifecycle/record-changes.ts';
import type { Runtime } from '../../../shared/runtime.ts';

/** Returns the writes that record the end of a backtest, if its owner listened when it was requested. */
export const endedEventWrites = (
  runtime: Pick<Runtime, 'random'>,
  { user_id, backtest_id, strategy_id, listened }: Backtest,
  { status, error, now }: { readonly status: 'done' | 'failed'; readonly error?: string; readonly now: Date },
): Write[] => {
  if (!listened) return [];
  const data = { backtest_id, strategy_id: strategy_id ?? null, status, error: error ?? null };
  return userChangeWrites(runtime, user_id, [{ type: 'backtest.done', data }], now);
};
