import * as z from 'zod';

/**
 * What a list is, beside its entries. An entry's sequence number is its place in the order in which
 * entries were ever added; it never changes and is never given twice. Removed numbers are counted here
 * per chunk of `span` consecutive numbers, so the chunk in which a page begins follows from the head.
 */
export interface Head {
  /** The sequence number that the next entry gets. */
  readonly next: number;
  /** How many entries were removed. */
  readonly gone: number;
  /** Of the chunks below this one every entry is gone; nothing else is kept about them. */
  readonly base: number;
  /** Entries removed from each chunk, beginning at `base`; zeros at the end are left out. */
  readonly counts: readonly number[];
}

export type Order = 'newest' | 'oldest';

/** Where a page begins: at a sequence number, or at the live entry of a chunk before which `skip` lie. */
export type Place = { readonly at: number } | { readonly chunk: number; readonly skip: number };

/** A count is stored in two bytes. */
export const MAX_SPAN = 0xffff;

export const EMPTY_HEAD: Head = { next: 0, gone: 0, base: 0, counts: [] };

const unpack = (bytes: Uint8Array): number[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 2 }, (_, index) => view.getUint16(index * 2));
};

const pack = (counts: readonly number[]): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(counts.length * 2));
  for (const [index, count] of counts.entries()) view.setUint16(index * 2, count);
  return new Uint8Array(view.buffer);
};

/** A head as it is stored; parsing yields a {@link Head}. */
export const headSchema = z.object({
  next: z.number(),
  gone: z.number(),
  base: z.number(),
  counts: z.instanceof(Uint8Array).transform(unpack),
});

/** The stored form of a head: some 50 bytes, and 2 bytes for each chunk up to the last with a removal. */
export const storedHead = ({ next, gone, base, counts }: Head): z.input<typeof headSchema> => ({
  next,
  gone,
  base,
  counts: pack(counts),
});

/** The number of entries. */
export const totalOf = ({ next, gone }: Head): number => next - gone;

/** The chunk that a sequence number belongs to. */
export const chunkOf = (seq: number, span: number): number => Math.floor(seq / span);

/** How many entries of a chunk are gone. */
export const goneFrom = (head: Head, chunk: number, span: number): number =>
  chunk < head.base ? span : (head.counts[chunk - head.base] ?? 0);

/** Gives the next sequence number to a new entry. */
export const append = (head: Head): { readonly head: Head; readonly seq: number } => ({
  head: { ...head, next: head.next + 1 },
  seq: head.next,
});

/** Counts one entry of a chunk as gone. */
export const countRemoval = (head: Head, chunk: number, span: number): Head => {
  const counts = [...head.counts];
  while (counts.length <= chunk - head.base) counts.push(0);
  counts[chunk - head.base] = goneFrom(head, chunk, span) + 1;
  let emptied = 0;
  while (counts[emptied] === span) emptied++;
  return { ...head, gone: head.gone + 1, base: head.base + emptied, counts: counts.slice(emptied) };
};

/** How many sequence numbers of a chunk have been given. */
export const givenIn = ({ next }: Head, chunk: number, span: number): number =>
  Math.min(span, next - chunk * span);

/**
 * Finds the entry before which `skip` entries lie in the given order; undefined past the end. It looks
 * at counts only: one for each chunk between the list's end and the page, which for a million entries
 * is a loop of 163 steps.
 */
export const locate = (head: Head, skip: number, order: Order, span: number): Place | undefined => {
  if (skip >= totalOf(head)) return undefined;
  const last = chunkOf(head.next - 1, span);
  let left = skip;
  for (let step = 0; step <= last - head.base; step++) {
    const chunk = order === 'newest' ? last - step : head.base + step;
    const given = givenIn(head, chunk, span);
    const gone = goneFrom(head, chunk, span);
    if (left < given - gone) {
      // Where nothing is skipped in the chunk, the Query itself passes over what is gone.
      if (gone > 0 && left > 0) return { chunk, skip: left };
      return { at: order === 'newest' ? chunk * span + given - 1 - left : chunk * span + left };
    }
    left -= given - gone;
  }
  throw new Error('the counts of a list do not add up to its total');
};
