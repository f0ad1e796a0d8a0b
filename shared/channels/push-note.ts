import { retryAfterMs } from './retry-after.ts';

/** Push message for a device. */
export interface PushNote {
  /** The same for every attempt, so that a repeat replaces the first note. 32 characters of base64url. */
  readonly deliveryId: string;
  readonly title: string;
  readonly body: string;
  /** Data for the app. */
  readonly data: Readonly<Record<string, string>>;
  /** True if the note wakes a sleeping device. */
  readonly urgent: boolean;
  /** Time that the push service keeps the note for a device that is offline, in seconds. */
  readonly ttlS: number;
}

/** Result of sending a note. */
export type PushOutcome =
  | { readonly state: 'sent' }
  /** The registration is permanently invalid. */
  | { readonly state: 'gone'; readonly reason: string }
  /** Retry later, after `afterMs` if the service sent it. */
  | { readonly state: 'later'; readonly reason: string; readonly afterMs?: number | undefined }
  /** A retry would be refused again. */
  | { readonly state: 'refused'; readonly reason: string };

/** Push services accept messages of 4,096 bytes. The rest is for the envelope. */
const MAX_BYTES = 3_500;
const MAX_TITLE_BYTES = 1_300;

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Cuts a text to a maximum number of bytes in JSON. */
const cut = (text: string, bytes: number): string => {
  if (sizeOf(text) <= bytes) return text;
  let kept = '';
  let size = sizeOf('…');
  for (const character of text) {
    size += sizeOf(character) - 2;
    if (size > bytes) break;
    kept += character;
  }
  return `${kept}…`;
};

/** Cuts the title and the body of a note so that they fit into a push message together with the data. */
export const fitted = (note: PushNote): PushNote => {
  const title = cut(note.title, MAX_TITLE_BYTES);
  return { ...note, title, body: cut(note.body, MAX_BYTES - sizeOf({ title, data: note.data })) };
};

/** Converts the status of a push service to an outcome, except those that concern the registration. */
export const outcomeOf = (
  service: string,
  { status, retryAfter }: { readonly status: number; readonly retryAfter: string | undefined },
  now: Date,
  code = '',
): PushOutcome => {
  if (status >= 200 && status < 300) return { state: 'sent' };
  const reason = `${service} answered ${status}${code && ` ${code}`}`;
  const isPassing = status === 408 || status === 429 || status >= 500;
  return isPassing
    ? { state: 'later', reason, afterMs: retryAfterMs(retryAfter, now) }
    : { state: 'refused', reason };
};
