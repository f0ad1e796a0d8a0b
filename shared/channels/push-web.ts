import { encryptNotification } from '@block65/webcrypto-web-push';
import type { Runtime } from '../runtime.ts';
import { DELIVERY_PATIENCE_MS } from './bounded-fetch.ts';
import { ForbiddenAddressError, guardedPost } from './guarded-post.ts';
import { fitted, outcomeOf, type PushNote, type PushOutcome } from './push-note.ts';
import { type PushSubscription, readSubscription } from './push-subscription.ts';
import { UpstreamDownError } from './upstream.ts';
import { vapidAuthorization } from './vapid.ts';

const SERVICE = 'the web push service';

/** Builds the payload for the service worker. With `tag`, a repeat replaces the first note. */
const payloadOf = (note: PushNote): Uint8Array => {
  const { deliveryId, title, body, data } = fitted(note);
  return new TextEncoder().encode(JSON.stringify({ title, body, tag: deliveryId, data }));
};

/** Encrypts a payload for a subscription (RFC 8291); undefined if the keys of the subscription are invalid. */
const encrypt = async (
  subscription: PushSubscription,
  payload: Uint8Array,
): Promise<Uint8Array | undefined> => {
  try {
    return await encryptNotification({ ...subscription, expirationTime: null }, payload);
  } catch {
    return undefined; // The payload fits, so the point or the secret of the subscription is invalid.
  }
};

/**
 * Sends a note to the push service of a browser (RFC 8030). Encrypts it for the subscription, signs with the VAPID key
 * and sends only to allowed addresses.
 *
 * @param key subscription as JSON.
 * @throws UpstreamDownError
 */
export const sendWebPush = async (runtime: Runtime, key: string, note: PushNote): Promise<PushOutcome> => {
  const { HUB_WEB_PUSH_SUBJECT: subject, HUB_WEB_PUSH_REACH: reach } = runtime.capability('push');
  const { vapidPrivateKey } = await runtime.secrets();
  if (vapidPrivateKey === '') return { state: 'refused', reason: 'no key for web push is configured' };
  const subscription = readSubscription(key);
  const body = subscription && (await encrypt(subscription, payloadOf(note)));
  if (!body) return { state: 'gone', reason: 'the subscription has no valid keys' };
  const url = new URL(subscription.endpoint);
  const now = runtime.clock();
  const headers = {
    authorization: await vapidAuthorization(vapidPrivateKey, { audience: url.origin, subject, now }),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(note.ttlS),
    urgency: note.urgent ? 'high' : 'normal',
    topic: note.deliveryId,
  };
  try {
    const answer = await guardedPost({ url, headers, body, reach, patienceMs: DELIVERY_PATIENCE_MS });
    const { status } = answer;
    if (status === 404 || status === 410) return { state: 'gone', reason: `${SERVICE} answered ${status}` };
    return outcomeOf(SERVICE, answer, now);
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return { state: 'gone', reason: error.message };
    throw new UpstreamDownError(SERVICE, error);
  }
};
