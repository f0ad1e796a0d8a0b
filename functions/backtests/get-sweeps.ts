import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, pageOf, pageQueryOf } from '../../shared/api/pages.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { asSweep } from '../../shared/data/backtests/sweeps.ts';
import { ownedBacktests } from '../../shared/data/backtests/user-backtests.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { unlessNewer } from '../../shared/data/table/newer-record.ts';
import { presentSweepItem, sweepItemOut } from './records/sweep.ts';

export const getSweeps = defineOperation({
  method: 'GET',
  path: '/get_sweeps',
  name: 'get_sweeps',
  summary: 'List the stored sweeps of a user',
  description: 'Sweeps of a user, or of one strategy, newest first, each with its best combination.',
  caller: 'user',
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), strategy_id: integer().optional(), ...pageQueryOf(20) }),
  },
  output: pageOf('SweepItem', sweepItemOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id: strategyId, ...choice } }, call) => {
    const own = { user: keys.user(userId), owned: keys.backtestsOf(userId) };
    const first = await call.store.getMany(Object.values(own), { consistent: true });
    if (!itemWith(first, own.user)) throw unknownUser();
    const { sweeps } = ownedBacktests(itemWith(first, own.owned)).list;
    const chosen = sweeps
      .filter(({ strategy_id }) => strategyId === undefined || strategy_id === strategyId)
      .toReversed();
    const page = cutPage(chosen, choice);
    const wanted = page.items.map(({ sweep_id }) => keys.sweep(sweep_id));
    const items = wanted.length === 0 ? [] : await call.store.getMany(wanted, { consistent: true });
    return {
      ...page,
      // A sweep that was removed between the two reads is left out.
      items: items.flatMap((item) => {
        const sweep = unlessNewer(() => asSweep(item));
        return sweep ? [presentSweepItem(sweep)] : [];
      }),
    };
  },
});
