import * as z from 'zod';
import { chunkOf, EMPTY_HEAD, type Head, headSchema, locate, type Order, totalOf } from './numbered-list-head.ts';
import { chunkSchema, NONE_REMOVED, seqInChunk } from './numbered-list-removed.ts';
import type { Key, Store } from './store.ts';

/**
 * A list whose pages are addressed by number and cost the same wherever they lie.
 *
 * Entries are items of one partition, sorted by a dense sequence number. What was removed is a hole in
 * the numbering: the head counts the holes of each chunk of `span` numbers, and a chunk that has holes
 * has a bitmap of them. So a page begins at a number that follows from the head and at most one
 * bitmap, and one Query from there reads exactly the entries of the page.
 *
 * Costs: a page is 3 calls at most (head, bitmap, Query), 2 where nothing was removed from the chunk in
 * which the page begins, one round trip for page 1; adding writes head and entry, removing writes
 * head, bitmap and entry. The head grows by 2 bytes for each chunk between the first that still has
 * entries and the last that has lost one. With the default span of 6,144 it stays in one write unit
 * (1 KB) up to some 2.7 million numbers, 300 bytes at one million; at 10 million it would be 3.3 KB if
 * entries were removed all over the list, and adding would cost 10 units instead of 4. A list that
 * expects more than that takes a greater span: with 28,672 the bitmap is still read in one unit (4 KB),
 * and the head stays in 1 KB up to 13 million, while removing writes 3.5 KB of bitmap. A list whose
 * old entries are removed in turn keeps a small head for ever.
 *
 * All additions and removals of a list pass its head, so a list takes some 50 changes a second; entries
 * must be small (10 KB at most, since a page of 100 is one Query) and must not expire by themselves.
 */
export interface NumberedList {
  /** The partition of the entries and bitmaps; other items in it must not begin with a digit. */
  readonly pk: string;
  /** Where the head is kept within another entity's item that is read anyway; else it is its own item. */
  readonly head?: { readonly key: Key; readonly attribute: string };
  /** Sequence numbers in a chunk, at most 65,535. Never changed for a list that has entries. */
  readonly span?: number;
}

export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** The newest first unless told otherwise. */
  readonly order?: Order;
  /** The head, where the caller has read it already: {@link headKey}, {@link headIn}. */
  readonly head?: Head;
}

/** A bitmap of 768 bytes: with its keys it fills no more than one write unit. */
const DEFAULT_SPAN = 6144;
const SEQ_DIGITS = 12;
const LAST_SEQ = 10 ** SEQ_DIGITS - 1;

export const spanOf = ({ span = DEFAULT_SPAN }: NumberedList): number => span;

/** The key of an entry, to change it in place. */
export const entryKey = ({ pk }: NumberedList, seq: number): Key => ({
  pk,
  sk: String(seq).padStart(SEQ_DIGITS, '0'),
});

/** The key of the bitmap of a chunk. */
export const chunkKey = ({ pk }: NumberedList, chunk: number): Key => ({ pk, sk: `REMOVED#${chunk}` });

/** The key of the item that holds the head. */
export const headKey = ({ pk, head }: NumberedList): Key => head?.key ?? { pk, sk: 'LIST' };

export const headAttribute = ({ head }: NumberedList): string => head?.attribute ?? 'head';

/** The head in the item that holds it; a list that never had an entry has an empty one. */
export const headIn = (list: NumberedList, item: Readonly<Record<string, unknown>> | undefined): Head =>
  headSchema.default(EMPTY_HEAD).parse(item?.[headAttribute(list)]);

/** Reads the head of a list. */
export const readHead = async (store: Store, list: NumberedList): Promise<Head> => {
  const item = await store.get(headKey(list), z.record(z.string(), z.unknown()), { consistent: true });
  return headIn(list, item);
};

const startOf = async (
  store: Store,
  list: NumberedList,
  head: Head,
  skip: number,
  order: Order,
): Promise<number | undefined> => {
  const place = locate(head, skip, order, spanOf(list));
  if (!place || 'at' in place) return place?.at;
  const chunk = await store.get(chunkKey(list, place.chunk), chunkSchema, { consistent: true });
  return seqInChunk(head, chunk?.removed ?? NONE_REMOVED, place, order, spanOf(list));
};
