import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { cardOf, findStrategies, isOpenToKey } from '../../shared/data/strategies/strategies.ts';
import { listFavourites } from '../../shared/data/strategies/strategy-marks.ts';
import { readViewer } from './common/viewer.ts';
import { exploreStrategyFavouriteOut, presentListed } from './records/published.ts';

export const getExploreStrategyFavourites = defineOperation({
  method: 'GET',
  path: '/get_explore_strategy_favourites',
  name: 'get_explore_strategy_favourites',
  summary: 'List the strategies that a user likes',
  description:
    'Newest strategies first, at most 100. A strategy that became private is left out until it is published again.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.array(exploreStrategyFavouriteOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const [{ marks }, favourites] = await Promise.all([
      readViewer(call, userId),
      listFavourites(call.store, userId, call.onDamaged),
    ]);
    const strategies = await findStrategies(
      call.store,
      favourites.map(({ strategy_id }) => strategy_id),
      call,
    );
    return favourites.flatMap(({ strategy_id, liked_at }, index) => {
      const strategy = strategies[index];
      if (!strategy || !isOpenToKey(strategy, userId)) return [];
      const listed = strategy.explore_seq === undefined ? null : presentListed(cardOf(strategy), marks);
      return [{ strategy_id, is_liked: true, like_count: strategy.like_count, liked_at, strategy: listed }];
    });
  },
});
