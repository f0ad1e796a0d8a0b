import { unknownBacktest } from '../../shared/api/refusals.ts';
import { asBacktest, type Backtest } from '../../shared/data/backtests/backtests.ts';
import type { Item } from '../../shared/data/table/attributes.ts';

/** Returns a backtest of the user's own. That of a track record is the hub's. @throws HubError backtest_unknown */
export const ownBacktest = (userId: string, item: Item | undefined): Backtest => {
  const backtest = asBacktest(item);
  if (backtest?.user_id !== userId || backtest.record) throw unknownBacktest();
  return backtest;
};
