import * as z from 'zod';
import { extra, integer, integerOf, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { archivedStrategy, unknownStrategy } from '../../shared/api/refusals.ts';
import { publish } from '../../shared/data/strategies/publishing.ts';
import { PUBLISH_STATES, type PublishState } from '../../shared/domain/strategies/strategies.ts';
import { changeCards } from './common/kept-cards.ts';

const STATES: readonly number[] = Object.values(PUBLISH_STATES);

const isState = (state: number): state is PublishState => STATES.includes(state);

export const profilePublishStrategy = defineOperation({
  method: 'POST',
  path: '/profile_publish_strategy',
  name: 'profile_publish_strategy',
  summary: 'Set who can see a strategy',
  description:
    '0 private, 1 public on the profile, 2 by share key only. 0 and 2 remove it from the explore catalogue. `is_listed` decides whether a public one is in it; without it, that stays as it is.',
  caller: 'user',
  scope: 'manage',
  // An unproven account may still withdraw what it published before.
  proven: ({ query }) => query.publish_state !== 0,
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      publish_state: integerOf(STATES),
      is_listed: extra(z.boolean().optional()),
    }),
  },
  output: z.object({
    strategy_id: integer(),
    publish_state: integer(),
    is_listed: z.boolean(),
    published_at: timestamp().nullable(),
  }),
  errors: ['user_unknown', 'strategy_unknown', 'strategy_archived', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query }, call) => {
    const { user_id: userId, strategy_id: strategyId, publish_state: state, is_listed: listed } = query;
    if (!isState(state)) throw new Error('an unknown publish state passed validation');
    const strategy = await changeCards(call, () =>
      publish(call.store, {
        userId,
        strategyId,
        to: { state, listed: listed ?? 'as_is' },
        now: call.now,
        random: call.random,
      }),
    );
    if (!strategy) throw unknownStrategy();
    if (strategy === 'archived') throw archivedStrategy();
    return {
      strategy_id: strategyId,
      publish_state: strategy.publish_state,
      is_listed: strategy.explore_seq !== undefined,
      published_at: strategy.published_at ?? null,
    };
  },
});
