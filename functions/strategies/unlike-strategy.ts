import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { changeLike } from './common/change-like.ts';
import { exploreStrategyFavouriteOut } from './records/published.ts';

export const unlikeStrategy = defineOperation({
  method: 'POST',
  path: '/unlike_strategy',
  name: 'unlike_strategy',
  summary: 'Unlike a strategy',
  description: 'Idempotent.',
  caller: 'user',
  scope: 'manage',
  input: { query: z.object({ user_id: z.string(), strategy_id: integer() }) },
  output: exploreStrategyFavouriteOut,
  errors: ['user_unknown', 'strategy_unknown', 'quota_reached', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query }, call) => changeLike(call, { ...query, liked: false }),
});
