import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue, unknownStrategy } from '../../shared/api/refusals.ts';
import { editWrite } from '../../shared/data/backtests/backtests.ts';
import { ownedBacktests, ownedBacktestsWrite } from '../../shared/data/backtests/user-backtests.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { findStrategy } from '../../shared/data/strategies/strategies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { readableText, tidy } from '../../shared/domain/text.ts';
import { ownBacktest } from './own-backtest.ts';
import { backtestItemOut, presentBacktestItem } from './records/backtest-item.ts';

export const updateBacktest = defineOperation({
  method: 'POST',
  path: '/update_backtest',
  name: 'update_backtest',
  summary: 'Name a backtest, or file it under a strategy',
  description:
    'Changes what is sent. A backtest that is filed under a strategy is listed with those of the strategy; its rules stay as they are.',
  caller: 'user',
  scope: 'research',
  extension: true,
  input: {
    query: z.object({
      user_id: z.string(),
      backtest_id: integer(),
      backtest_name: readableText({ max: 100 }).optional(),
      strategy_id: integer().optional(),
    }),
  },
  output: backtestItemOut,
  errors: ['backtest_unknown', 'strategy_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query: { user_id: userId, backtest_id: id, backtest_name, strategy_id } }, call) => {
    if (backtest_name === undefined && strategy_id === undefined) {
      throw invalidValue(['query', 'backtest_name'], 'field required', 'value_error.missing');
    }
    const edit = {
      ...(backtest_name !== undefined && { backtest_name: tidy(backtest_name) }),
      ...(strategy_id !== undefined && { strategy_id }),
    };
    return retryOnConflict(async () => {
      const own = { backtest: keys.backtest(id), owned: keys.backtestsOf(userId) };
      const items = await call.store.getMany(Object.values(own), { consistent: true });
      const backtest = ownBacktest(userId, itemWith(items, own.backtest));
      if (strategy_id !== undefined) {
        const strategy = await findStrategy(call.store, strategy_id);
        if (strategy?.user_id !== userId) throw unknownStrategy();
      }
      const owned = ownedBacktests(itemWith(items, own.owned));
      const entries = owned.list.entries.map((entry) =>
        entry.backtest_id === id ? { ...entry, ...(strategy_id !== undefined && { strategy_id }) } : entry,
      );
      await call.store.transact([ownedBacktestsWrite(userId, owned, { entries }), editWrite(id, edit)]);
      return presentBacktestItem({ ...backtest, ...edit });
    });
  },
});
