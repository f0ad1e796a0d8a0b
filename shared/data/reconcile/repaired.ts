import { setTimeout as sleep } from 'node:timers/promises';
import { type Store, TransactionContended, TransactionRefusedError, type Write } from '../table/store.ts';

const MAX_ROUNDS = 8;
/**
 * A query may see a transaction when some of its members are written and others are not yet, which passes
 * within milliseconds. What is still the same after this is no such moment.
 */
const PAUSE_MS = 250;

interface Repair<M> {
  readonly store: Store;
  /** Reads consistently, and tells what is wrong; undefined where nothing is. */
  readonly measure: () => Promise<M | undefined>;
  /** Whether two findings are one, with nothing changed in between. */
  readonly same: (one: M, other: M) => boolean;
  /** What puts it right, where it is still as it was read last: every member that matters says so. */
  readonly writes: (first: M, last: M) => readonly Write[];
}

/**
 * Puts right what is found wrong twice in the same way. Nothing is written over what others have changed
 * since: then it is measured again.
 *
 * @returns `busy` where others changed it every time.
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
        if (!(error instanceof TransactionRefusedError || error instanceof TransactionContended)) throw error;
      }
    }
    first = last;
  }
  return 'busy';
};
