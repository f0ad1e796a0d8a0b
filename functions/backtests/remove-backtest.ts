import * as z from 'zod';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { isRemovedOf, removalWrite } from '../../shared/data/backtests/backtests.ts';
import { ownedBacktests, ownedBacktestsWrite } from '../../shared/data/backtests/user-backtests.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { ownBacktest } from './own-backtest.ts';

const removedBacktest = extensionRecord('RemovedBacktest', z.object({ backtest_id: integer() }));

export const removeBacktest = defineOperation({
  method: 'POST',
  path: '/remove_backtest',
  name: 'remove_backtest',
  summary: 'Remove a stored backtest',
  description: 'Removes a backtest with its trades. A running one is stopped. Idempotent.',
  caller: 'user',
  scope: 'research',
  extension: true,
  input: { query: z.object({ user_id: z.string(), backtest_id: integer() }) },
  output: removedBacktest,
  errors: ['backtest_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query: { user_id: userId, backtest_id: id } }, call) =>
    retryOnConflict(async () => {
      const own = { backtest: keys.backtest(id), owned: keys.backtestsOf(userId) };
      const items = await call.store.getMany(Object.values(own), { consistent: true });
      const item = itemWith(items, own.backtest);
      if (isRemovedOf(item, userId)) return { backtest_id: id };
      ownBacktest(userId, item);
      const owned = ownedBacktests(itemWith(items, own.owned));
      const left = owned.list.entries.filter(({ backtest_id }) => backtest_id !== id);
      await call.store.transact([
        ownedBacktestsWrite(userId, owned, { entries: left }),
        removalWrite(id, call.now),
      ]);
      return { backtest_id: id };
    }),
});
