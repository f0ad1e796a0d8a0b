import * as z from 'zod';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { isRemovedOf } from '../../shared/data/backtests/backtests.ts';
import { sweepRemovalWrite } from '../../shared/data/backtests/sweeps.ts';
import { ownedBacktests, ownedBacktestsWrite } from '../../shared/data/backtests/user-backtests.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { ownSweep } from './own-sweep.ts';

const removedSweep = extensionRecord('RemovedSweep', z.object({ sweep_id: integer() }));

export const removeSweep = defineOperation({
  method: 'POST',
  path: '/remove_sweep',
  name: 'remove_sweep',
  summary: 'Remove a stored sweep',
  description: 'Removes a sweep with its result. A running one is stopped. Idempotent.',
  caller: 'user',
  scope: 'research',
  extension: true,
  input: { query: z.object({ user_id: z.string(), sweep_id: integer() }) },
  output: removedSweep,
  errors: ['sweep_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query: { user_id: userId, sweep_id: id } }, call) =>
    retryOnConflict(async () => {
      const own = { sweep: keys.sweep(id), owned: keys.backtestsOf(userId) };
      const items = await call.store.getMany(Object.values(own), { consistent: true });
      const item = itemWith(items, own.sweep);
      if (isRemovedOf(item, userId)) return { sweep_id: id };
      ownSweep(userId, item);
      const owned = ownedBacktests(itemWith(items, own.owned));
      const left = owned.list.sweeps.filter(({ sweep_id }) => sweep_id !== id);
      await call.store.transact([
        ownedBacktestsWrite(userId, owned, { sweeps: left }),
        sweepRemovalWrite(id, call.now),
      ]);
      return { sweep_id: id };
    }),
});
