import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { type ItemSchema, parseListed } from '../table/parse-item.ts';
import type { Key, Store } from '../table/store.ts';
import { EMPTY_HEAD, type Head, headSchema, locate, MAX_SPAN, type Order, totalOf } from './list-head.ts';
import { chunkSchema, NONE_REMOVED, seqInChunk } from './list-removals.ts';

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
 * All additions and removals of a list pass its head, so a list takes some tens of them a second; entries
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
  /** The head, where the caller has read it (consistently) already: {@link headKey}, {@link headIn}. */
  readonly head?: Head;
}

/** A bitmap of 768 bytes: with its keys it fills no more than one write unit. */
const DEFAULT_SPAN = 6144;
const SEQ_DIGITS = 12;
const LAST_SEQ = 10 ** SEQ_DIGITS - 1;

export const spanOf = ({ span = DEFAULT_SPAN }: NumberedList): number => {
  if (!Number.isInteger(span) || span < 1 || span > MAX_SPAN) {
    throw new RangeError(`the span of a list is an integer from 1 to ${MAX_SPAN}`);
  }
  return span;
};

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
export const headIn = (list: NumberedList, item: Readonly<Record<string, unknown>> | undefined): Head => {
  const stored = item?.[headAttribute(list)];
  return stored === undefined ? EMPTY_HEAD : headSchema.parse(stored);
};

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

const entriesFrom = (
  store: Store,
  list: NumberedList,
  { at, size, order }: { at: number; size: number; order: Order },
): Promise<Item[]> => {
  const [low, high] = order === 'newest' ? [0, at] : [at, LAST_SEQ];
  return store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
    ExpressionAttributeValues: {
      ':pk': list.pk,
      ':low': entryKey(list, low).sk,
      ':high': entryKey(list, high).sk,
    },
    ScanIndexForward: order === 'oldest',
    Limit: size,
    ConsistentRead: true,
  });
};

/**
 * Reads a page of a list and the list's exact total. Reads are consistent: who has added an entry sees
 * it at once. A page past the end is empty.
 *
 * Others may change the list between the calls. The answer still agrees with itself: a page that is not
 * full is the last one, so it says itself what the total is. Entries that only a newer version can read are left
 * out and counted.
 */
export const readPage = async <S extends ItemSchema>(
  store: Store,
  list: NumberedList,
  { page, size, order = 'newest', head: known }: PageRequest,
  schema: S,
): Promise<{ entries: z.output<S>[]; total: number }> => {
  const skip = (page - 1) * size;
  const read = (at: number) => entriesFrom(store, list, { at, size, order });
  const answer = (head: Head, items: Item[]) => {
    const seen = skip + items.length;
    const total = items.length < size ? seen : Math.max(totalOf(head), seen);
    return { entries: parseListed(schema, items), total };
  };

  if (page === 1) {
    // Where the first page begins does not depend on the head: both calls go out together.
    const end = order === 'newest' ? LAST_SEQ : 0;
    const [head, entries] = await Promise.all([known ?? readHead(store, list), read(end)]);
    return answer(head, entries);
  }
  const head = known ?? (await readHead(store, list));
  const start = await startOf(store, list, head, skip, order);
  if (start === undefined) return { entries: [], total: totalOf(head) };
  // Below zero when everything from there on was removed after the head was read.
  return answer(head, start < 0 ? [] : await read(start));
};
