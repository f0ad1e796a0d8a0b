import { entryKey } from '../numbered-list/numbered-list.ts';
import { changeEverywhere, EXPLORE_LIST, profileList, unmoved } from '../strategies/listings.ts';
import { asStrategy, findStrategy, type Strategy } from '../strategies/strategies.ts';
import { searchWrites } from '../strategies/strategy-search.ts';
import { copiesPartition, copyEntryWrite, copyKey, likersPartition } from '../strategies/strategy-tallies.ts';
import { itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { countItems } from '../table/scan.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { repaired } from './repaired.ts';
import { restoreCards } from './strategy-cards.ts';
import type { Tally } from './tally.ts';

const measureLikes = async (store: Store, strategyId: number) => {
  const strategy = await findStrategy(store, strategyId);
  const is = await countItems(store, likersPartition(strategyId), 'LIKE#');
  return strategy && strategy.like_count !== is ? { strategy, is } : undefined;
};

/** Returns the correction of a like count. Likes also determine the place in the search index. */
const likeCountWrites = (strategy: Strategy, is: number): Write[] => {
  const step = { update: 'SET like_count = :is', values: { ':is': is } };
  const writes = changeEverywhere(strategy, step, {
    ...step,
    condition:
      strategy.like_moves === undefined
        ? 'attribute_not_exists(like_moves) AND like_count = :was'
        : 'like_moves = :moves AND like_count = :was',
    values: {
      ...step.values,
      ':was': strategy.like_count,
      ...(strategy.like_moves !== undefined && { ':moves': strategy.like_moves }),
    },
  });
  if (strategy.explore_seq === undefined) return writes;
  return [...writes, ...searchWrites({ strategy, likes: strategy.like_count }, { strategy, likes: is })];
};

const repairLikes = (store: Store, strategyId: number) =>
  repaired({
    store,
    measure: () => measureLikes(store, strategyId),
    same: (one, other) => one.strategy.like_moves === other.strategy.like_moves && one.is === other.is,
    writes: (_, { strategy, is }) => likeCountWrites(strategy, is),
  });

const measureCopies = async (store: Store, strategyId: number) => {
  const strategy = await findStrategy(store, strategyId);
  const is = await countItems(store, copiesPartition(strategyId), 'COPY#');
  return strategy && strategy.copy_count !== is ? { strategy, is } : undefined;
};

/** Copies are only added, so an equal count means that no copy came in between. */
const repairCopies = (store: Store, strategyId: number) =>
  repaired({
    store,
    measure: () => measureCopies(store, strategyId),
    same: (one, other) => one.strategy.copy_count === other.strategy.copy_count && one.is === other.is,
    writes: (_, { strategy, is }) => {
      const step = { update: 'SET copy_count = :is', values: { ':is': is } };
      return changeEverywhere(strategy, step, {
        ...step,
        condition: 'copy_count = :was',
        values: { ...step.values, ':was': strategy.copy_count },
      });
    },
  });

const COUNTS = ['like_count', 'copy_count', 'deployment_count'] as const;

const cardKeys = ({ explore_seq, profile_seq, user_key }: Strategy): Key[] => [
  ...(explore_seq === undefined ? [] : [entryKey(EXPLORE_LIST, explore_seq)]),
  ...(profile_seq === undefined ? [] : [entryKey(profileList(user_key), profile_seq)]),
];

const measureCards = async (store: Store, strategyId: number) => {
  const first = await findStrategy(store, strategyId);
  if (!first || cardKeys(first).length === 0) return undefined;
  const places = cardKeys(first);
  const items = await store.getMany([keys.strategy(strategyId), ...places], { consistent: true });
  const strategy = asStrategy(itemWith(items, keys.strategy(strategyId)));
  if (!strategy) return undefined;
  const wrong = places.filter((place) => {
    const card = itemWith(items, place);
    return card?.strategy_id === strategyId && COUNTS.some((name) => card[name] !== strategy[name]);
  });
  return wrong.length > 0 ? { strategy, wrong } : undefined;
};

const sameCounts = (one: Strategy, other: Strategy): boolean =>
  one.like_moves === other.like_moves && COUNTS.every((name) => one[name] === other[name]);

/** Corrects the counts on a strategy's cards, on the condition that the strategy's own counts do not change. */
const repairCards = (store: Store, strategyId: number) =>
  repaired({
    store,
    measure: () => measureCards(store, strategyId),
    same: (one, other) => sameCounts(one.strategy, other.strategy),
    writes: (_, { strategy, wrong }): Write[] => {
      const values = Object.fromEntries(COUNTS.map((name) => [`:${name}`, strategy[name]]));
      const place = unmoved(strategy);
      const unchanged = COUNTS.map((name) => `${name} = :${name}`);
      return [
        {
          check: keys.strategy(strategyId),
          if: {
            condition: `${place.condition} AND ${unchanged.join(' AND ')}`,
            values: { ...place.values, ...values },
          },
        },
        ...wrong.map((key) => ({
          key,
          update: `SET ${unchanged.join(', ')}`,
          condition: 'strategy_id = :strategy',
          values: { ...values, ':strategy': strategyId },
        })),
      ];
    },
  });

/** Adds a copy to the copies of its source if it is missing. */
const enterCopy = async (
  store: Store,
  { parent_strategy_id: parent, strategy_id }: Strategy,
): Promise<void> => {
  if (parent === undefined) return;
  const [entered] = await store.getMany([copyKey(parent, strategy_id)], { consistent: true });
  if (!entered) await store.transact([copyEntryWrite(parent, strategy_id)]);
};

/** Checks and corrects a strategy's counts of likes and copies, and the counts on its cards. */
export const reconcileStrategy = async (store: Store, strategyId: number, tally: Tally): Promise<void> => {
  const strategy = await findStrategy(store, strategyId);
  if (!strategy) return;
  await enterCopy(store, strategy);
  // Changes of a strategy without its cards are refused.
  await restoreCards(store, strategyId, tally);
  const checks = [
    ['like_count', repairLikes],
    ['copy_count', repairCopies],
    ['card_counts', repairCards],
  ] as const;
  for (const [kind, repair] of checks) {
    tally.add(kind, 'checked');
    const outcome = await repair(store, strategyId);
    if (outcome !== 'right') tally.add(kind, outcome, `strategy ${strategyId}`);
  }
};
