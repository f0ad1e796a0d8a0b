import { untilUncontended } from './numbered-list-changes.ts';
import { ListContended } from './numbered-list-edit.ts';
import { TransactionRefused } from './store.ts';

/**
 * Runs a read-decide-write until neither its lists nor anything else that it had read was changed by
 * others at the same time. Each round reads anew, so what no round can write it decides by reading.
 *
 * @throws ListContended when others were faster too often.
 */
export const untilUnrefused = <T>(attempt: () => Promise<T>): Promise<T> =>
  untilUncontended(async () => {
    try {
      return await attempt();
    } catch (error) {
      throw error instanceof TransactionRefused ? new ListContended(error) : error;
    }
  });
