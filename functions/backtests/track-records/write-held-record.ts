import { LeaseLostError } from '../../../shared/data/backtests/leases.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import type { Runtime } from '../../../shared/runtime.ts';

/**
 * Writes the work on a track record with what depends on items of others, in one transaction, and again if these changed.
 *
 * @param own write of the head, which holds the lease.
 * @param others reads the items of others, and returns their writes.
 * @throws LeaseLostError
 */
export const writeHeldRecord = (
  { store }: Pick<Runtime, 'store'>,
  own: Write,
  others: () => Promise<readonly Write[]>,
): Promise<void> =>
  retryOnConflict(async () => {
    const writes = await others();
    try {
      await store.transact([own, ...writes]);
    } catch (error) {
      if (error instanceof TransactionRefusedError && error.has(own)) throw new LeaseLostError();
      throw error;
    }
  });
