import fc from 'fast-check';
import {
  append,
  chunkOf,
  EMPTY_HEAD,
  type Head,
  headAfterRemoval,
  headSchema,
  locate,
  type Order,
  storedHead,
  totalOf,
} from '../../../shared/data/numbered-list/list-head.ts';
import {
  isRemoved,
  markRemoved,
  NONE_REMOVED,
  type Removed,
  removedCount,
  seqInChunk,
} from '../../../shared/data/numbered-list/list-removals.ts';

/** A list as the table would store it after every change, with the plain array that it must equal. */
class Shadowed {
  head: Head = EMPTY_HEAD;
  readonly bitmaps = new Map<number, Removed>();
  live: number[] = [];
  bitmapReads = 0;
  readonly span: number;

  constructor(span: number) {
    this.span = span;
  }

  add(): void {
    const { head, seq } = append(this.head);
    this.head = head;
    this.live.push(seq);
  }

  /** Removes the entries of a range, given as fractions of the list’s length. */
  removeStretch(from: number, length: number): void {
    const start = Math.floor(from * this.live.length);
    for (const seq of this.live.splice(start, Math.ceil(length * this.live.length))) {
      const chunk = chunkOf(seq, this.span);
      const removed = this.bitmaps.get(chunk) ?? NONE_REMOVED;
      this.bitmaps.set(chunk, markRemoved(removed, seq % this.span));
      this.head = headAfterRemoval(this.head, chunk, this.span);
    }
  }

  /** Computes a page like readPage: its first number, then the entries that a Query finds from there. */
  page(page: number, size: number, order: Order): number[] {
    const place = locate(this.head, (page - 1) * size, order, this.span);
    if (!place) return [];
    const start = 'at' in place ? place.at : this.startIn(place, order);
    const found = order === 'newest' ? this.live.toReversed() : this.live;
    return found.filter((seq) => (order === 'newest' ? seq <= start : seq >= start)).slice(0, size);
  }

  expected(page: number, size: number, order: Order): number[] {
    const all = order === 'newest' ? this.live.toReversed() : this.live;
    return all.slice((page - 1) * size, page * size);
  }

  private startIn(place: { chunk: number; skip: number }, order: Order): number {
    this.bitmapReads++;
    return seqInChunk(this.head, this.bitmaps.get(place.chunk) ?? NONE_REMOVED, place, order, this.span);
  }
}

const part = fc.double({ min: 0, max: 1, noNaN: true });
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ from: part, length: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ from: part, length: part }) },
);
const request = fc.record({
  page: fc.integer({ min: 1, max: 30 }),
  size: fc.integer({ min: 1, max: 12 }),
  order: fc.constantFrom<Order>('newest', 'oldest'),
});

const perform = (list: Shadowed, step: { add: number } | { from: number; length: number }): void => {
  if ('add' in step) for (let added = 0; added < step.add; added++) list.add();
  else list.removeStretch(step.from, Math.max(step.length, 1 / (list.live.length || 1)));
};

describe('a numbered list', () => {
  test('has the pages and total of a plain array after any additions and removals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.tuple(action, request), { maxLength: 25 }),
        (span, steps) => {
          const list = new Shadowed(span);
          for (const [step, { page, size, order }] of steps) {
            perform(list, step);
            expect(totalOf(list.head)).toBe(list.live.length);
            expect(list.page(page, size, order)).toEqual(list.expected(page, size, order));
          }
          const pages = Math.ceil(list.live.length / 7);
          for (let page = 1; page <= pages + 1; page++) {
            expect(list.page(page, 7, 'newest')).toEqual(list.expected(page, 7, 'newest'));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('is read back from the table unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(action, { maxLength: 15 }), (span, steps) => {
        const list = new Shadowed(span);
        for (const step of steps) perform(list, step);
        expect(headSchema.parse(storedHead(list.head))).toEqual(list.head);
      }),
    );
  });

  test('reads a bitmap only for a page that begins within a chunk with removals', () => {
    const list = new Shadowed(10);
    for (let added = 0; added < 40; added++) list.add();
    list.removeStretch(12 / 40, 1 / 40);
    list.page(1, 10, 'newest');
    list.page(2, 10, 'newest');
    list.page(3, 10, 'newest');
    expect(list.bitmapReads).toBe(0);
    list.page(8, 3, 'newest');
    expect(list.bitmapReads).toBe(1);
  });

  test('drops the oldest chunks once they are empty', () => {
    const list = new Shadowed(10);
    for (let added = 0; added < 1000; added++) list.add();
    list.removeStretch(0, 0.95);
    expect(list.head).toEqual({ next: 1000, gone: 950, base: 95, counts: [] });
    expect(list.page(2, 20, 'newest')).toEqual(list.expected(2, 20, 'newest'));
  });

  test('has a head of less than 1 KB at a million entries with removals everywhere', () => {
    let head: Head = { ...EMPTY_HEAD, next: 1_000_000 };
    for (let seq = 0; seq < 1_000_000; seq += 1000) head = headAfterRemoval(head, chunkOf(seq, 6144), 6144);
    expect(storedHead(head).counts.byteLength).toBe(326);
    expect(totalOf(head)).toBe(999_000);
  });

  test('has no page beyond its end, for any page number', () => {
    const head = { ...EMPTY_HEAD, next: 3 };
    expect(locate(head, 3, 'newest', 10)).toBeUndefined();
    expect(locate(head, Number.MAX_VALUE * 100, 'newest', 10)).toBeUndefined();
    expect(locate(EMPTY_HEAD, 0, 'oldest', 10)).toBeUndefined();
  });

  test('leaves a chunk with more removals than its head counted', () => {
    const head = { ...EMPTY_HEAD, next: 20, gone: 1, counts: [0, 1] };
    const bitmap = [11, 12, 13, 14, 15, 16, 17, 18, 19].reduce(
      (removed, seq) => markRemoved(removed, seq - 10),
      NONE_REMOVED,
    );
    expect(seqInChunk(head, bitmap, { chunk: 1, skip: 4 }, 'newest', 10)).toBe(9);
    expect(seqInChunk(head, bitmap, { chunk: 1, skip: 4 }, 'oldest', 10)).toBe(20);
  });
});

describe('the bitmap of a chunk', () => {
  test('contains exactly the removed entries', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 200 })), (offsets) => {
        const removed = offsets.reduce(markRemoved, NONE_REMOVED);
        expect(removedCount(removed)).toBe(offsets.length);
        for (let offset = 0; offset <= 210; offset++) {
          expect(isRemoved(removed, offset)).toBe(offsets.includes(offset));
        }
      }),
    );
  });
});
