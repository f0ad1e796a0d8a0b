import type { Item } from '../table/attributes.ts';
import type { Items } from '../table/items.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionContendedError, TransactionRefusedError } from '../table/store.ts';
import type { Key, Update, Write } from '../table/writes.ts';
import { append, chunkOf, goneFrom, type Head, headAfterRemoval } from './list-head.ts';
import { headChange, headCreation, joined } from './list-head-write.ts';
import {
  chunkSchema,
  isRemoved,
  markRemoved,
  NONE_REMOVED,
  type Removed,
  removedCount,
} from './list-removals.ts';
import {
  chunkKey,
  entryKey,
  headAttribute,
  headIn,
  headKey,
  type NumberedList,
  spanOf,
} from './numbered-list.ts';

/** Another writer changed the list at the same time. Read again and retry. */
export class ListContendedError extends Error {
  constructor(cause?: unknown) {
    super('a list was changed by another writer at the same time', { cause });
    this.name = 'ListContendedError';
  }
}

/** Returns the keys to read before changing a list: its head, and the bitmaps of the entries to remove. */
export const editKeys = (list: NumberedList, removing: readonly number[] = []): Key[] => {
  const chunks = new Set(removing.map((seq) => chunkOf(seq, spanOf(list))));
  return [headKey(list), ...[...chunks].map((chunk) => chunkKey(list, chunk))];
};

/**
 * A change of a list: any number of additions and removals, committed in one transaction with other writes.
 * Only the head has a condition, which fails if the change no longer fits; bitmaps and entries need none.
 * Additions and removals conflict with each other only if they are written at the same moment.
 *
 * @example
 * // Moves an entry to the top.
 * await retryOnListConflict(async () => {
 *   const items = await store.getMany(editKeys(list, [seq]), { consistent: true });
 *   const edit = new ListEdit(list, items);
 *   if (!edit.remove(seq)) return undefined;
 *   const moved = edit.append(entry);
 *   await commit(store, [edit], [pointerWrite(moved)]);
 *   return moved;
 * });
 */
export class ListEdit {
  readonly #list: NumberedList;
  readonly #before: Head;
  readonly #exists: boolean;
  readonly #found = new Map<string, Item>();
  readonly #bitmaps = new Map<number, Removed>();
  readonly #entries = new Map<number, Write>();
  #head: Head;
  #holderUpdate: Update | undefined;

  /** @param items result of a consistent read of {@link editKeys}; may include other items. */
  constructor(list: NumberedList, items: Items) {
    this.#list = list;
    for (const item of items) if (item) this.#found.set(`${item.pk}\n${item.sk}`, item);
    const holder = this.#find(headKey(list));
    this.#exists = holder?.[headAttribute(list)] !== undefined;
    this.#before = headIn(list, holder);
    this.#head = this.#before;
  }

  /** Adds an entry after the newest and returns its sequence number. */
  append(entry: Item): number {
    if (this.#list.head && !this.#find(headKey(this.#list))) {
      throw new Error('the item that holds the head of a list does not exist');
    }
    const { head, seq } = append(this.#head);
    this.#head = head;
    this.#entries.set(seq, { put: { ...entry, ...entryKey(this.#list, seq) } });
    return seq;
  }

  /**
   * Removes an entry.
   *
   * @returns false, and nothing changes, if the entry does not exist.
   * @throws ListContendedError if head and bitmap were read at different states.
   */
  remove(seq: number): boolean {
    const span = spanOf(this.#list);
    const chunk = chunkOf(seq, span);
    if (!Number.isInteger(seq) || seq < 0 || seq >= this.#head.next) return false;
    const gone = goneFrom(this.#head, chunk, span);
    if (gone === span) return false;
    const removed = this.#bitmaps.get(chunk) ?? this.#read(chunk);
    // A batch read is not a snapshot: another removal may fall between the reads of head and bitmap.
    if (removedCount(removed) !== gone) throw new ListContendedError();
    const offset = seq - chunk * span;
    if (isRemoved(removed, offset)) return false;
    this.#bitmaps.set(chunk, markRemoved(removed, offset));
    this.#head = headAfterRemoval(this.#head, chunk, span);
    this.#entries.set(seq, { delete: entryKey(this.#list, seq) });
    return true;
  }

  /**
   * Adds an update of the item that holds the head, because a transaction can name an item only once.
   * A failed condition of the update makes the commit throw ListContendedError: decide by what was read instead.
   *
   * @param update expression that begins with SET; placeholder names that begin with `list` are reserved.
   */
  updateHolder(update: Update): void {
    if (!update.update.startsWith('SET ')) {
      throw new TypeError('an update of the item that holds a head must begin with SET');
    }
    this.#holderUpdate = update;
  }

  /** Returns the members of the transaction; empty if nothing changes. */
  writes(): Write[] {
    const { next, gone } = this.#head;
    if (next === this.#before.next && gone === this.#before.gone) {
      return this.#holderUpdate ? [{ key: headKey(this.#list), ...this.#holderUpdate }] : [];
    }
    const head = this.#exists
      ? headChange(this.#list, this.#before, this.#head)
      : headCreation(this.#list, this.#head);
    return [
      { key: headKey(this.#list), ...joined(head, this.#holderUpdate) },
      ...this.#bitmapWrites(),
      ...this.#entries.values(),
    ];
  }

  #find({ pk, sk }: Key): Item | undefined {
    return this.#found.get(`${pk}\n${sk}`);
  }

  #read(chunk: number): Removed {
    const item = this.#find(chunkKey(this.#list, chunk));
    return item ? parseItem(chunkSchema, item).removed : NONE_REMOVED;
  }

  #bitmapWrites(): Write[] {
    const span = spanOf(this.#list);
    return [...this.#bitmaps].map(([chunk, removed]) => {
      const key = chunkKey(this.#list, chunk);
      // A chunk without entries needs no bitmap: the head's count is enough.
      if (goneFrom(this.#head, chunk, span) === span) return { delete: key };
      return { put: { ...key, entity: 'list_removals', removed } };
    });
  }
}

/**
 * Commits list changes and other writes in one transaction; no-op if there is nothing to write.
 *
 * @throws TransactionRefusedError with the refused ones of `others`.
 * @throws ListContendedError if only the condition of a list failed, or the transaction kept conflicting.
 */
export const commit = async (
  store: Store,
  edits: readonly ListEdit[],
  others: readonly Write[] = [],
): Promise<void> => {
  const writes = [...others, ...edits.flatMap((edit) => edit.writes())];
  if (writes.length === 0) return;
  try {
    await store.transact(writes);
  } catch (error) {
    if (error instanceof TransactionRefusedError) {
      const refused = others.filter((write) => error.has(write));
      throw refused.length > 0 ? new TransactionRefusedError(refused) : new ListContendedError(error);
    }
    if (error instanceof TransactionContendedError) throw new ListContendedError(error);
    throw error;
  }
};
