import { categoriesOf, type StrategyAssetClass, type Timeframe } from './strategies.ts';
import { wordsOf } from './words.ts';

/**
 * Lengths of the word beginnings that are indexed. A longer or in-between beginning is looked for under
 * the next shorter one and compared with the words of what is found there.
 */
const INDEXED_LENGTHS = [6, 3, 1] as const;

/**
 * Words of a strategy that search knows. With three beginnings each, moving a strategy among the ranks
 * is 2 × 45 writes: with what else belongs to the same change, it fits a transaction of 100.
 */
const MAX_WORDS = 15;
const MAX_SYMBOL_WORDS = 4;
const MAX_AUTHOR_WORDS = 3;

export interface Searchable {
  readonly strategy_name: string;
  readonly symbols: readonly string[];
  readonly author_name: string;
  readonly asset_class: StrategyAssetClass;
  readonly timeframe: Timeframe;
}

const beginning = (word: string, length: number): string => [...word].slice(0, length).join('');

/** The words by whose beginnings a strategy is found, without repeats. */
export const searchWords = (strategy: Searchable): string[] => {
  const symbols = strategy.symbols.flatMap((symbol) => wordsOf(symbol)).slice(0, MAX_SYMBOL_WORDS);
  const categories = categoriesOf(strategy).flatMap((slug) => wordsOf(slug));
  const author = wordsOf(strategy.author_name).slice(0, MAX_AUTHOR_WORDS);
  const words = new Set([...symbols, ...categories, ...author, ...wordsOf(strategy.strategy_name)]);
  return [...words].slice(0, MAX_WORDS);
};

/** The beginnings under which words are indexed. */
export const indexedBeginnings = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => INDEXED_LENGTHS.map((length) => beginning(word, length)))),
];

/** The longest indexed beginning of what somebody types. */
export const lookupBeginning = (word: string): string => {
  const length = INDEXED_LENGTHS.find((indexed) => [...word].length >= indexed) ?? 1;
  return beginning(word, length);
};

/** Whether every word that somebody typed begins one of the words. */
export const matches = (words: readonly string[], typed: readonly string[]): boolean =>
  typed.every((beginningTyped) => words.some((word) => word.startsWith(beginningTyped)));

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
