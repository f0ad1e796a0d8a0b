import * as z from 'zod';
import {
  chunkKey,
  entryKey,
  headAttribute,
  headIn,
  headKey,
  type NumberedList,
  spanOf,
} from './numbered-list.ts';
import { append, chunkOf, countRemoval, goneFrom, type Head, storedHead } from './numbered-list-head.ts';
import { countRemoved, isRemoved, NONE_REMOVED, type Removed, withRemoved } from './numbered-list-removed.ts';
import type { Key, Store, Update, Write } from './store.ts';

type Item = Awaited<ReturnType<Store['getMany']>>[number];

const chunkSchema = z.object({ pk: z.string(), sk: z.string(), removed: z.instanceof(Uint8Array) });

/** Others changed the list at the same time: read again and try again. */
export class ListContended extends Error {
  constructor() {
    super('a list was changed by others at the same time');
    this.name = 'ListContended';
  }
}

/** What has to be read before a list is changed: its head, and the chunks of the entries to remove. */
export const editKeys = (list: NumberedList, removing: readonly number[] = []): Key[] => {
  const chunks = new Set(removing.map((seq) => chunkOf(seq, spanOf(list))));
  return [headKey(list), ...[...chunks].map((chunk) => chunkKey(list, chunk))];
};

/**
 * A change of a list that is being put together: any number of entries added and removed, to be
 * committed in one transaction with whatever else belongs to it. The head alone decides whether the
 * change still fits; chunks and entries need no conditions of their own.
 *
 * @example
 * const seq = await untilUncontended(async () => {
 *   const edit = new ListEdit(list, await store.getMany(editKeys(list), { consistent: true }));
 *   const seq = edit.append({ entity: 'order', order_id: 7 });
 *   await commit(store, [edit], [orderWrite]);
 *   return seq;
 * });
 */
export class ListEdit {
  readonly #list: NumberedList;
  readonly #before: Head | undefined;
  #head: Head;
  readonly #chunks = new Map<string, Removed>();
  readonly #writes = new Map<string, Write>();
  #along: Update | undefined;

  /** @param items what a consistent read of {@link editKeys} found, among any other items. */
  constructor(list: NumberedList, items: readonly Item[]) {
    this.#list = list;
    const { pk, sk } = headKey(list);
    this.#before = headIn(
      list,
      items.find((item) => item?.pk === pk && item.sk === sk),
    );
    this.#head = this.#before;
    for (const item of items) {
      if (item?.pk !== list.pk) continue;
      const chunk = chunkSchema.safeParse(item);
      if (chunk.success) this.#chunks.set(chunk.data.sk, chunk.data.removed);
    }
  }
}
