import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, pageOf, pageQueryOf } from '../../shared/api/pages.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { asBacktest } from '../../shared/data/backtests/backtests.ts';
import { ownedBacktests } from '../../shared/data/backtests/user-backtests.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { unlessNewer } from '../../shared/data/table/newer-record.ts';
import { backtestItemOut, presentBacktestItem } from './records/backtest.ts';

export const getBacktests = defineOperation({
  method: 'GET',
  path: '/get_backtests',
  name: 'get_backtests',
  summary: 'List the stored backtests of a user',
  description: 'Backtests of a user, or of one strategy, newest first, with their main figures.',
  caller: 'user',
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), strategy_id: integer().optional(), ...pageQueryOf(20) }),
  },
  output: pageOf('BacktestItem', backtestItemOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id: strategyId, ...choice } }, call) => {
    const own = { user: keys.user(userId), owned: keys.backtestsOf(userId) };
    const first = await call.store.getMany(Object.values(own), { consistent: true });
    if (!itemWith(first, own.user)) throw unknownUser();
    const { entries } = ownedBacktests(itemWith(first, own.owned)).list;
    const chosen = entries
      .filter(({ strategy_id }) => strategyId === undefined || strategy_id === strategyId)
      .toReversed();
    const page = cutPage(chosen, choice);
    const wanted = page.items.map(({ backtest_id }) => keys.backtest(backtest_id));
    const items = wanted.length === 0 ? [] : await call.store.getMany(wanted, { consistent: true });
    return {
      ...page,
      // A backtest that was removed between the two reads is left out.
      items: items.flatMap((item) => {
        const backtest = unlessNewer(() => asBacktest(item));
        return backtest ? [presentBacktestItem(backtest)] : [];
      }),
    };
  },
});
