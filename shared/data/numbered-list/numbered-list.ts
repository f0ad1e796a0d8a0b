import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import type { ItemSchema } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import { EMPTY_HEAD, type Head, headSchema, locate, MAX_SPAN, type Order, totalOf } from './list-head.ts';
import { chunkSchema, NONE_REMOVED, seqInChunk } from './list-removals.ts';

/**
 * A list with numbered pages that all cost the same to read.
 *
 * Entries are items of one partition, sorted by a dense sequence number. A removed entry leaves a hole in the
 * numbering: the head counts the holes per chunk of `span` numbers, and a chunk with holes has a bitmap of them.
 * The first number of a page follows from the head and at most one bitmap, and one Query from there reads exactly
 * the entries of the page.
 *
 * Costs of reading: at most 3 calls for a page (head, bitmap, Query), 2 if the chunk in which the page begins has
 * no holes; page 1 takes one round trip. Adding writes head and entry; removing writes head, bitmap and entry.
 *
 * Size of the head: 2 bytes per chunk between the first that still has entries and the last that has holes. With
 * the default span of 6,144 it is 300 bytes at a million numbers and fits one write unit (1 KB) up to about 2.7
 * million. At 10 million, with removals all over the list, it would be 3.3 KB, and adding would cost 10 units
 * instead of 4. A larger list needs a larger span: with 28,672 one read unit (4 KB) still covers the bitmap and the
 * head fits 1 KB up to 13 million, but removing writes 3.5 KB of bitmap. The head stays small for ever if old
 * entries are removed in order.
 *
 * Limits: every addition and removal writes the head, so a list takes some tens of them a second. Entries must be
 * at most 10 KB, since a page of 100 is one Query, and must not expire.
 */
export interface NumberedList {
  /** Partition of the entries and bitmaps. Sort keys of other items in it must not begin with a digit. */
  readonly pk: string;
  /** Another entity's item that holds the head and is read anyway; by default the head is an item of its own. */
  readonly head?: { readonly key: Key; readonly attribute: string };
  /** Sequence numbers per chunk, at most 65,535. Never change it for a list that has entries. */
  readonly span?: number;
}

export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** Defaults to the newest first. */
  readonly order?: Order;
  /** The head, if the caller has read it (consistently) already: {@link headKey}, {@link headIn}. */
  readonly head?: Head;
}

/** Gives a bitmap of 768 bytes, which fits one write unit with its keys. */
const DEFAULT_SPAN = 6144;
const SEQ_DIGITS = 12;
const LAST_SEQ = 10 ** SEQ_DIGITS - 1;

/**
 * Returns the sequence numbers per chunk of a list.
 *
 * @throws RangeError if the span is out of range.
 */
export const spanOf = ({ span = DEFAULT_SPAN }: NumberedList): number => {
  if (!Number.isInteger(span) || span < 1 || span > MAX_SPAN) {
    throw new RangeError(`the span of a list must be an integer from 1 to ${MAX_SPAN}`);
  }
  return span;
};

/** Returns the key of an entry, for changing it in place. */
export const entryKey = ({ pk }: NumberedList, seq: number): Key => ({
  pk,
  sk: String(seq).padStart(SEQ_DIGITS, '0'),
});

/** Returns the key of the bitmap of a chunk. */
export const chunkKey = ({ pk }: NumberedList, chunk: number): Key => ({ pk, sk: `REMOVED#${chunk}` });

/** Returns the key of the item that holds the head. */
export const headKey = ({ pk, head }: NumberedList): Key => head?.key ?? { pk, sk: 'LIST' };

/** Returns the name of the attribute that holds the head. */
export const headAttribute = ({ head }: NumberedList): string => head?.attribute ?? 'head';

/** Returns the head from the item that holds it; an empty head for a list that never had an entry. */
export const headIn = (list: NumberedList, item: Item | undefined): Head => {
  const stored = item?.[headAttribute(list)];
  return stored === undefined ? EMPTY_HEAD : headSchema.parse(stored);
};

/** Reads the head of a list, consistently. */
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
 * Reads a page of a list and the exact total of the list. Reads are consistent: a caller sees its own additions at
 * once. A page past the end is empty. Damaged entries, and those that only a newer version can read, are omitted but
 * counted.
 *
 * Page and total agree even if others change the list between the calls: a page that is not full is the last one,
 * so the total follows from it.
 *
 * @example
 * const { entries, total } = await readPage(store, EXPLORE_LIST, { page: 2, size: 20 }, cardSchema);
 */
export const readPage = async <S extends ItemSchema>(
  store: Store,
  list: NumberedList,
  { page, size, order = 'newest', head: known }: PageRequest,
  schema: S,
  onDamaged: OnDamaged,
): Promise<{ entries: z.output<S>[]; total: number }> => {
  const skip = (page - 1) * size;
  const read = (at: number) => entriesFrom(store, list, { at, size, order });
  const answer = (head: Head, items: Item[]) => {
    const seen = skip + items.length;
    const total = items.length < size ? seen : Math.max(totalOf(head), seen);
    return { entries: parseReadable(schema, items, placeInList, onDamaged), total };
  };

  if (page === 1) {
    // The start of the first page does not depend on the head, so both calls go out together.
    const end = order === 'newest' ? LAST_SEQ : 0;
    const [head, entries] = await Promise.all([known ?? readHead(store, list), read(end)]);
    return answer(head, entries);
  }
  const head = known ?? (await readHead(store, list));
  const start = await startOf(store, list, head, skip, order);
  if (start === undefined) return { entries: [], total: totalOf(head) };
  // Below zero if every entry from there on was removed after the head was read.
  return answer(head, start < 0 ? [] : await read(start));
};
