import { ChangedMeanwhileError } from '../data/numbered-list/retry.ts';
import { NewerRecordError } from '../data/table/newer-record.ts';
import { HubError, InternalError } from './errors.ts';
import type { Operation } from './operation.ts';

/** A handler threw an error that its operation does not declare. This is a bug, answered with 500. */
class UndeclaredError extends InternalError {
  constructor(operation: Operation, error: HubError) {
    super(`${operation.name} threw ${error.code} without declaring it`, { cause: error });
  }
}

/**
 * Codes that any operation may answer: those of sessions, of API keys and of the terms of the user, and of a record that a
 * newer version wrote.
 */
const IMPLIED = new Set([
  'session_required',
  'session_invalid',
  'session_mismatch',
  'cross_site_refused',
  'api_key_invalid',
  'network_refused',
  'scope_insufficient',
  'email_unproven',
  'step_up_required',
  'recovery_wait',
  'newer_version',
]);

/** Translates an error of the data layer into the refusal that callers get. */
const translated = (thrown: unknown): unknown => {
  if (thrown instanceof NewerRecordError) {
    return new HubError(
      'newer_version',
      'A newer version of the service wrote this. Try again in a minute.',
      {
        retryAfterS: 60,
        cause: thrown,
      },
    );
  }
  if (thrown instanceof ChangedMeanwhileError) {
    return new HubError('changed_meanwhile', 'Too many changes at the same time. Try again in a moment.', {
      retryAfterS: 1,
      cause: thrown,
    });
  }
  return thrown;
};

/** Runs code of a handler. Errors of the data layer become refusals, and refusals must be declared by the operation. */
export const declaring = async <T>(operation: Operation, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (thrown) {
    const error = translated(thrown);
    const isDeclared =
      !(error instanceof HubError) || operation.errors.includes(error.code) || IMPLIED.has(error.code);
    throw isDeclared ? error : new UndeclaredError(operation, error);
  }
};
