import * as z from 'zod';
import { integer, record } from './fields.ts';

const MAX_SIZE = 100;

/** Declares the query parameters of a paged operation. */
export const pageQueryOf = (defaultSize: number) => ({
  page: integer({ min: 1 }).default(1),
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
