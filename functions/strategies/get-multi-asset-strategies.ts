import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { listOwnedStrategies } from '../../shared/data/strategies/owned-strategies.ts';
import { findStrategies } from '../../shared/data/strategies/strategies.ts';
import { strategyOut } from '../../shared/records/strategy.ts';
import { present } from './get-strategies-by-user.ts';

/** Longest list that is shown; the newest come first. */
const MAX_SHOWN = 100;

export const getMultiAssetStrategies = defineOperation({
  method: 'POST',
  path: '/get_multi_asset_strategies',
  name: 'get_multi_asset_strategies',
  summary: 'List the multi-instrument strategies of a user',
  description: 'Newest first, at most 100; `total` counts all.',
  caller: 'user',
  scope: 'manage',
  input: { query: z.object({ user_id: z.string(), broker_id: z.string().optional() }) },
  output: z.object({ items: z.array(strategyOut), total: integer() }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, broker_id: brokerId } }, call) => {
    const [, all] = await Promise.all([call.user(), listOwnedStrategies(call.store, userId, call.onDamaged)]);
    const chosen = all.filter(
      ({ symbols, broker_id }) =>
        symbols.length > 1 &&
        (brokerId === undefined || brokerId === '' || String(broker_id) === brokerId.trim()),
    );
    const ids = chosen.slice(0, MAX_SHOWN).map(({ strategy_id }) => strategy_id);
    return { items: present(call, await findStrategies(call.store, ids, call)), total: chosen.length };
  },
});
