import { parseItem } from '../table/parse-item.ts';
import {
  type Key,
  type Store,
  TransactionContended,
  TransactionRefusedError,
  type Update,
  type Write,
} from '../table/store.ts';
import { append, chunkOf, countRemoval, goneFrom, type Head } from './list-head.ts';
import { headChange, headCreation, joined } from './list-head-write.ts';
import {
  chunkSchema,
  countRemoved,
  isRemoved,
  NONE_REMOVED,
  type Removed,
  withRemoved,
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

type Item = Readonly<Record<string, unknown>>;

/** Others changed the list at the same time: read again and try again. */
export class ListContended extends Error {
  constructor(cause?: unknown) {
    super('a list was changed by others at the same time', { cause });
    this.name = 'ListContended';
  }
}

/** What has to be read before a list is changed: its head, and the bitmaps of the entries to remove. */
export const editKeys = (list: NumberedList, removing: readonly number[] = []): Key[] => {
  const chunks = new Set(removing.map((seq) => chunkOf(seq, spanOf(list))));
  return [headKey(list), ...[...chunks].map((chunk) => chunkKey(list, chunk))];
};

/**
 * A change of a list that is being put together: any number of entries added and removed, to be
 * committed in one transaction with whatever else belongs to it. The head alone decides whether the
 * change still fits; bitmaps and entries need no conditions of their own. Additions and removals do not
 * contend with each other beyond the moment in which they are written.
 *
 * @example
 * // Moves an entry to the top.
 * await untilUncontended(async () => {
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
  #along: Update | undefined;

  /** @param items what a consistent read of {@link editKeys} found, among any other items. */
  constructor(list: NumberedList, items: readonly (Item | undefined)[]) {
    this.#list = list;
    for (const item of items) if (item) this.#found.set(`${item.pk}\n${item.sk}`, item);
    const holder = this.#find(headKey(list));
    this.#exists = holder?.[headAttribute(list)] !== undefined;
    this.#before = headIn(list, holder);
    this.#head = this.#before;
  }

  /** Adds an entry behind the newest and answers with its sequence number. */
  append(entry: Item): number {
    if (this.#list.head && !this.#find(headKey(this.#list))) {
      throw new Error('the item that is to hold the head of a list does not exist');
    }
    const { head, seq } = append(this.#head);
    this.#head = head;
    this.#entries.set(seq, { put: { ...entry, ...entryKey(this.#list, seq) } });
    return seq;
  }

  /** Removes an entry; false, and nothing is changed, where there is none. Throws ListContended. */
  remove(seq: number): boolean {
    const span = spanOf(this.#list);
    const chunk = chunkOf(seq, span);
    if (!Number.isInteger(seq) || seq < 0 || seq >= this.#head.next) return false;
    const gone = goneFrom(this.#head, chunk, span);
    if (gone === span) return false;
    const removed = this.#bitmaps.get(chunk) ?? this.#read(chunk);
    // A batch is no snapshot: a removal by others may lie between the head and the bitmap.
    if (countRemoved(removed) !== gone) throw new ListContended();
    const offset = seq - chunk * span;
    if (isRemoved(removed, offset)) return false;
    this.#bitmaps.set(chunk, withRemoved(removed, offset));
    this.#head = countRemoval(this.#head, chunk, span);
    this.#entries.set(seq, { delete: entryKey(this.#list, seq) });
    return true;
  }

  /**
   * Changes the item that holds the head in the same transaction, which can name an item only once.
   * The expression begins with SET; placeholders that begin with `list` are taken. Where the condition
   * does not hold, the commit ends as ListContended too: judge by what was read.
   */
  along(update: Update): void {
    if (!update.update.startsWith('SET ')) throw new TypeError('what goes along with a head begins with SET');
    this.#along = update;
  }

  /** The members of the transaction; none where nothing changes. */
  writes(): Write[] {
    const { next, gone } = this.#head;
    if (next === this.#before.next && gone === this.#before.gone) {
      return this.#along ? [{ key: headKey(this.#list), ...this.#along }] : [];
    }
    const head = this.#exists
      ? headChange(this.#list, this.#before, this.#head)
      : headCreation(this.#list, this.#head);
    return [
      { key: headKey(this.#list), ...joined(head, this.#along) },
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
      // Of a chunk that is gone as a whole, the head's count says all.
      if (goneFrom(this.#head, chunk, span) === span) return { delete: key };
      return { put: { ...key, entity: 'list_removals', removed } };
    });
  }
}

/**
 * Writes list changes and whatever else belongs to them, all or nothing. Throws TransactionRefusedError with
 * positions in `others` when one of their conditions does not hold, else ListContended when a list has
 * moved on.
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
      const refused = error.failed.filter((position) => position < others.length);
      throw refused.length > 0 ? new TransactionRefusedError(refused) : new ListContended(error);
    }
    if (error instanceof TransactionContended) throw new ListContended(error);
    throw error;
  }
};
