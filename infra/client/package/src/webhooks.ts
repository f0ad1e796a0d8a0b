import { HubWebhookError } from './errors.ts';

/** Event of a webhook. */
export interface WebhookEvent {
  /** Stable id of the event: the same for every repeat. */
  readonly id: string;
  readonly type: string;
  /** Time of the change. ISO-8601 UTC. */
  readonly timestamp: string;
  readonly deployment_id?: number;
  /** Counts the events of a deployment without gaps. */
  readonly sequence?: number;
  /** Public name of the user; for brokers only. */
  readonly user_key?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Received request. The body is the bytes or the text as they arrived, not parsed JSON. */
export interface WebhookRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
}

export interface WebhookOptions {
  /** Largest difference between the time of sending and now, in seconds; 300 by default. */
  readonly toleranceS?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';

const fail = (reason: string): never => {
  throw new HubWebhookError(`the webhook is refused: ${reason}`);
};

const headerOf = ({ headers }: WebhookRequest, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' && value !== '' ? value : fail(`the header ${name} is missing`);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const keyOf = async (secret: string) => {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes || bytes.length === 0) throw new HubWebhookError('the secret of the webhook is not base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

const isEvent = (value: unknown): value is Omit<WebhookEvent, 'id'> =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'timestamp' in value &&
  typeof value.timestamp === 'string' &&
  'data' in value &&
  typeof value.data === 'object' &&
  value.data !== null;

/**
 * Verifies a webhook by the Standard Webhooks specification, and returns its event. Uses WebCrypto, so it runs in
 * browsers, workers and Node. Remember the ids of handled events: an event can arrive again.
 *
 * @param secrets secret of the endpoint (`whsec_…`). During a rotation, requests are signed with the old one and the
 * new one.
 * @throws HubWebhookError for a wrong signature, an old or future time, or a body that is no event.
 *
 * @example
 * const event = await verifyWebhook(secret, { headers: request.headers, body: await request.text() });
 */
export const verifyWebhook = async (
  secrets: string | readonly string[],
  request: WebhookRequest,
  { toleranceS = TOLERANCE_S, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookEvent> => {
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const signatures = headerOf(request, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) fail('webhook-timestamp is not a time');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceS)
    fail('it was sent too long ago, or in the future');
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const presented = signatures.split(' ').flatMap((entry) => {
    const [version, signature = ''] = entry.split(',');
    return version === 'v1' ? (bytesOf(signature) ?? []) : [];
  });
  const keys = await Promise.all((typeof secrets === 'string' ? [secrets] : secrets).map(keyOf));
  const checks = await Promise.all(
    keys.flatMap((key) => presented.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed))),
  );
  if (!checks.includes(true)) fail('no signature is right');
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    fail('the body is not JSON');
  }
  return isEvent(event) ? { ...event, id } : fail('the body is no event');
};
