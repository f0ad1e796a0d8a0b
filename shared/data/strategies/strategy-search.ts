import * as z from 'zod';
import {
  indexedBeginnings,
  lookupPrefix,
  matches,
  searchRank,
  searchWords,
  titleOf,
  titlePartition,
} from '../../domain/strategies/strategy-search.ts';
import { wordsOf } from '../../domain/words.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import type { Strategy } from './strategies.ts';

/** Entries read per search prefix, best liked first. */
const READ = 400;
/** Titles read that begin with the typed text. */
const READ_TITLES = 50;
/** Most keys of one BatchGetItem call. */
const MAX_FOUND = 100;

const entrySchema = z.object({ strategy_id: z.number(), words: z.array(z.string()) });

interface Entry {
  readonly key: Key;
  readonly item: Record<string, unknown>;
}

const entriesOf = (strategy: Strategy, likes: number): Map<string, Entry> => {
  const words = searchWords(strategy);
  const rank = searchRank(likes);
  const id = strategy.strategy_id;
  const title = titleOf(strategy.strategy_name);
  const places = [
    ...indexedBeginnings(words).map((beginning) => keys.strategySearch(beginning, rank, id)),
    keys.strategyTitle(titlePartition(title), title, id),
  ];
  return new Map(
    places.map((key) => [
      `${key.pk} ${key.sk}`,
      { key, item: { entity: 'strategy_search', strategy_id: id, words } },
    ]),
  );
};

/** A listed strategy and the likes to rank it by; undefined if it is not listed. */
type Found = { readonly strategy: Strategy; readonly likes: number } | undefined;

/** Returns the writes that move a strategy in the search index from one state to another; empty if equal. */
export const searchWrites = (before: Found, after: Found): Write[] => {
  const [old, fresh] = [before, after].map((state) =>
    state ? entriesOf(state.strategy, state.likes) : new Map<string, Entry>(),
  );
  const sameWords =
    before && after && searchWords(before.strategy).join(' ') === searchWords(after.strategy).join(' ');
  return [
    ...[...(old ?? [])].flatMap(([name, { key }]): Write[] => (fresh?.has(name) ? [] : [{ delete: key }])),
    ...[...(fresh ?? [])].flatMap(([name, { key, item }]): Write[] =>
      sameWords && old?.has(name) ? [] : [{ key, set: item }],
    ),
  ];
};

/** Reads the titles that begin with a text. Titles match in their normalised form. */
const byTitle = (store: Store, text: string) => {
  const title = titleOf(text);
  const { pk } = keys.strategyTitle(titlePartition(title), '', 0);
  return store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :title)',
      ExpressionAttributeValues: { ':pk': pk, ':title': title },
      Limit: READ_TITLES,
    },
    entrySchema,
  );
};

const byWords = (store: Store, typed: readonly string[]) =>
  store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.strategySearch(lookupPrefix(typed), 0, 0).pk },
      ScanIndexForward: false,
      Limit: READ,
    },
    entrySchema,
  );

/**
 * Searches listed strategies: every typed word must be a prefix of a word of the strategy. Reads the 400 best liked
 * entries under the longest typed word, and the titles that begin with the whole text of a
 * catalogue of any size. So a title is found
 * with any number of likes, a single word only among the better liked strategies.
 *
 * @returns up to 100 ids; the caller sorts them by likes.
 */
export const searchStrategies = async (store: Store, term: string): Promise<number[]> => {
  const typed = [...new Set(wordsOf(term))];
  if (typed.length === 0) return [];
  const titled = [...titleOf(term)].length >= 3 ? byTitle(store, term) : [];
  const [ranked, named] = await Promise.all([byWords(store, typed), titled]);
  const found = ranked.filter(({ words }) => matches(words, typed));
  const ids = new Set([...named, ...found].map(({ strategy_id }) => strategy_id));
  return [...ids].slice(0, MAX_FOUND);
};
