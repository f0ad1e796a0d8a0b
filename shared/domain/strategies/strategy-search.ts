import { wordsOf } from '../words.ts';
import { CATEGORIES, categoriesOf, type StrategyAssetClass, type Timeframe } from './strategies.ts';

/**
 * Lengths of the word beginnings that are indexed. A beginning of another length is looked for under the
 * next shorter one and compared with the words of what is found there.
 */
const INDEXED_LENGTHS = [8, 5, 3, 2, 1] as const;

/**
 * Beginnings of one strategy in the index: moving it among the ranks writes each twice, and must fit a
 * transaction of 100 with what else belongs to the change.
 */
const MAX_BEGINNINGS = 45;

/** Words of a strategy that a search compares with; beyond the index, they refine. */
const MAX_WORDS = 60;

/** A title is compared as far as this. */
const MAX_TITLE = 100;

/** Titles are kept in partitions by how they begin. */
const TITLE_BEGINNING = 3;

export interface Searchable {
  readonly strategy_name: string;
  readonly symbols: readonly string[];
  readonly author_name: string;
  readonly asset_class: StrategyAssetClass;
  readonly timeframe: Timeframe;
}

const CATEGORY_WORDS: ReadonlySet<string> = new Set(CATEGORIES.flatMap(({ slug }) => wordsOf(slug)));

const beginning = (text: string, length: number): string => [...text].slice(0, length).join('');

/** The words by whose beginnings a strategy is found, without repeats, those that tell most first. */
export const searchWords = (strategy: Searchable): string[] => {
  const words = [
    ...wordsOf(strategy.strategy_name),
    ...strategy.symbols.flatMap((symbol) => wordsOf(symbol)),
    ...wordsOf(strategy.author_name),
    ...categoriesOf(strategy).flatMap((slug) => wordsOf(slug)),
  ];
  return [...new Set(words)].slice(0, MAX_WORDS);
};

/** The beginnings under which words are indexed, as many as there is room for. */
export const indexedBeginnings = (words: readonly string[]): string[] => {
  const all = words.flatMap((word) => INDEXED_LENGTHS.map((length) => beginning(word, length)));
  return [...new Set(all)].slice(0, MAX_BEGINNINGS);
};

/** The longest indexed beginning of what somebody types. */
const lookupBeginning = (word: string): string =>
  beginning(word, INDEXED_LENGTHS.find((indexed) => [...word].length >= indexed) ?? 1);

/** The beginning to look under for typed words: the longest word's, one that is no category where there is. */
export const mostTelling = (typed: readonly string[]): string => {
  const telling = typed.filter((word) => !CATEGORY_WORDS.has(word));
  const [longest = ''] = (telling.length > 0 ? telling : typed).toSorted((a, b) => b.length - a.length);
  return lookupBeginning(longest);
};

/** Whether every word that somebody typed begins one of the words. */
export const matches = (words: readonly string[], typed: readonly string[]): boolean =>
  typed.every((beginningTyped) => words.some((word) => word.startsWith(beginningTyped)));

/** The name of a strategy, or what somebody types, as titles are compared. */
export const titleOf = (text: string): string => beginning(wordsOf(text).join(' '), MAX_TITLE);

/** The partition of titles that begin alike. */
export const titlePartition = (title: string): string => beginning(title, TITLE_BEGINNING);

/**
 * The rank of a strategy in search: it grows with the logarithm of its likes, so that a strategy moves
 * in the index when its likes double, not with each.
 */
export const searchRank = (likes: number): number => 31 - Math.clz32(likes + 1);

/** The likes between which a rank lasts: from `least` up to below `below`. */
export const likesOfRank = (rank: number): { least: number; below: number } => ({
  least: 2 ** rank - 1,
  below: 2 ** (rank + 1) - 1,
});
