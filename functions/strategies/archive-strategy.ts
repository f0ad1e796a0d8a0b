import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownStrategy } from '../../shared/api/refusals.ts';
import { publish } from '../../shared/data/strategies/publishing.ts';
import { presentOwn, strategyOut } from '../../shared/records/strategy.ts';
import { changeCards } from './common/kept-cards.ts';

export const archiveStrategy = defineOperation({
  method: 'POST',
  path: '/archive_strategy',
  name: 'archive_strategy',
  summary: 'Archive a strategy, or take it back',
  description:
    'An archived strategy is private and cannot be deployed or published. Copies and likes stay. Running deployments go on; stop them on their own. `archived=false` makes it ready again, still private. Idempotent.',
  caller: 'user',
  scope: 'manage',
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), strategy_id: integer(), archived: z.boolean().default(true) }),
  },
  output: strategyOut,
  errors: ['strategy_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, strategy_id: strategyId, archived } }, call) => {
    const strategy = await changeCards(call, () =>
      publish(call.store, { userId, strategyId, to: { archived }, now: call.now, random: call.random }),
    );
    if (!strategy || strategy === 'archived') throw unknownStrategy();
    return presentOwn(strategy);
  },
});
