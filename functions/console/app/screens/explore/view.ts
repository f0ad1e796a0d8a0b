import { LOW_DRAWDOWN_PCT, RANK_SORTS, type RankSort } from '../../../../../shared/domain/rankings/orders.ts';
import { CATEGORY_SLUGS, type CategorySlug } from '../../../../../shared/domain/strategies/categories.ts';
import { SUFFICIENT_DAYS } from '../../../../../shared/domain/track-records/sufficient.ts';

/** Choice of strategies in Explore. It is in the address, so that Back and links work. */
export interface ExploreView {
  /** Words that are searched. */
  readonly words: string;
  /** Category as in the catalogue; empty for all. */
  readonly category: CategorySlug | '';
  /** True to show only strategies that the user likes. */
  readonly isLiked: boolean;
  readonly sort: RankSort;
  /** True for strategies with a track record of at least 90 days alone. */
  readonly isProven: boolean;
  /** True for drawdowns below 20 % alone. */
  readonly isLow: boolean;
  readonly page: number;
}

/** The whole catalogue, newest first. */
export const WHOLE_CATALOGUE: ExploreView = {
  words: '',
  category: '',
  isLiked: false,
  sort: 'newest',
  isProven: false,
  isLow: false,
  page: 1,
};

/** Reads the view of an address. Impossible values count as absent. */
export const viewOf = (query: URLSearchParams): ExploreView => {
  const page = Number(query.get('page') ?? 1);
  return {
    words: (query.get('search') ?? '').slice(0, 100),
    category: CATEGORY_SLUGS.find((slug) => slug === query.get('category')) ?? '',
    isLiked: query.get('liked') === '1',
    sort: RANK_SORTS.find((sort) => sort === query.get('sort')) ?? 'newest',
    isProven: query.get('days') === String(SUFFICIENT_DAYS),
    isLow: query.get('drawdown') === String(LOW_DRAWDOWN_PCT),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

/** Returns the address of a view. */
export const addressOf = (view: ExploreView): `/${string}` => {
  const { words, category, isLiked, sort, isProven, isLow, page } = view;
  const query = new URLSearchParams({
    ...(words.trim() !== '' && { search: words }),
    ...(category !== '' && { category }),
    ...(isLiked && { liked: '1' }),
    ...(sort !== 'newest' && { sort }),
    ...(isProven && { days: String(SUFFICIENT_DAYS) }),
    ...(isLow && { drawdown: String(LOW_DRAWDOWN_PCT) }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? '/explore' : `/explore?${query}`;
};

/** Returns whether a view can be ranked: searches and liked strategies have an order of their own. */
export const canBeRanked = ({ words, isLiked }: ExploreView): boolean => words.trim() === '' && !isLiked;

/** Returns whether a view shows strategies that the service ranks, and no others. */
export const isRanked = (view: ExploreView): boolean =>
  canBeRanked(view) && (view.sort !== 'newest' || view.isProven || view.isLow);

/** Returns the term of the search for words within a category; empty if nothing is searched. */
export const termOf = ({ words, category }: ExploreView): string =>
  [words.trim(), category].filter(Boolean).join(' ');

interface Found {
  readonly categories: readonly string[];
}

/** Drops strategies that have the category only in their name. */
export const inCategory = <S extends Found>(found: readonly S[], category: string): S[] =>
  category === '' ? [...found] : found.filter(({ categories }) => categories.includes(category));

interface Named {
  readonly strategy_name: string;
  readonly symbols: readonly string[];
  readonly author: { readonly name: string };
}

/** Returns whether a strategy has all words in its name, its symbols or the name of its author. */
export const hasWords = ({ strategy_name, symbols, author }: Named, words: string): boolean => {
  const text = [strategy_name, ...symbols, author.name].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
