import { encryptNotification } from '@block65/webcrypto-web-push';
import type { Runtime } from '../runtime.ts';
import { DELIVERY_PATIENCE_MS } from './bounded-fetch.ts';
import { ForbiddenAddress, guardedPost } from './guarded-post.ts';
import { fitted, outcomeOf, type PushNote, type PushOutcome } from './push-note.ts';
import { type PushSubscription, readSubscription } from './push-subscription.ts';
import { UpstreamDown } from './upstream.ts';
import { vapidAuthorization } from './vapid.ts';

const SERVICE = 'the web push service';

/** What a service worker shows: `tag` makes a note take the place of itself. */
const payloadOf = (note: PushNote): Uint8Array => {
  const { deliveryId, title, body, data } = fitted(note);
  return new TextEncoder().encode(JSON.stringify({ title, body, tag: deliveryId, data }));
};

/** Encrypts for a subscription (RFC 8291); undefined where its keys are none. */
const encrypt = async (
  subscription: PushSubscription,
  payload: Uint8Array,
): Promise<Uint8Array | undefined> => {
  try {
    return await encryptNotification({ ...subscription, expirationTime: null }, payload);
  } catch {
    return undefined; // The payload fits, so it is the point or the secret of the subscription.
  }
};

/**
 * Hands a note to the push service of a browser (RFC 8030): encrypted for the subscription, under our
 * VAPID key, and only to a public address.
 *
 * @param key the subscription as JSON.
 * @throws UpstreamDown
 */
export const sendWebPush = async (runtime: Runtime, key: string, note: PushNote): Promise<PushOutcome> => {
  const { HUB_WEB_PUSH_SUBJECT: subject, HUB_WEB_PUSH_REACH: reach } = runtime.capability('push');
  const { vapidPrivateKey } = await runtime.secrets();
  if (vapidPrivateKey === '') return { state: 'refused', reason: 'no key for web push is configured' };
  const subscription = readSubscription(key);
  const body = subscription && (await encrypt(subscription, payloadOf(note)));
  if (!body) return { state: 'gone', reason: 'the subscription has no keys to encrypt for' };
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
    if (error instanceof ForbiddenAddress) return { state: 'gone', reason: error.message };
    throw new UpstreamDown(SERVICE, error);
  }
};
