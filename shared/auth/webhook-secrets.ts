import { createHmac } from 'node:crypto';
import type { Store } from '../data/table/store.ts';
import type { EndpointState } from '../data/webhooks/endpoint-states.ts';
import type { Runtime } from '../runtime.ts';
import { createCipher } from './cipher.ts';

/** Form of secrets in Standard Webhooks: the prefix, then base64. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Milliseconds for which a replaced secret still signs. */
export const OVERLAP_MS = 24 * 3_600_000;
/** The most opened secrets that a container remembers, for each table. */
const MAX_REMEMBERED = 1_000;

/** Binds a secret to its endpoint, so that it cannot be moved to another one in the table. */
const contextOf = (endpointId: string) => ({ purpose: 'webhook', endpoint: endpointId });

/** Returns a new signing secret: the text that its owner gets once, and the encrypted one to store. */
export const newWebhookSecret = async (
  runtime: Pick<Runtime, 'capability' | 'random'>,
  endpointId: string,
): Promise<{ text: string; sealed: Uint8Array<ArrayBuffer> }> => {
  const text = `${PREFIX}${runtime.random(SECRET_BYTES).toString('base64')}`;
  return { text, sealed: await createCipher(runtime).seal(contextOf(endpointId), text) };
};

const remembered = new WeakMap<Store, Map<string, Buffer>>();

/** Decrypts a secret. Remembers it, as a call of KMS for each event would take longer than signing it. */
const openSecret = async (runtime: Runtime, endpointId: string, sealed: Uint8Array): Promise<Buffer> => {
  const memory = remembered.get(runtime.store) ?? new Map<string, Buffer>();
  remembered.set(runtime.store, memory);
  const name = `${endpointId} ${Buffer.from(sealed).toString('base64')}`;
  const known = memory.get(name);
  if (known) return known;
  const text = await createCipher(runtime).open(contextOf(endpointId), sealed);
  const secret = Buffer.from(text.slice(PREFIX.length), 'base64');
  const [oldest] = memory.keys();
  if (memory.size >= MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
  memory.set(name, secret);
  return secret;
};

/** A message of Standard Webhooks, as it is signed. */
interface Signed {
  readonly id: string;
  readonly body: string;
  readonly now: Date;
}

/**
 * Signs a message with each secret of an endpoint that is valid: HMAC-SHA256 over id, time and body.
 *
 * @returns the headers of Standard Webhooks.
 */
export const signatureHeaders = async (
  runtime: Runtime,
  { endpoint_id: endpointId, secret, previous_secret: previous, previous_until: until = 0 }: EndpointState,
  { id, body, now }: Signed,
): Promise<Record<string, string>> => {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const sealed = previous && until > now.getTime() ? [secret, previous] : [secret];
  const signatures = await Promise.all(
    sealed.map(async (one) => {
      const key = await openSecret(runtime, endpointId, one);
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    }),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
};
