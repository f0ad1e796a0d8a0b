import type { BacktestTrade } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import type { WholeRows } from '../ui/table/table-props.ts';
import { readWhole } from '../ui/whole-list.ts';

/** Reads the first trades of a backtest, in the order of closing. */
export const loadTrades = (
  backtest_id: number,
  { signal, most }: { readonly signal?: AbortSignal; readonly most?: number } = {},
): Promise<WholeRows<BacktestTrade>> =>
  readWhole(
    ({ page, size }) =>
      hub
        .getBacktestTrades({ user_id: ME, backtest_id, page, size }, signal ? { signal } : {})
        .then((one) => one),
    most,
  );
