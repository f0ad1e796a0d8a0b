import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { archivedStrategy, unknownStrategy } from '../../shared/api/refusals.ts';
import { publish } from '../../shared/data/strategies/publishing.ts';
import { cardOf } from '../../shared/data/strategies/strategies.ts';
import { NO_MARKS } from '../../shared/data/strategies/strategy-marks.ts';
import { changeCards } from './common/kept-cards.ts';
import { exploreStrategyOut, presentListed } from './records/published.ts';

export const publishExploreStrategy = defineOperation({
  method: 'POST',
  path: '/publish_explore_strategy',
  name: 'publish_explore_strategy',
  summary: 'List a strategy in the explore catalogue',
  description: 'Also makes it public on the profile. Idempotent.',
  caller: 'user',
  scope: 'manage',
  proven: true,
  input: { query: z.object({ user_id: z.string(), strategy_id: integer() }) },
  output: exploreStrategyOut,
  errors: ['user_unknown', 'strategy_unknown', 'strategy_archived', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, strategy_id: strategyId } }, call) => {
    const to = { state: 1, listed: true } as const;
    const strategy = await changeCards(call, () =>
      publish(call.store, { userId, strategyId, to, now: call.now, random: call.random }),
    );
    if (!strategy) throw unknownStrategy();
    if (strategy === 'archived') throw archivedStrategy();
    return presentListed(cardOf(strategy), NO_MARKS);
  },
});
