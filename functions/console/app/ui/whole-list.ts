import type { WholeRows } from './table/table-props.ts';

/** Page of a list as the service answers. */
export interface ListPage<R> {
  readonly items: readonly R[];
  readonly total: number;
  readonly pages: number;
  /** Place behind the last page from which a filtered list goes on. */
  readonly next_cursor?: number | null | undefined;
}

/** Place of a page in a list. */
export interface At {
  readonly page: number;
  readonly size: number;
  readonly cursor?: number | undefined;
}

/** Loads a page of a list. */
export type ReadPage<R> = (at: At, signal?: AbortSignal) => Promise<ListPage<R>>;

/** Most rows of a page that the service sends. */
const PAGE_SIZE = 100;
/** Most rows of a list that are loaded to be sorted, filtered or exported. */
const MOST_ROWS = 2_000;

/** Returns the place of the page behind one; undefined for the last. */
const behind = <R>({ pages, next_cursor: next }: ListPage<R>, at: At): At | undefined => {
  if (at.page < pages) return { ...at, page: at.page + 1 };
  return typeof next === 'number' ? { page: 1, size: at.size, cursor: next } : undefined;
};

/** Loads a list from its first page on, up to `most` rows. */
export const readWhole = async <R>(
  read: ReadPage<R>,
  most = MOST_ROWS,
  size = PAGE_SIZE,
): Promise<WholeRows<R>> => {
  const rows: R[] = [];
  let at: At | undefined = { page: 1, size };
  while (at !== undefined && rows.length < most) {
    const page: ListPage<R> = await read(at);
    rows.push(...page.items);
    at = behind(page, at);
  }
  return { rows: rows.slice(0, most), isCut: at !== undefined };
};

/**
 * Returns the loader of a list for the table of one of its pages; undefined if the page is all of it.
 *
 * @param isBehind the page is behind a cursor
 */
export const wholeOf = <R>(
  { total, items, next_cursor: next }: ListPage<R>,
  read: ReadPage<R>,
  isBehind = false,
): (() => Promise<WholeRows<R>>) | undefined =>
  isBehind || total > items.length || typeof next === 'number' ? () => readWhole(read) : undefined;
