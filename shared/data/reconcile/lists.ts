import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { chunkOf, EMPTY_HEAD, givenIn, goneFrom, type Head, storedHead } from '../numbered-list/list-head.ts';
import { headCreation } from '../numbered-list/list-head-write.ts';
import {
  chunkSchema,
  isRemoved,
  markRemoved,
  NONE_REMOVED,
  type Removed,
} from '../numbered-list/list-removals.ts';
import {
  chunkKey,
  entryKey,
  headAttribute,
  headIn,
  headKey,
  type NumberedList,
  readHead,
  spanOf,
} from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const LAST_SEQ = 10 ** 12 - 1;
/** Beginning of the sort keys of bitmaps. */
const BITMAP = 'REMOVED#';

const entrySchema = z.object({ sk: z.string().transform(Number) });

/** Reads the sequence numbers of existing entries in a range, ends included, in ascending order. */
const seqsBetween = async (
  store: Store,
  list: NumberedList,
  [low, high]: readonly [number, number],
  limit?: { readonly count: number; readonly newest: boolean },
): Promise<number[]> => {
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':pk': list.pk,
        ':low': entryKey(list, low).sk,
        ':high': entryKey(list, high).sk,
      },
      ProjectionExpression: 'sk',
      ConsistentRead: true,
      ...(limit && { Limit: limit.count, ScanIndexForward: !limit.newest }),
    },
    entrySchema,
  );
  return found.map(({ sk }) => sk);
};

/** Normalises a head: no chunk without entries at the beginning, no zero at the end, `gone` equal to the sum. */
const inForm = ({ next, base, counts }: Head, span: number): Head => {
  const whole = counts.findIndex((count) => count !== span);
  const emptied = whole === -1 ? counts.length : whole;
  const kept = counts.slice(emptied, counts.findLastIndex((count) => count !== 0) + 1);
  const gone = (base + emptied) * span + kept.reduce((sum, count) => sum + count, 0);
  return { next, gone, base: base + emptied, counts: kept };
};

/** Returns a head with another number of removed entries in a chunk. */
const withGone = (head: Head, chunk: number, gone: number, span: number): Head => {
  const base = Math.min(head.base, chunk);
  const length = Math.max(head.base + head.counts.length, chunk + 1) - base;
  const counts = Array.from({ length }, (_, index) =>
    base + index === chunk ? gone : goneFrom(head, base + index, span),
  );
  return inForm({ ...head, base, counts }, span);
};

const sameHead = (one: Head, other: Head): boolean =>
  one.next === other.next &&
  one.gone === other.gone &&
  one.base === other.base &&
  one.counts.join() === other.counts.join();

/** Returns the write that replaces a head if it is as read, apart from entries added since. */
const headRepair = (list: NumberedList, before: Head, after: Head): Write => {
  const was = storedHead(before);
  const { next, gone, base, counts } = storedHead(after);
  const moves = next !== was.next;
  const names = { '#l': headAttribute(list), '#g': 'gone', '#b': 'base', '#c': 'counts' };
  return {
    key: headKey(list),
    update: `SET #l.#g = :gone, #l.#b = :base, #l.#c = :counts${moves ? ', #l.#n = :next' : ''}`,
    condition: `#l.#g = :was_gone AND #l.#b = :was_base AND #l.#c = :was_counts${
      moves ? ' AND #l.#n = :was_next' : ''
    }`,
    names: moves ? { ...names, '#n': 'next' } : names,
    values: {
      ':gone': gone,
      ':base': base,
      ':counts': counts,
      ':was_gone': was.gone,
      ':was_base': was.base,
      ':was_counts': was.counts,
      ...(moves && { ':next': next, ':was_next': was.next }),
    },
  };
};

const anyItem = z.record(z.string(), z.unknown());

const headItem = (store: Store, list: NumberedList) =>
  store.get(headKey(list), anyItem, { consistent: true });

/** Returns the head; undefined if it is damaged. */
const readableHead = (list: NumberedList, item: Item | undefined): Head | undefined => {
  try {
    return headIn(list, item);
  } catch (error) {
    if (error instanceof z.ZodError) return undefined;
    throw error;
  }
};

const bitmapSchema = chunkSchema.extend({
  sk: z.string().transform((sk) => Number(sk.slice(BITMAP.length))),
});

/** Returns the highest number that the bitmaps of a list mark as removed; -1 without one. */
const newestRemoved = async (store: Store, list: NumberedList): Promise<number> => {
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :bitmap)',
    ExpressionAttributeValues: { ':pk': list.pk, ':bitmap': BITMAP },
    ConsistentRead: true,
  });
  const numbers = items.map((item) => {
    const { success, data } = bitmapSchema.safeParse(item);
    // A damaged one is made from the entries afterwards.
    if (!success) return -1;
    const offset = Array.from({ length: data.removed.length * 8 }).findLastIndex((_, bit) =>
      isRemoved(data.removed, bit),
    );
    return offset === -1 ? -1 : data.sk * spanOf(list) + offset;
  });
  return Math.max(-1, ...numbers);
};

/**
 * Makes a head from the entries and bitmaps of its list. A removed number is not given again, unless a whole chunk at the end
 * was removed, which has no bitmap.
 */
const madeHead = async (store: Store, list: NumberedList): Promise<Head> => {
  const span = spanOf(list);
  const [seqs, removed] = await Promise.all([
    seqsBetween(store, list, [0, LAST_SEQ]),
    newestRemoved(store, list),
  ]);
  const next = Math.max(seqs.at(-1) ?? -1, removed) + 1;
  const present = new Map<number, number>();
  for (const seq of seqs) present.set(chunkOf(seq, span), (present.get(chunkOf(seq, span)) ?? 0) + 1);
  const head = { ...EMPTY_HEAD, next };
  const counts = Array.from(
    { length: Math.ceil(next / span) },
    (_, chunk) => givenIn(head, chunk, span) - (present.get(chunk) ?? 0),
  );
  return inForm({ ...head, counts }, span);
};

/** Compares the next number with the newest entry, and `gone` with the counts. Makes a damaged head again. */
const measureHead = async (store: Store, list: NumberedList) => {
  const item = await headItem(store, list);
  const stored = item?.[headAttribute(list)];
  const before = readableHead(list, item);
  if (!before) return { stored, before, after: await madeHead(store, list) };
  const [newest = -1] = await seqsBetween(store, list, [0, LAST_SEQ], { count: 1, newest: true });
  const after = inForm({ ...before, next: Math.max(before.next, newest + 1) }, spanOf(list));
  return sameHead(before, after) ? undefined : { stored, before, after };
};

/** Returns the write that replaces a damaged head if it is as read. */
const headReplacement = (list: NumberedList, stored: unknown, after: Head): Write => ({
  key: headKey(list),
  update: 'SET #l = :head',
  condition: '#l = :was',
  names: { '#l': headAttribute(list) },
  values: { ':head': storedHead(after), ':was': stored },
});

const repairHead = (store: Store, list: NumberedList) =>
  repaired({
    measure: () => measureHead(store, list),
    same: (one, other) => isDeepStrictEqual(one.stored, other.stored) && sameHead(one.after, other.after),
    writes: (_, { stored, before, after }) => {
      if (stored === undefined) return [{ key: headKey(list), ...headCreation(list, after) }];
      return [before ? headRepair(list, before, after) : headReplacement(list, stored, after)];
    },
    store,
  });

const bitmapOf = (seqs: readonly number[], first: number, given: number): Removed => {
  const present = new Set(seqs);
  let removed = NONE_REMOVED;
  // Starts at the end, so that the bitmap has its final length at once.
  for (let offset = given - 1; offset >= 0; offset--) {
    if (!present.has(first + offset)) removed = markRemoved(removed, offset);
  }
  return removed;
};

/** Compares head and bitmap of a chunk with its entries. */
const measureChunk = async (store: Store, list: NumberedList, chunk: number) => {
  const span = spanOf(list);
  const head = await readHead(store, list);
  const first = chunk * span;
  const given = givenIn(head, chunk, span);
  if (given <= 0) return undefined;
  const [seqs, item] = await Promise.all([
    seqsBetween(store, list, [first, first + given - 1]),
    store.get(chunkKey(list, chunk), anyItem, { consistent: true }),
  ]);
  const gone = given - seqs.length;
  const counted = goneFrom(head, chunk, span);
  const bitmap = gone === span ? NONE_REMOVED : bitmapOf(seqs, first, given);
  // The bitmap of a chunk without entries is never read.
  const said = gone === span || !item ? NONE_REMOVED : chunkSchema.safeParse(item).data?.removed;
  if (counted === gone && said && Buffer.compare(bitmap, said) === 0) return undefined;
  return { head, given, counted, gone, bitmap };
};

/** Numbers are only assigned and only removed, so equal counts of a chunk mean that nothing changed in between. */
const repairChunk = (store: Store, list: NumberedList, chunk: number) =>
  repaired({
    measure: () => measureChunk(store, list, chunk),
    same: (one, other) =>
      one.given === other.given &&
      one.counted === other.counted &&
      Buffer.compare(one.bitmap, other.bitmap) === 0,
    writes: (_, { head, gone, bitmap }) => {
      const key = chunkKey(list, chunk);
      return [
        headRepair(list, head, withGone(head, chunk, gone, spanOf(list))),
        bitmap.length === 0 ? { delete: key } : { put: { ...key, entity: 'list_removals', removed: bitmap } },
      ];
    },
    store,
  });

/**
 * Compares a list's head and bitmaps with its entries, chunk by chunk, and repairs differences. Each repair is
 * conditional on head and bitmap being as read, so it loses no simultaneous addition or removal.
 *
 * @param from the chunk to continue with; undefined starts the list.
 * @returns the chunk to continue with; undefined at the end.
 */
export const reconcileList = async (
  store: Store,
  list: NumberedList,
  {
    kind,
    from,
    maxChunks,
  }: { readonly kind: string; readonly from: number | undefined; readonly maxChunks: number },
  tally: Tally,
): Promise<number | undefined> => {
  const note = (outcome: Awaited<ReturnType<typeof repairHead>>, where: string): void => {
    if (outcome !== 'right') tally.add(kind, outcome, `${list.pk} ${where}`);
  };
  const span = spanOf(list);
  if (from === undefined) {
    tally.add(kind, 'checked');
    note(await repairHead(store, list), 'head');
  }
  const head = await readHead(store, list);
  const [oldest] = await seqsBetween(store, list, [0, LAST_SEQ], { count: 1, newest: false });
  const start = from ?? Math.min(head.base, oldest === undefined ? head.base : chunkOf(oldest, span));
  const end = Math.ceil(head.next / span);
  const stop = Math.min(end, start + maxChunks);
  for (let chunk = start; chunk < stop; chunk++) {
    note(await repairChunk(store, list, chunk), `chunk ${chunk}`);
  }
  return stop < end ? stop : undefined;
};
