import { unknownBacktest } from '../../shared/api/refusals.ts';
import { asBacktest, type Backtest } from '../../shared/data/backtests/backtests.ts';
import type { Item } from '../../shared/data/table/attributes.ts';

/** Returns a backtest of the user's own. @throws HubError backtest_unknown */
export const ownBacktest = (userId: string, item: Item | undefined): Backtest => {
  const backtest = asBacktest(item);
  if (backtest?.user_id !== userId) throw unknownBacktest();
  return backtest;
};
