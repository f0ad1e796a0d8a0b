import * as z from 'zod';
import { extra, integer, record, storedInteger } from './fields.ts';

const MAX_SIZE = 100;

/** Declares the query parameters of a paged operation. */
export const pageQueryOf = (defaultSize: number) => ({
  // Refuse a number that an answer could not repeat with all its digits.
  page: storedInteger({ min: 1 }).default(1),
  size: integer({ min: 1, max: MAX_SIZE }).default(defaultSize),
});

/**
 * Query parameters of a paged operation with 50 items by default.
 *
 * @example
 * query: z.object({ user_id: z.string(), ...pageQuery })
 */
export const pageQuery = pageQueryOf(50);

export interface PageChoice {
  readonly page: number;
  readonly size: number;
}

/** Declares the fields of a page, for records with further fields. */
export const pageFields = <S extends z.ZodType>(item: S) => ({
  items: z.array(item),
  total: integer({ min: 0 }),
  page: integer({ min: 1 }),
  size: integer({ min: 1, max: MAX_SIZE }),
  pages: integer({ min: 0 }),
});

/** Declares the page of a record. The contract names it `Page_<Item>`. */
export const pageOf = <S extends z.ZodType>(itemName: string, item: S) =>
  record(`Page_${itemName}`, z.object(pageFields(item)));

/**
 * Builds a page from its items.
 *
 * @param total number of items of all pages.
 */
export const toPage = <T>(items: T[], total: number, { page, size }: PageChoice) => ({
  items,
  total,
  page,
  size,
  pages: Math.ceil(total / size),
});

/** Builds a page from the whole list. */
export const cutPage = <T>(all: readonly T[], { page, size }: PageChoice) =>
  toPage(all.slice((page - 1) * size, page * size), all.length, { page, size });

/**
 * Declares the page of a list with filters. With a filter, an answer covers a part of the list: its fields tell
 * whether the list goes on, and where.
 */
export const filteredPageOf = <S extends z.ZodType>(itemName: string, item: S) =>
  record(
    `Page_${itemName}`,
    z.object({
      ...pageFields(item),
      is_complete: extra(z.boolean().optional()),
      next_cursor: extra(integer({ min: 0 }).optional()),
    }),
  );

/** Part of a list that a filtered answer covers. */
export interface CoveredPart {
  /** Beginning of the next part; undefined at the end of the list. */
  readonly next: number | undefined;
  /** False if entries of the part were left out that cannot be read. */
  readonly isWhole: boolean;
}

/** Builds a page from the matching entries of a part of a list. */
export const toFilteredPage = <T>(
  matches: readonly T[],
  choice: PageChoice,
  { next, isWhole }: CoveredPart,
) => ({
  ...cutPage(matches, choice),
  is_complete: isWhole && next === undefined,
  ...(next !== undefined && { next_cursor: next }),
});
