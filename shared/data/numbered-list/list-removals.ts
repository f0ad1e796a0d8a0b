import * as z from 'zod';
import { givenIn, type Head, type Order } from './list-head.ts';

/** Bitmap of the removed numbers of one chunk; trailing zero bytes are omitted. */
export type Removed = Uint8Array;

/** Schema of the item that holds the bitmap of a chunk. */
export const chunkSchema = z.object({ removed: z.instanceof(Uint8Array) });

export const NONE_REMOVED: Removed = new Uint8Array(0);

/** Returns whether the entry at an offset within the chunk is removed. */
export const isRemoved = (removed: Removed, offset: number): boolean =>
  ((removed[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0;

/** Marks the entry at an offset within the chunk as removed. */
export const markRemoved = (removed: Removed, offset: number): Removed => {
  const marked = new Uint8Array(Math.max(removed.length, (offset >> 3) + 1));
  marked.set(removed);
  marked[offset >> 3] = (marked[offset >> 3] ?? 0) | (1 << (offset & 7));
  return marked;
};

/** Counts the removed entries of the chunk. */
export const removedCount = (removed: Removed): number => {
  let count = 0;
  for (const byte of removed) for (let bits = byte; bits !== 0; bits &= bits - 1) count++;
  return count;
};

/**
 * Finds the sequence number of the entry that follows `skip` remaining entries of a chunk. If the bitmap has more
 * removals than the head counted, the result may be the first number outside the chunk.
 */
export const seqInChunk = (
  head: Head,
  removed: Removed,
  { chunk, skip }: { readonly chunk: number; readonly skip: number },
  order: Order,
  span: number,
): number => {
  const given = givenIn(head, chunk, span);
  const step = order === 'newest' ? -1 : 1;
  let offset = order === 'newest' ? given - 1 : 0;
  for (let left = skip; offset >= 0 && offset < given; offset += step) {
    if (!isRemoved(removed, offset) && left-- === 0) break;
  }
  return chunk * span + offset;
};
