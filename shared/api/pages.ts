import * as z from 'zod';
import { integer, record } from './fields.ts';

const MAX_SIZE = 100;

/** The query parameters of a paged operation, of so many items unless told otherwise. */
export const pageQueryOf = (defaultSize: number) => ({
  page: integer({ min: 1 }).default(1),
  size: integer({ min: 1, max: MAX_SIZE }).default(defaultSize),
});

/**
 * The same, of 50 items: what most operations take.
 *
 * @example
 * query: z.object({ user_id: z.string(), ...pageQuery })
 */
export const pageQuery = pageQueryOf(50);

export interface PageChoice {
  readonly page: number;
  readonly size: number;
}

/** The fields of a page, for records that have more than those. */
export const pageFields = <S extends z.ZodType>(item: S) => ({
  items: z.array(item),
  total: integer({ min: 0 }),
  page: integer({ min: 1 }),
  size: integer({ min: 1, max: MAX_SIZE }),
  pages: integer({ min: 0 }),
});

/** The page record of an item record, as the contract names it: `Page_<Item>`. */
export const pageOf = <S extends z.ZodType>(itemName: string, item: S) =>
  record(`Page_${itemName}`, z.object(pageFields(item)));

/** Wraps the items of a page. */
export const toPage = <T>(items: T[], total: number, { page, size }: PageChoice) => ({
  items,
  total,
  page,
  size,
  pages: Math.ceil(total / size),
});

/** Cuts a page out of a list that is at hand as a whole. */
export const cutPage = <T>(all: readonly T[], { page, size }: PageChoice) =>
  toPage(all.slice((page - 1) * size, page * size), all.length, { page, size });
