import { type ApiEvent, hasContentType } from './api-event.ts';
import { ValidationError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { ValidationDetail } from './validation-detail.ts';

const MEDIA_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const;

interface Unread {
  /** The media type that the operation takes. */
  readonly expected: string;
  readonly isMissing: boolean;
}

/** Says that a body came and was not read, as its content type is not the operation's or is missing. */
const unreadBody = ({ input }: Operation, event: ApiEvent): Unread | undefined => {
  const kind = input.form ? 'form' : input.json ? 'json' : undefined;
  if (kind === undefined || !event.arrived?.body) return undefined;
  const isMissing = !hasContentType(event);
  // A body without a type is tried as JSON; a text that remains was none, or is no object.
  const isRead = event.arrived.parser === kind && !(isMissing && typeof event.body === 'string');
  return isRead ? undefined : { expected: MEDIA_TYPES[kind], isMissing };
};

/** The entry that says why a body was not read. */
const entryOf = ({ expected, isMissing }: Unread): ValidationDetail => ({
  loc: ['header', 'content-type'],
  msg: `the body has ${isMissing ? 'no' : 'another'} content type: send it as ${expected}`,
  type: isMissing ? 'value_error.missing' : 'value_error.content_type',
  ctx: { expected },
});

const acceptPost = ({ expected }: Unread): Record<string, string> => ({ 'accept-post': expected });

/** A body was not read, and nothing else is wrong with the request. */
class UnreadBodyError extends ValidationError {
  constructor(unread: Unread) {
    super([entryOf(unread)], acceptPost(unread));
    this.name = 'UnreadBodyError';
  }
}

/** Adds to a refusal that the body was not read for its content type, where that is so. */
export const explainContentType = (
  operation: Operation,
  event: ApiEvent,
  error: ValidationError,
): ValidationError => {
  const unread = unreadBody(operation, event);
  if (!unread || error instanceof UnreadBodyError) return error;
  // The contract fixes the entries for a body of another type: only the header can say more.
  const entries = unread.isMissing ? [entryOf(unread), ...error.detail] : error.detail;
  return new ValidationError(entries, acceptPost(unread));
};

/**
 * Refuses a body that would be ignored, as every field of the form may be missing. An operation that prescribes
 * its own answer to a malformed request gives that one.
 *
 * @throws UnreadBodyError
 */
export const refuseIgnoredBody = (operation: Operation, event: ApiEvent): void => {
  const unread = unreadBody(operation, event);
  if (unread && !operation.answers[400]) throw new UnreadBodyError(unread);
};
