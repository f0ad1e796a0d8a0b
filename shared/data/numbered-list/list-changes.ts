import { setTimeout as sleep } from 'node:timers/promises';
import type { Item } from '../table/attributes.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { commit, editKeys, ListContendedError, ListEdit } from './list-edit.ts';
import type { NumberedList } from './numbered-list.ts';

const MAX_ROUNDS = 24;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** A request may run for 20 s; after this time the caller gets an error instead of another attempt. */
const PATIENCE_MS = 12_000;

/**
 * Runs a change of lists and repeats it when another writer changed a list meanwhile. Each attempt must read again.
 * Pauses are random within a span that doubles each time, which lets a hundred simultaneous writers through in a few
 * seconds.
 *
 * @throws ListContendedError after 24 attempts or 12 seconds.
 */
export const retryOnListConflict = async <T>(
  change: () => Promise<T>,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<T> => {
  const started = performance.now();
  for (let round = 1; ; round++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ListContendedError)) throw error;
      if (round === MAX_ROUNDS || performance.now() - started > PATIENCE_MS) throw error;
    }
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** round));
  }
};

/**
 * Adds an entry to a list, together with other writes, in one transaction.
 *
 * @param others builds the other writes from the sequence number of the new entry.
 * @returns the sequence number, needed to change or remove the entry later.
 * @throws TransactionRefusedError with the refused ones of the other writes.
 */
export const addEntry = (
  store: Store,
  list: NumberedList,
  entry: Item,
  others: (seq: number) => readonly Write[] = () => [],
): Promise<number> =>
  retryOnListConflict(async () => {
    const edit = new ListEdit(list, await store.getMany(editKeys(list), { consistent: true }));
    const seq = edit.append(entry);
    await commit(store, [edit], others(seq));
    return seq;
  });

/**
 * Removes an entry from a list, together with other writes, in one transaction.
 *
 * @returns false, and nothing is written, if the entry does not exist.
 * @throws TransactionRefusedError with the refused ones of the other writes.
 */
export const removeEntry = (
  store: Store,
  list: NumberedList,
  seq: number,
  others: readonly Write[] = [],
): Promise<boolean> =>
  retryOnListConflict(async () => {
    const edit = new ListEdit(list, await store.getMany(editKeys(list, [seq]), { consistent: true }));
    if (!edit.remove(seq)) return false;
    await commit(store, [edit], others);
    return true;
  });
