/** What a device is told. */
export interface PushNote {
  /** The same for every attempt: a note that arrives again takes the place of itself. 32 characters of base64url. */
  readonly deliveryId: string;
  readonly title: string;
  readonly body: string;
  /** For the app. */
  readonly data: Readonly<Record<string, string>>;
  /** Whether a sleeping device is woken for it. */
  readonly urgent: boolean;
  /** Seconds for which the push service keeps it for a device that is off. */
  readonly ttlS: number;
}

/** How a push service took a note. */
export type PushOutcome =
  | { readonly state: 'sent' }
  /** The registration leads nowhere and never will again. */
  | { readonly state: 'gone'; readonly reason: string }
  /** Worth trying again, not before `afterMs` where the service says so. */
  | { readonly state: 'later'; readonly reason: string; readonly afterMs?: number | undefined }
  /** The same would be refused again. */
  | { readonly state: 'refused'; readonly reason: string };

/** Push services take messages of 4,096 bytes, with what is around the text. */
const MAX_BYTES = 3_500;
const MAX_TITLE_BYTES = 1_300;

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** As much of a text as takes so many bytes as JSON. */
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

/** A note whose texts are cut, where need be, so that title, body and data fit into a push message. */
export const fitted = (note: PushNote): PushNote => {
  const title = cut(note.title, MAX_TITLE_BYTES);
  return { ...note, title, body: cut(note.body, MAX_BYTES - sizeOf({ title, data: note.data })) };
};

/** How long a service asks to be left alone (RFC 9110, section 10.2.3), in milliseconds. */
const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : undefined;
};

/** What any push service's status means, beyond those that say something of the registration. */
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
