/** Place of a page in its list. */
interface PagePlace {
  readonly page: number;
  readonly pages: number;
  /** Place at which a filtered list goes on after its last page. */
  readonly next_cursor?: number | undefined;
}

type Change = Readonly<Record<string, number | undefined>>;

/** Maximum length of the header. Queries of 8 KB would exceed the limits of HTTP clients. */
const MAX_BYTES = 6000;

/** Returns the query that the caller sent with some parameters changed or, if undefined, left out. */
const changed = (query: string, change: Change): string => {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, String(value));
  }
  return parameters.toString();
};

/** Returns the changes of the query that lead to other pages, the most useful first. */
const targetsOf = (query: string, { page, pages, next_cursor }: PagePlace) => {
  const isContinued = new URLSearchParams(query).has('cursor');
  const next =
    page < pages
      ? { page: page + 1 }
      : next_cursor === undefined
        ? undefined
        : { cursor: next_cursor, page: 1 };
  const targets: readonly (readonly [string, Change | undefined])[] = [
    ['next', next],
    // The part before a cursor is unknown.
    ['prev', page > 1 ? { page: Math.max(1, Math.min(page - 1, pages)) } : undefined],
    ['first', isContinued ? { page: 1, cursor: undefined } : { page: 1 }],
    ['last', next_cursor !== undefined || pages === 0 ? undefined : { page: pages }],
  ];
  return targets.flatMap(([rel, change]) => (change ? [[rel, change] as const] : []));
};

/**
 * Builds the `Link` header of a page (RFC 8288): `next`, `prev`, `first` and `last`, as far as the answer tells. The
 * links repeat the query of the request, and nothing else that identifies the caller.
 *
 * @param address address of the operation, without a query.
 *
 * @example
 * linksOf('https://hub.example/get_sweeps', 'user_id=u&page=2', { page: 2, pages: 3 });
 */
export const linksOf = (address: string, query: string, place: PagePlace): string => {
  let header = '';
  for (const [rel, change] of targetsOf(query, place)) {
    const link = `<${address}?${changed(query, change)}>; rel="${rel}"`;
    const longer = header === '' ? link : `${header}, ${link}`;
    if (longer.length <= MAX_BYTES) header = longer;
  }
  return header;
};
