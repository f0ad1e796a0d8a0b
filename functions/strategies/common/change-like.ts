import type * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { unknownStrategy, unknownUser } from '../../../shared/api/refusals.ts';
import { changeLike as change } from '../../../shared/data/strategies/likes.ts';
import { cardOf } from '../../../shared/data/strategies/strategies.ts';
import { MAX_FAVOURITES } from '../../../shared/data/strategies/strategy-marks.ts';
import type { exploreStrategyFavouriteOut } from '../records/published.ts';
import { presentListed } from '../records/published.ts';
import { changeCards } from './kept-cards.ts';

/** Adds or removes a like, and returns the new state. */
export const changeLike = async (
  call: Call,
  {
    user_id: userId,
    strategy_id: strategyId,
    liked,
  }: { readonly user_id: string; readonly strategy_id: number; readonly liked: boolean },
): Promise<z.output<typeof exploreStrategyFavouriteOut>> => {
  const outcome = await changeCards(call, () => change(call.store, { userId, strategyId, liked }, call.now));
  switch (outcome) {
    case 'unknown_user':
      throw unknownUser();
    case 'unknown_strategy':
      throw unknownStrategy();
    case 'too_many':
      throw new HubError(
        'quota_reached',
        `You like ${MAX_FAVOURITES} strategies, the largest number allowed.`,
      );
    default: {
      const { strategy, favourite, marks } = outcome;
      return {
        strategy_id: strategyId,
        is_liked: liked,
        like_count: strategy.like_count,
        liked_at: favourite?.liked_at ?? null,
        strategy: strategy.explore_seq === undefined ? null : presentListed(cardOf(strategy), marks),
      };
    }
  }
};
