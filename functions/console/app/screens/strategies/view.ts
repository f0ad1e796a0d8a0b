/** Choice of own strategies that the list shows. It is in the address. */
export interface OwnView {
  readonly isCopied: boolean;
  readonly isArchived: boolean;
  readonly words: string;
  readonly page: number;
}

/** Reads the view of an address. Impossible values count as absent. */
export const ownViewOf = (query: URLSearchParams): OwnView => {
  const page = Number(query.get('page') ?? 1);
  return {
    isCopied: query.get('copied') === '1',
    isArchived: query.get('archived') === '1',
    words: (query.get('search') ?? '').slice(0, 200),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

/** Returns the address of a view. */
export const ownAddressOf = ({ isCopied, isArchived, words, page }: OwnView): `/${string}` => {
  const query = new URLSearchParams({
    ...(isCopied && { copied: '1' }),
    ...(isArchived && { archived: '1' }),
    ...(words.trim() !== '' && { search: words }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? '/strategies' : `/strategies?${query}`;
};
