import { likesOfRank, searchRank } from '../../domain/strategies/strategy-search.ts';
import { retryOnConflict } from '../numbered-list/retry.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { changeEverywhere } from './listings.ts';
import { asStrategy, type Strategy } from './strategies.ts';
import { asMarks } from './strategy-marks.ts';
import { searchWrites } from './strategy-search.ts';
import {
  asTally,
  countOf,
  counts,
  type Tallied,
  tallyKey,
  tallyRemoval,
  tallyWrite,
} from './strategy-tallies.ts';

/** Returns the writes that change the like count of a strategy in all its copies. */
const likeCountWrites = (strategy: Strategy, by: 1 | -1): Write[] => {
  const likes = strategy.like_count + by;
  const step = { update: 'SET like_count = like_count + :step', values: { ':step': by } };
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
        values: { ':least': from.least + (by === 1 ? 0 : 1), ':below': from.below - (by === 1 ? 1 : 0) },
      };
  return [
    ...changeEverywhere(strategy, step, { ...own, ...within, values: { ...own.values, ...within.values } }),
    ...(crosses ? searchWrites({ strategy, likes: strategy.like_count }, { strategy, likes }) : []),
  ];
};

/** Returns the writes that change a count of a strategy in all its copies by one. */
export const countWrites = (strategy: Strategy, kind: Tallied['kind'], by: 1 | -1): Write[] => {
  if (kind === 'like') return likeCountWrites(strategy, by);
  const count = countOf(kind);
  return changeEverywhere(strategy, { update: `SET ${count} = ${count} + :step`, values: { ':step': by } });
};

/**
 * Lets the item of a user count or not, as the proof of the account says; removes it for an account that is gone. No-op
 * without an item.
 *
 * @returns whether something changed.
 */
export const settleTally = (
  store: Store,
  tallied: Tallied,
  proof: 'proven' | 'unproven' | 'gone',
): Promise<boolean> =>
  retryOnConflict(async () => {
    const [key, own] = [keys.strategy(tallied.strategyId), tallyKey(tallied)];
    const [found, item] = await store.getMany([key, own], { consistent: true });
    const [strategy, before] = [asStrategy(found), asTally(item)];
    if (!before) return false;
    const was = before.counted === true;
    const user = { user_id: tallied.userId, email_verified: proof === 'proven' };
    const is = strategy !== undefined && counts(user, strategy);
    if (is === was && proof !== 'gone') return false;
    await store.transact([
      proof === 'gone' ? tallyRemoval(tallied, before) : tallyWrite(tallied, before, is),
      ...(strategy && is !== was ? countWrites(strategy, tallied.kind, is ? 1 : -1) : []),
    ]);
    return true;
  });

/** Items that one call reads. */
const BATCH = 100;

/** Returns all for which a user may have an item: likes, copies, and deployments of copies. */
export const talliesOf = async (store: Store, userId: string): Promise<Tallied[]> => {
  const [item] = await store.getMany([keys.strategyMarks(userId)], { consistent: true });
  const { liked, copied } = asMarks(item);
  const of = (kind: Tallied['kind'], ids: ReadonlySet<number>): Tallied[] =>
    [...ids].map((strategyId) => ({ kind, strategyId, userId }));
  return [...of('like', liked), ...of('copy', copied), ...of('deployment', copied)];
};

/**
 * Counts likes and copies of an account that was just proven; costs a read without any.
 *
 * @param most items to look at. Reconciliation counts the others.
 */
export const countProven = async (store: Store, userId: string, most = 3 * BATCH): Promise<void> => {
  const all = (await talliesOf(store, userId)).slice(0, most);
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH);
    const items = await store.getMany(batch.map(tallyKey), { consistent: true });
    for (const [index, tallied] of batch.entries()) {
      if (asTally(items[index])?.counted === undefined && items[index]) {
        await settleTally(store, tallied, 'proven');
      }
    }
  }
};
