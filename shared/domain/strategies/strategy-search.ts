import { wordsOf } from '../words.ts';
import { CATEGORIES, categoriesOf } from './categories.ts';
import type { StrategyAssetClass, Timeframe } from './strategies.ts';

/**
 * Indexed lengths of word prefixes. A prefix of another length is looked up under the next shorter one and compared
 * with the words found there.
 */
const INDEXED_LENGTHS = [8, 5, 3, 2, 1] as const;

/**
 * The most indexed prefixes of a strategy. Changing its rank writes each prefix twice, which must fit a transaction
 * of 100 members with the other changes.
 */
const MAX_BEGINNINGS = 45;

/** The most words of a strategy that a search compares; more than the index holds. */
const MAX_WORDS = 60;

/** Characters of a title that are compared. */
const MAX_TITLE = 100;

/** Characters of a title that determine its partition. */
const TITLE_BEGINNING = 3;

/** The searchable parts of a strategy. */
export interface Searchable {
  readonly strategy_name: string;
  readonly symbols: readonly string[];
  readonly author_name: string;
  readonly asset_class: StrategyAssetClass;
  readonly timeframe: Timeframe;
}

const CATEGORY_WORDS: ReadonlySet<string> = new Set(CATEGORIES.flatMap(({ slug }) => wordsOf(slug)));

const beginning = (text: string, length: number): string => [...text].slice(0, length).join('');

/** Returns the distinct words that a strategy is found by, the most specific ones first. */
export const searchWords = (strategy: Searchable): string[] => {
  const words = [
    ...wordsOf(strategy.strategy_name),
    ...strategy.symbols.flatMap((symbol) => wordsOf(symbol)),
    ...wordsOf(strategy.author_name),
    ...categoriesOf(strategy).flatMap((slug) => wordsOf(slug)),
  ];
  return [...new Set(words)].slice(0, MAX_WORDS);
};

/** Returns the indexed prefixes of words, up to the limit. */
export const indexedBeginnings = (words: readonly string[]): string[] => {
  const all = words.flatMap((word) => INDEXED_LENGTHS.map((length) => beginning(word, length)));
  return [...new Set(all)].slice(0, MAX_BEGINNINGS);
};

/** Returns the longest indexed prefix of a typed word. */
const lookupBeginning = (word: string): string =>
  beginning(word, INDEXED_LENGTHS.find((indexed) => [...word].length >= indexed) ?? 1);

/** Returns the prefix to look up for typed words: that of the longest word, categories last. */
export const lookupPrefix = (typed: readonly string[]): string => {
  const specific = typed.filter((word) => !CATEGORY_WORDS.has(word));
  const [longest = ''] = (specific.length > 0 ? specific : typed).toSorted((a, b) => b.length - a.length);
  return lookupBeginning(longest);
};

/** Returns whether every typed word is a prefix of one of the words. */
export const matches = (words: readonly string[], typed: readonly string[]): boolean =>
  typed.every((beginningTyped) => words.some((word) => word.startsWith(beginningTyped)));

/** Normalises a strategy's name or a search text for comparing titles. */
export const titleOf = (text: string): string => beginning(wordsOf(text).join(' '), MAX_TITLE);

/** Returns the partition of a title. */
export const titlePartition = (title: string): string => beginning(title, TITLE_BEGINNING);

/**
 * Returns the search rank of a strategy. It grows with the logarithm of the likes, so that a strategy moves in the index
 * when its likes double, not with each like.
 */
export const searchRank = (likes: number): number => 31 - Math.clz32(likes + 1);

/** Returns the range of likes of a rank: from `least` up to but not including `below`. */
export const likesOfRank = (rank: number): { least: number; below: number } => ({
  least: 2 ** rank - 1,
  below: 2 ** (rank + 1) - 1,
});
