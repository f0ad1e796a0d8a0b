import { entryKey } from '../numbered-list/numbered-list.ts';
import { EXPLORE_LIST, profileList, unmoved } from '../strategies/listings.ts';
import { asStrategy, cardOf, findStrategy, type Strategy } from '../strategies/strategies.ts';
import { searchWrites } from '../strategies/strategy-search.ts';
import { itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Condition, Key, Write } from '../table/writes.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const KIND = 'strategy_cards';

/** Place of a strategy in a list, with the attribute that names it. */
interface Place {
  readonly name: 'explore_seq' | 'profile_seq';
  readonly key: Key;
}

const placesOf = ({ explore_seq, profile_seq, user_key }: Strategy): Place[] => [
  ...(explore_seq === undefined
    ? []
    : [{ name: 'explore_seq' as const, key: entryKey(EXPLORE_LIST, explore_seq) }]),
  ...(profile_seq === undefined
    ? []
    : [{ name: 'profile_seq' as const, key: entryKey(profileList(user_key), profile_seq) }]),
];

const foundAs = (strategy: Strategy) => ({ strategy, likes: strategy.like_count });

const measurePlaces = async (store: Store, strategyId: number) => {
  const first = await findStrategy(store, strategyId);
  if (!first || placesOf(first).length === 0) return undefined;
  const items = await store.getMany([keys.strategy(strategyId), ...placesOf(first).map(({ key }) => key)], {
    consistent: true,
  });
  const strategy = asStrategy(itemWith(items, keys.strategy(strategyId)));
  if (!strategy) return undefined;
  const cards = placesOf(strategy).map((place) => ({ ...place, card: itemWith(items, place.key) }));
  const missing = cards.filter(({ card }) => card === undefined);
  const taken = cards.filter(({ card }) => card !== undefined && card.strategy_id !== strategyId);
  return missing.length + taken.length > 0 ? { strategy, missing, taken } : undefined;
};

const unchanged = (strategy: Strategy): Condition => {
  const place = unmoved(strategy);
  return {
    condition: `${place.condition} AND version = :version AND like_count = :likes AND copy_count = :copies AND deployment_count = :deployments`,
    values: {
      ...place.values,
      ':version': strategy.version,
      ':likes': strategy.like_count,
      ':copies': strategy.copy_count,
      ':deployments': strategy.deployment_count,
    },
  };
};

/**
 * Puts missing cards of a strategy back. A place that another strategy has taken is given up, so that the author can
 * publish again. Cards and strategy differ only after a restore in the middle of a transaction.
 */
export const restoreCards = async (store: Store, strategyId: number, tally: Tally): Promise<void> => {
  const outcome = await repaired({
    store,
    measure: () => measurePlaces(store, strategyId),
    same: (one, other) =>
      one.strategy.version === other.strategy.version &&
      one.strategy.explore_seq === other.strategy.explore_seq &&
      one.strategy.profile_seq === other.strategy.profile_seq,
    writes: (_, { strategy, missing, taken }): Write[] => {
      const key = keys.strategy(strategyId);
      const condition = unchanged(strategy);
      const names = (places: readonly Place[]) => places.map(({ name }) => name);
      return [
        taken.length === 0
          ? { check: key, if: condition }
          : { key, update: `REMOVE ${names(taken).join(', ')}`, ...condition },
        ...missing.map(
          (place): Write => ({
            put: { ...place.key, entity: 'strategy_card', ...cardOf(strategy) },
            if: { condition: 'attribute_not_exists(pk)' },
          }),
        ),
        ...(names(missing).includes('explore_seq') ? searchWrites(undefined, foundAs(strategy)) : []),
        ...(names(taken).includes('explore_seq') ? searchWrites(foundAs(strategy), undefined) : []),
      ];
    },
  });
  if (outcome !== 'right') tally.add(KIND, outcome, `strategy ${strategyId}`);
};

/** Removes a card whose strategy is gone or has no such place. */
export const removeStrayCard = async (
  store: Store,
  place: Key,
  strategyId: number,
  tally: Tally,
): Promise<void> => {
  const outcome = await repaired({
    store,
    measure: async () => {
      const items = await store.getMany([keys.strategy(strategyId), place], { consistent: true });
      const strategy = asStrategy(itemWith(items, keys.strategy(strategyId)));
      const card = itemWith(items, place);
      const isPlaced =
        strategy && placesOf(strategy).some(({ key }) => key.pk === place.pk && key.sk === place.sk);
      return card?.strategy_id === strategyId && !isPlaced ? { strategy } : undefined;
    },
    same: (one, other) => one.strategy?.version === other.strategy?.version,
    writes: (_, { strategy }): Write[] => [
      {
        check: keys.strategy(strategyId),
        if: strategy ? unmoved(strategy) : { condition: 'attribute_not_exists(pk)' },
      },
      { delete: place, if: { condition: 'strategy_id = :strategy', values: { ':strategy': strategyId } } },
      ...(strategy && place.pk === EXPLORE_LIST.pk && strategy.explore_seq === undefined
        ? searchWrites(foundAs(strategy), undefined)
        : []),
    ],
  });
  if (outcome !== 'right') tally.add(KIND, outcome, `strategy ${strategyId}`);
};
