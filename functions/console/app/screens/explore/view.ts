/** Choice of strategies in Explore. It is in the address, so that Back and links work. */
export interface ExploreView {
  /** Words that are searched. */
  readonly words: string;
  /** Category as in the catalogue; empty for all. */
  readonly category: string;
  /** True to show only strategies that the user likes. */
  readonly isLiked: boolean;
  readonly page: number;
}

/** The whole catalogue, newest first. */
export const WHOLE_CATALOGUE: ExploreView = { words: '', category: '', isLiked: false, page: 1 };

const CATEGORY = /^[a-z0-9-]{1,40}$/;

/** Reads the view of an address. Impossible values count as absent. */
export const viewOf = (query: URLSearchParams): ExploreView => {
  const category = query.get('category') ?? '';
  const page = Number(query.get('page') ?? 1);
  return {
    words: (query.get('search') ?? '').slice(0, 100),
    category: CATEGORY.test(category) ? category : '',
    isLiked: query.get('liked') === '1',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

/** Returns the address of a view. */
export const addressOf = ({ words, category, isLiked, page }: ExploreView): `/${string}` => {
  const query = new URLSearchParams({
    ...(words.trim() !== '' && { search: words }),
    ...(category !== '' && { category }),
    ...(isLiked && { liked: '1' }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? '/explore' : `/explore?${query}`;
};

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
