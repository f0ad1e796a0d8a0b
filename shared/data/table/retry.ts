import { HubError } from '../../api/errors.ts';
import { untilUncontended } from '../numbered-list/list-changes.ts';
import { ListContended } from '../numbered-list/list-edit.ts';
import { TransactionContended, TransactionRefusedError } from './store.ts';

/** Whether a transaction failed for what others did at the same time. */
export const isContention = (error: unknown): boolean =>
  error instanceof TransactionRefusedError ||
  error instanceof TransactionContended ||
  error instanceof ListContended;

/**
 * Runs a read-decide-write until neither its lists nor anything else that it had read was changed by
 * others at the same time. Each round reads anew, so what no round can write it decides by reading.
 *
 * @throws HubError changed_meanwhile when others were faster too often.
 */
export const retryOnConflict = async <T>(attempt: () => Promise<T>): Promise<T> => {
  try {
    return await untilUncontended(async () => {
      try {
        return await attempt();
      } catch (error) {
        throw isContention(error) ? new ListContended(error) : error;
      }
    });
  } catch (error) {
    if (!(error instanceof ListContended)) throw error;
    throw new HubError(
      'changed_meanwhile',
      'Too many change the same thing at once. Try again in a moment.',
      {
        retryAfterS: 1,
        cause: error,
      },
    );
  }
};
