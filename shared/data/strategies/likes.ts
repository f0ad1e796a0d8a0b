import { likesOfRank, searchRank } from '../../domain/strategies/strategy-search.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { changeEverywhere } from './listings.ts';
import { asStrategy, isOpenToId, type Strategy } from './strategies.ts';
import {
  asFavourite,
  asMarks,
  type Favourite,
  favouriteWrite,
  type LikeChange,
  likedMarkWrite,
  MAX_FAVOURITES,
  type StrategyMarks,
} from './strategy-marks.ts';
import { searchWrites } from './strategy-search.ts';
import { likerEntryWrite } from './strategy-tallies.ts';

/** Result of a like: the strategy, favourite and marks after the change, or the reason for a refusal. */
export type LikeOutcome =
  | {
      readonly strategy: Strategy;
      readonly favourite: Favourite | undefined;
      readonly marks: StrategyMarks;
    }
  | 'unknown_user'
  | 'unknown_strategy'
  | 'too_many';

/** Returns the writes that change the like count of a strategy in all its copies. */
const countWrites = (strategy: Strategy, { liked }: Pick<LikeChange, 'liked'>): Write[] => {
  const likes = strategy.like_count + (liked ? 1 : -1);
  const step = { update: 'SET like_count = like_count + :step', values: { ':step': liked ? 1 : -1 } };
  // `like_moves` counts changes in both directions, so reconciliation notices one in between.
  const own = {
    update: `${step.update}, like_moves = if_not_exists(like_moves, :none) + :once`,
    values: { ...step.values, ':none': 0, ':once': 1 },
  };
  if (strategy.explore_seq === undefined) return changeEverywhere(strategy, step, own);
  // Other likes may come in meanwhile, as long as the strategy keeps its rank in the search index.
  const from = likesOfRank(searchRank(strategy.like_count));
  const to = likesOfRank(searchRank(likes));
  const crosses = from.least !== to.least;
  const within = crosses
    ? { condition: 'like_count = :likes', values: { ':likes': strategy.like_count } }
    : {
        condition: 'like_count >= :least AND like_count < :below',
        // At the edge of the rank, a like after another user's like would cross it.
        values: { ':least': from.least + (liked ? 0 : 1), ':below': from.below - (liked ? 1 : 0) },
      };
  return [
    ...changeEverywhere(strategy, step, { ...own, ...within, values: { ...own.values, ...within.values } }),
    ...(crosses ? searchWrites({ strategy, likes: strategy.like_count }, { strategy, likes }) : []),
  ];
};

/**
 * Likes a strategy or takes the like back. Favourite, marks, the count in every list and the place in the search
 * index change in one transaction. No-op if the strategy is liked (or not) already.
 *
 * @throws TransactionRefusedError if something changed meanwhile: read again.
 */
export const changeLike = async (store: Store, change: LikeChange, now: Date): Promise<LikeOutcome> => {
  const { userId, strategyId, liked } = change;
  const [user, marked, found, kept] = await store.getMany(
    [
      keys.user(userId),
      keys.strategyMarks(userId),
      keys.strategy(strategyId),
      keys.favourite(userId, strategyId),
    ],
    { consistent: true },
  );
  if (!user) return 'unknown_user';
  const strategy = asStrategy(found);
  const favourite = asFavourite(kept);
  // A like of a strategy that is private now can be taken back; otherwise the strategy is unknown.
  const marks = asMarks(marked);
  const known = marks.copied.has(strategyId) && strategy?.publish_state !== 0;
  if (!strategy || !(isOpenToId(strategy, userId) || known || (!liked && favourite)))
    return 'unknown_strategy';
  if ((favourite !== undefined) === liked) return { strategy, favourite, marks };
  if (liked && marks.liked.size >= MAX_FAVOURITES) return 'too_many';
  const wished: Favourite = favourite ?? { strategy_id: strategyId, liked_at: now.toISOString() };
  await store.transact([
    favouriteWrite(change, wished),
    likedMarkWrite(change),
    likerEntryWrite(change),
    ...countWrites(strategy, change),
  ]);
  const others = [...marks.liked].filter((id) => id !== strategyId);
  return {
    strategy: { ...strategy, like_count: strategy.like_count + (liked ? 1 : -1) },
    favourite: liked ? wished : undefined,
    marks: { ...marks, liked: new Set(liked ? [...others, strategyId] : others) },
  };
};
