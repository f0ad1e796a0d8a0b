import { types } from 'node:util';
import { Fault } from './errors.ts';

const MAX_CAUSES = 5;

/** The frames of a stack: what follows the message, which may have several lines of its own. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .split('\n')
    .slice(message.split('\n').length)
    .filter((line) => /^ +at /.test(line))
    .map((line) => line.trim());

/**
 * What a log may say of an unexpected error: the names along its causes and where it was thrown. Never a
 * message but our own: libraries put values into theirs, and values of requests are passwords, tokens and e-mails.
 */
export const describeError = (error: unknown): Record<string, unknown> => {
  const names: string[] = [];
  for (let cause = error; cause !== undefined && names.length < MAX_CAUSES; ) {
    names.push(types.isNativeError(cause) ? cause.name : typeof cause);
    cause = types.isNativeError(cause) ? cause.cause : undefined;
  }
  return {
    error_names: names,
    ...(error instanceof Fault && { fault: error.message }),
    ...(types.isNativeError(error) && { error_frames: framesOf(error) }),
  };
};
