import { types } from 'node:util';
import { InternalError } from './errors.ts';

const MAX_CAUSES = 5;

/** Returns the frames of a stack. They follow the message, which may have several lines. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .split('\n')
    .slice(message.split('\n').length)
    .filter((line) => /^ +at /.test(line))
    .map((line) => line.trim());

/**
 * Describes an unexpected error for the log: the names of the error and its causes, and the stack frames. Only the
 * message of a {@link InternalError} is logged. Messages of libraries may hold values of the request, such as passwords,
 * tokens and e-mail addresses.
 */
export const describeError = (error: unknown): Record<string, unknown> => {
  const names: string[] = [];
  for (let cause = error; cause !== undefined && names.length < MAX_CAUSES; ) {
    names.push(types.isNativeError(cause) ? cause.name : typeof cause);
    cause = types.isNativeError(cause) ? cause.cause : undefined;
  }
  return {
    error_names: names,
    ...(error instanceof InternalError && { fault: error.message }),
    ...(types.isNativeError(error) && { error_frames: framesOf(error) }),
  };
};
