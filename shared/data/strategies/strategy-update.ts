import { isDeepStrictEqual } from 'node:util';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import { settingOf, type Write } from '../table/writes.ts';
import { categoryWrites } from './category-counts.ts';
import { changeEverywhere } from './listings.ts';
import { nameWrites, ownedWrite } from './owned-strategies.ts';
import { type Making, recordChange } from './record-change.ts';
import { cardDescription, type Strategy } from './strategies.ts';
import { searchWrites } from './strategy-search.ts';

/** Fields that an owner edits. */
const EDITED = [
  'strategy_name',
  'description',
  'symbols',
  'legs',
  'timeframe',
  'asset_class',
  'direction',
  'broker_id',
] as const satisfies readonly (keyof Strategy)[];

type Edited = (typeof EDITED)[number];

const ON_CARDS = [
  'strategy_name',
  'symbols',
  'timeframe',
  'asset_class',
  'direction',
] as const satisfies readonly Edited[];
const IN_OWNERS_LIST = ['strategy_name', 'symbols', 'broker_id'] as const satisfies readonly Edited[];

const pick = <Name extends Edited>(strategy: Strategy, names: readonly Name[]): Partial<Strategy> =>
  Object.fromEntries(names.map((name) => [name, strategy[name]]));

/** Returns the writes that move a listed strategy among categories and in the search index. */
const listingWrites = (before: Strategy, after: Strategy): Write[] => {
  if (before.explore_seq === undefined) return [];
  const likes = before.like_count;
  return [
    ...categoryWrites(before, after),
    ...searchWrites({ strategy: before, likes }, { strategy: after, likes }),
  ];
};

/**
 * Edits a strategy, its name mark, its place in the owner's list, its cards, categories and search entries in one
 * transaction. The version increases. Other symbols, shares or another timeframe of a published strategy begin another
 * track record. No-op if nothing differs.
 *
 * @returns the strategy after the edit; `name_taken` if another strategy of the user has the name.
 * @throws TransactionRefusedError if the strategy changed meanwhile: read again.
 */
export const updateStrategy = async (
  store: Store,
  before: Strategy,
  edit: Partial<Pick<Strategy, Edited>>,
  making: Making,
): Promise<Strategy | 'name_taken'> => {
  const edited: Strategy = { ...before, ...edit };
  if (EDITED.every((name) => isDeepStrictEqual(before[name], edited[name]))) return before;
  const after: Strategy = { ...edited, version: before.version + 1, updated_at: making.now.toISOString() };
  const record = recordChange(before, after, making);
  const { claim, release } = nameWrites(before, after.strategy_name);
  const card = {
    ...pick(after, ON_CARDS),
    description: cardDescription(after.description),
    ...(record.fields && { performance: record.fields.performance }),
  };
  const own = {
    ...pick(after, EDITED),
    ...record.fields,
    version: after.version,
    updated_at: after.updated_at,
  };
  const isListed = before.explore_seq !== undefined;
  try {
    await store.transact([
      claim,
      ...release,
      ownedWrite(before, pick(after, IN_OWNERS_LIST)),
      ...changeEverywhere(
        before,
        settingOf(card),
        settingOf(own, {
          // The search entries of a listed strategy depend on its likes.
          condition: `version = :version${isListed ? ' AND like_count = :likes' : ''}`,
          values: { ':version': before.version, ...(isListed && { ':likes': before.like_count }) },
        }),
      ),
      ...listingWrites(before, after),
      ...record.writes,
    ]);
  } catch (error) {
    if (error instanceof TransactionRefusedError && error.has(claim)) return 'name_taken';
    throw error;
  }
  return { ...after, ...record.fields };
};
