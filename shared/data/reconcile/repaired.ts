import { setTimeout as sleep } from 'node:timers/promises';
import { type Store, TransactionContendedError, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const MAX_ROUNDS = 8;
/**
 * Pause before the second measurement. A Query may see a transaction half written for some milliseconds; a difference
 * that is still there after the pause is a real one.
 */
const PAUSE_MS = 250;

interface Repair<M> {
  readonly store: Store;
  /** Reads consistently and returns the difference; undefined if there is none. */
  readonly measure: () => Promise<M | undefined>;
  /** Returns whether two differences are equal, with no change in between. */
  readonly same: (one: M, other: M) => boolean;
  /** Returns the correction; each member must check that the item is as last read. */
  readonly writes: (first: M, last: M) => readonly Write[];
}

/**
 * Corrects a difference that two measurements find the same. Measures again if others changed the items meanwhile.
 *
 * @returns `busy` if others changed them in each of 8 rounds.
 */
export const repaired = async <M>({
  store,
  measure,
  same,
  writes,
}: Repair<M>): Promise<'right' | 'repaired' | 'busy'> => {
  let first = await measure();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (first === undefined) return 'right';
    await sleep(PAUSE_MS);
    const last = await measure();
    if (last !== undefined && same(first, last)) {
      try {
        await store.transact(writes(first, last));
        return 'repaired';
      } catch (error) {
        if (!(error instanceof TransactionRefusedError || error instanceof TransactionContendedError))
          throw error;
      }
    }
    first = last;
  }
  return 'busy';
};
