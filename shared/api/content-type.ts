import { type ApiEvent, hasContentType } from './api-event.ts';
import { ValidationError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { SentBody } from './request.ts';
import type { ValidationDetail } from './validation-detail.ts';

const MEDIA_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const;

interface Unread {
  /** The media type that the operation takes. */
  readonly expected: string;
  readonly isMissing: boolean;
}

/** Returns a value if the body was not parsed, because its content type is missing or is not the operation's. */
const unreadBody = (
  { input }: Operation,
  event: ApiEvent,
  sent: SentBody | undefined,
): Unread | undefined => {
  const kind = input.form ? 'form' : input.json ? 'json' : undefined;
  if (kind === undefined || !sent?.text) return undefined;
  const isMissing = !hasContentType(event);
  // A body without a content type is parsed as JSON. If it is still a string, it was not JSON or not an object.
  const isRead =
    sent.parser === 'text' || (sent.parser === kind && !(isMissing && typeof event.body === 'string'));
  return isRead ? undefined : { expected: MEDIA_TYPES[kind], isMissing };
};

/** Builds the entry that explains why the body was not parsed. */
const entryOf = ({ expected, isMissing }: Unread): ValidationDetail => ({
  loc: ['header', 'content-type'],
  msg: `the body has ${isMissing ? 'no' : 'another'} content type: send it as ${expected}`,
  type: isMissing ? 'value_error.missing' : 'value_error.content_type',
  ctx: { expected },
});

const acceptPost = ({ expected }: Unread): Record<string, string> => ({ 'accept-post': expected });

/** The content type of the body is wrong or missing, and the request is otherwise valid. */
class UnreadBodyError extends ValidationError {
  constructor(unread: Unread) {
    super([entryOf(unread)], acceptPost(unread));
    this.name = 'UnreadBodyError';
  }
}

/** Adds the content type to a validation error if the body was not parsed because of it. */
export const explainContentType = (
  operation: Operation,
  event: ApiEvent,
  { sent, error }: { readonly sent: SentBody | undefined; readonly error: ValidationError },
): ValidationError => {
  const unread = unreadBody(operation, event, sent);
  if (!unread || error instanceof UnreadBodyError) return error;
  // The contract fixes the entries for a body of another type, so only the header can explain it.
  const entries = unread.isMissing ? [entryOf(unread), ...error.detail] : error.detail;
  return new ValidationError(entries, acceptPost(unread));
};

/**
 * Refuses a body that would be ignored. Without this check, a form whose fields are all optional would be accepted.
 * Does nothing for operations with their own answer 400.
 *
 * @throws UnreadBodyError
 */
export const refuseIgnoredBody = (operation: Operation, event: ApiEvent, sent: SentBody): void => {
  const unread = unreadBody(operation, event, sent);
  if (unread && !operation.answers[400]) throw new UnreadBodyError(unread);
};
