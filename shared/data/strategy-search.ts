import * as z from 'zod';
import {
  indexedBeginnings,
  lookupBeginning,
  matches,
  searchRank,
  searchWords,
} from '../domain/strategy-search.ts';
import { keys } from './keys.ts';
import type { Key, Store, Write } from './store.ts';
import type { Strategy } from './strategies.ts';

/** How many entries one word's Query looks at, best liked first. */
const READ = 400;
/** Words whose entries are read; further words are compared with what these bring. */
const MAX_QUERIES = 2;

const entrySchema = z.object({ sk: z.string(), strategy_id: z.number(), words: z.array(z.string()) });

interface Entry {
  readonly key: Key;
  readonly item: Record<string, unknown>;
}

const entriesOf = (strategy: Strategy, likes: number): Map<string, Entry> => {
  const words = searchWords(strategy);
  const rank = searchRank(likes);
  const id = strategy.strategy_id;
  return new Map(
    indexedBeginnings(words).map((beginning) => {
      const key = keys.strategySearch(beginning, rank, id);
      return [
        `${key.pk} ${key.sk}`,
        { key, item: { ...key, entity: 'strategy_search', strategy_id: id, words } },
      ];
    }),
  );
};

/** What a strategy is found by: as it is, and with how many likes. Undefined where it is not listed. */
export type Found = { readonly strategy: Strategy; readonly likes: number } | undefined;

/** The writes that take a strategy in the search index from what it was to what it is; none where nothing changes. */
export const searchWrites = (before: Found, after: Found): Write[] => {
  const [old, fresh] = [before, after].map((state) =>
    state ? entriesOf(state.strategy, state.likes) : new Map<string, Entry>(),
  );
  const sameWords =
    before && after && searchWords(before.strategy).join(' ') === searchWords(after.strategy).join(' ');
  return [
    ...[...(old ?? [])].flatMap(([name, { key }]): Write[] => (fresh?.has(name) ? [] : [{ delete: key }])),
    ...[...(fresh ?? [])].flatMap(([name, { item }]): Write[] =>
      sameWords && old?.has(name) ? [] : [{ put: item }],
    ),
  ];
};

/**
 * Finds listed strategies of which every typed word begins a word, best liked first. It reads the best
 * liked 400 under each of the two longest words, whatever the catalogue's size.
 *
 * @param typed at least one word, folded.
 */
export const searchStrategies = async (
  store: Store,
  typed: readonly string[],
  limit: number,
): Promise<number[]> => {
  const longest = [...typed].sort((a, b) => b.length - a.length).slice(0, MAX_QUERIES);
  const beginnings = [...new Set(longest.map(lookupBeginning))];
  const found = await Promise.all(
    beginnings.map((beginning) =>
      store.query(
        {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': keys.strategySearch(beginning, 0, 0).pk },
          ScanIndexForward: false,
          Limit: READ,
        },
        entrySchema,
      ),
    ),
  );
  const matching = found.flat().filter(({ words }) => matches(words, typed));
  const ranked = new Map(
    matching.sort((a, b) => (a.sk < b.sk ? 1 : -1)).map((entry) => [entry.strategy_id, entry]),
  );
  return [...ranked.keys()].slice(0, limit);
};
