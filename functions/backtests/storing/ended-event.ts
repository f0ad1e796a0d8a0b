import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import { recordEventWrite } from '../../../shared/data/backtests/record-events.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { textId } from '../../../shared/ids.ts';
import { userChangeWrites } from '../../../shared/lifecycle/record-changes.ts';
import type { Runtime } from '../../../shared/runtime.ts';

/**
 * Returns the writes that record the end of a backtest, if somebody waits for it: the track record that begins where it
 * ends, or an owner who listened when it was requested.
 */
export const endedEventWrites = (
  runtime: Pick<Runtime, 'random'>,
  { user_id, backtest_id, strategy_id, listened, record }: Backtest,
  { status, error, now }: { readonly status: 'done' | 'failed'; readonly error?: string; readonly now: Date },
): Write[] => {
  // A track record shows its backtest.
  if (record) return [recordEventWrite(record, textId(runtime.random), now)];
  if (!listened) return [];
  const data = { backtest_id, strategy_id: strategy_id ?? null, status, error: error ?? null };
  return userChangeWrites(runtime, user_id, [{ type: 'backtest.done', data }], now);
};
