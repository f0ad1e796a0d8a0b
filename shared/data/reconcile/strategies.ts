import { entryKey } from '../numbered-list/numbered-list.ts';
import { changeEverywhere, EXPLORE_LIST, profileList, unmoved } from '../strategies/listings.ts';
import { asStrategy, findStrategy, type Strategy } from '../strategies/strategies.ts';
import { searchWrites } from '../strategies/strategy-search.ts';
import {
  countOf,
  TALLY_PREFIX,
  type Tallied,
  type TallyKind,
  tallyKey,
  tallyPartition,
  tallyWrite,
} from '../strategies/strategy-tallies.ts';
import { itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { countItems } from '../table/scan.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { repaired } from './repaired.ts';
import { restoreCards } from './strategy-cards.ts';
import type { Tally } from './tally.ts';

/** Compares a count of a strategy with the users who count. */
const measure = async (store: Store, strategyId: number, kind: TallyKind) => {
  const strategy = await findStrategy(store, strategyId);
  const is = await countItems(store, tallyPartition(kind, strategyId), TALLY_PREFIX, 'counted');
  return strategy && strategy[countOf(kind)] !== is ? { strategy, is } : undefined;
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
    measure: () => measure(store, strategyId, 'like'),
    same: (one, other) => one.strategy.like_moves === other.strategy.like_moves && one.is === other.is,
    writes: (_, { strategy, is }) => likeCountWrites(strategy, is),
  });

/** Users are rarely taken out of these counts, so an equal count means that nobody came in between. */
const repairOthers = (kind: 'copy' | 'deployment') => (store: Store, strategyId: number) => {
  const count = countOf(kind);
  return repaired({
    store,
    measure: () => measure(store, strategyId, kind),
    same: (one, other) => one.strategy[count] === other.strategy[count] && one.is === other.is,
    writes: (_, { strategy, is }) => {
      const step = { update: `SET ${count} = :is`, values: { ':is': is } };
      return changeEverywhere(strategy, step, {
        ...step,
        condition: `${count} = :was`,
        values: { ...step.values, ':was': strategy[count] },
      });
    },
  });
};

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

/** Adds the owner of a copy to those of its source if it is missing. The check of the owner lets it count. */
const enterCopy = async (
  store: Store,
  { parent_strategy_id: strategyId, user_id: userId }: Strategy,
): Promise<void> => {
  if (strategyId === undefined) return;
  const copier: Tallied = { kind: 'copy', strategyId, userId };
  const [source, entered] = await store.getMany([keys.strategy(strategyId), tallyKey(copier)], {
    consistent: true,
  });
  if (!entered && source && asStrategy(source)?.user_id !== userId) {
    await store.transact([tallyWrite(copier, undefined, false)]);
  }
};

/** Checks and corrects a strategy's counts of likes, copies and deployments, and the counts on its cards. */
export const reconcileStrategy = async (store: Store, strategyId: number, tally: Tally): Promise<void> => {
  const strategy = await findStrategy(store, strategyId);
  if (!strategy) return;
  await enterCopy(store, strategy);
  // Changes of a strategy without its cards are refused.
  await restoreCards(store, strategyId, tally);
  const checks = [
    ['like_count', repairLikes],
    ['copy_count', repairOthers('copy')],
    ['deployment_count', repairOthers('deployment')],
    ['card_counts', repairCards],
  ] as const;
  for (const [kind, repair] of checks) {
    tally.add(kind, 'checked');
    const outcome = await repair(store, strategyId);
    if (outcome !== 'right') tally.add(kind, outcome, `strategy ${strategyId}`);
  }
};
