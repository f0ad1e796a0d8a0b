import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { countWrites } from './counts.ts';
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
import { asTally, counts, type Tallied, tallyKey, tallyRemoval, tallyWrite } from './strategy-tallies.ts';

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

const likerSchema = z.object({ user_id: z.string(), email_verified: z.boolean() });

/**
 * Likes a strategy or takes the like back. Favourite, marks, the count in every list and the place in the search
 * index change in one transaction. A like of an account that is not proven, or of the author, is kept and not counted.
 * No-op if the strategy is liked (or not) already.
 *
 * @throws TransactionRefusedError if something changed meanwhile: read again.
 */
export const changeLike = async (store: Store, change: LikeChange, now: Date): Promise<LikeOutcome> => {
  const { userId, strategyId, liked } = change;
  const tallied: Tallied = { kind: 'like', strategyId, userId };
  const [user, marked, found, kept, entered] = await store.getMany(
    [
      keys.user(userId),
      keys.strategyMarks(userId),
      keys.strategy(strategyId),
      keys.favourite(userId, strategyId),
      tallyKey(tallied),
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
  const before = asTally(entered);
  const isCounted = liked ? counts(parseItem(likerSchema, user), strategy) : before?.counted === true;
  const step = liked ? 1 : -1;
  await store.transact([
    favouriteWrite(change, wished),
    likedMarkWrite(change),
    liked ? tallyWrite(tallied, before, isCounted) : tallyRemoval(tallied, before),
    ...(isCounted ? countWrites(strategy, 'like', step) : []),
  ]);
  const others = [...marks.liked].filter((id) => id !== strategyId);
  return {
    strategy: isCounted ? { ...strategy, like_count: strategy.like_count + step } : strategy,
    favourite: liked ? wished : undefined,
    marks: { ...marks, liked: new Set(liked ? [...others, strategyId] : others) },
  };
};
