import { TransactionContendedError, TransactionRefusedError } from '../table/store.ts';
import { retryOnListConflict } from './list-changes.ts';
import { ListContendedError } from './list-edit.ts';

/** Every attempt of a change conflicted with other writers. Nothing was written. */
export class ChangedMeanwhileError extends Error {
  constructor(cause: unknown) {
    super('a change conflicted with other writers in every attempt', { cause });
    this.name = 'ChangedMeanwhileError';
  }
}

/** Returns whether an error means that another writer changed the same items at the same time. */
export const isContention = (error: unknown): boolean =>
  error instanceof TransactionRefusedError ||
  error instanceof TransactionContendedError ||
  error instanceof ListContendedError;

/**
 * Runs a read-decide-write cycle and repeats it when another writer changed the items meanwhile.
 * Every attempt must read everything it decides on, because earlier reads are out of date.
 *
 * @param attempt reads, decides and writes; runs up to 24 times within 12 seconds.
 * @throws ChangedMeanwhileError if every attempt met other writers.
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
    return await retryOnListConflict(async () => {
      try {
        return await attempt();
      } catch (error) {
        throw isContention(error) ? new ListContendedError(error) : error;
      }
    });
  } catch (error) {
    if (!(error instanceof ListContendedError)) throw error;
    throw new ChangedMeanwhileError(error);
  }
};
