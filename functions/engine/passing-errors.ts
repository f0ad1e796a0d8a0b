import { ChangedMeanwhileError, isContention } from '../../shared/data/numbered-list/retry.ts';
import { NewerRecordError } from '../../shared/data/table/newer-record.ts';
import { ConditionFailedError, TransactionRefusedError } from '../../shared/data/table/store.ts';

/** An account or its deployment changed since they were read. */
export class OutdatedError extends Error {
  constructor(message = 'an account or its deployment has changed') {
    super(message);
    this.name = 'OutdatedError';
  }
}

/** Returns whether another worker changed what was read. Reading it again mends it. */
export const isStale = (error: unknown): boolean =>
  error instanceof OutdatedError ||
  error instanceof TransactionRefusedError ||
  error instanceof ConditionFailedError;

/** Returns whether the SDK threw an error. It adds the number of its attempts to each, also to those of the network. */
const isOfSdk = (error: unknown): boolean => error instanceof Error && '$metadata' in error;

/** Returns whether an error says nothing about the account at which it occurred: a conflict, an outage, a newer record. */
export const isPassing = (error: unknown): boolean =>
  isStale(error) ||
  isContention(error) ||
  error instanceof ChangedMeanwhileError ||
  error instanceof NewerRecordError ||
  isOfSdk(error);
