import { HubError } from '../../api/errors.ts';
import { untilUncontended } from '../numbered-list/list-changes.ts';
import { ListContended } from '../numbered-list/list-edit.ts';
import { TransactionContended, TransactionRefusedError } from './store.ts';

/** Returns whether an error means that another writer changed the same items at the same time. */
export const isContention = (error: unknown): boolean =>
  error instanceof TransactionRefusedError ||
  error instanceof TransactionContended ||
  error instanceof ListContended;

/**
 * Runs a read-decide-write cycle and repeats it when another writer changed the items meanwhile.
 * Every attempt must read everything it decides on, because earlier reads are out of date.
 *
 * @param attempt reads, decides and writes; runs up to 24 times within 12 seconds.
 * @throws HubError changed_meanwhile if every attempt met other writers.
 * @example
 * await retryOnConflict(async () => {
 *   const strategy = await findStrategy(store, id);
 *   if (!strategy) return 'unknown';
 *   await store.transact([renameWrite(strategy, name)]);
 *   return 'renamed';
 * });
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
    throw new HubError('changed_meanwhile', 'Too many changes at the same time. Try again in a moment.', {
      retryAfterS: 1,
      cause: error,
    });
  }
};
