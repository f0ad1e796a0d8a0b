import { createECDH, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, importJWK, jwtVerify } from 'jose';
import * as z from 'zod';
import { BodyTooLargeError, readBody, sendJson } from '../gateway/server.ts';
import type { Messages } from './messages.ts';
import { decryptWebPush, type Receiver } from './web-push-decrypt.ts';

/** Path of subscriptions. */
export const PUSH_PATH = '/push/';

/** Minimum message size that all push services accept (RFC 8030, section 7.2). */
const MAX_BODY_BYTES = 4096;
/** RFC 8292, section 2. */
const MAX_TOKEN_LIFE_S = 24 * 3600;
const POINT_BYTES = 65;

/** Payload that the service sends to a service worker. */
const payloadSchema = z.object({ title: z.string(), body: z.string() });

/** Checks the Authorization header of VAPID (RFC 8292). */
const isKnown = async (header: string, origin: string): Promise<boolean> => {
  const { t = '', k = '' } = /^vapid t=(?<t>[\w.-]+), *k=(?<k>[\w-]+)$/.exec(header)?.groups ?? {};
  const point = Buffer.from(k, 'base64url');
  if (point.length !== POINT_BYTES) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
    const { payload } = await jwtVerify(t, key, {
      algorithms: ['ES256'],
      audience: origin,
      requiredClaims: ['exp', 'sub'],
    });
    return (payload.exp ?? 0) * 1000 <= Date.now() + MAX_TOKEN_LIFE_S * 1000;
  } catch (error) {
    // An invalid point causes a DOMException.
    if (error instanceof errors.JOSEError || error instanceof DOMException) return false;
    throw error;
  }
};

/** Stand-in for a browser and its push service (RFC 8030). Shows received messages. */
export interface PushService {
  /** Subscription in the format of `PushManager.subscribe`. */
  readonly subscribe: () => unknown;
  readonly answer: (request: IncomingMessage, response: ServerResponse, id: string) => Promise<void>;
}

/** @param origin address of the push service. */
export const createPushService = (origin: string, messages: Messages): PushService => {
  const receivers = new Map<string, Receiver>();
  return {
    subscribe: () => {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys('base64url');
      const auth = randomBytes(16);
      const id = randomBytes(16).toString('base64url');
      receivers.set(id, { keys, auth });
      return {
        endpoint: `${origin}${PUSH_PATH}${id}`,
        expirationTime: null,
        keys: { p256dh, auth: auth.toString('base64url') },
      };
    },

    answer: async (request, response, id) => {
      const refuse = (status: number, message: string) => sendJson(response, status, { message });
      const { headers } = request;
      let body: Buffer;
      try {
        body = await readBody(request, MAX_BODY_BYTES);
      } catch (error) {
        if (error instanceof BodyTooLargeError) return refuse(413, 'The message is too large');
        throw error;
      }
      const receiver = receivers.get(id);
      if (!receiver) return refuse(410, 'There is no such subscription any more');
      if (!(await isKnown(headers.authorization ?? '', origin))) return refuse(403, 'VAPID is required');
      if (!/^\d+$/.test(String(headers.ttl))) return refuse(400, 'TTL is required');
      if (headers['content-encoding'] !== 'aes128gcm') return refuse(415, 'It is not encrypted as aes128gcm');
      if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) {
        return refuse(400, 'Topic has at most 32 characters of base64url');
      }
      let text: string;
      try {
        text = decryptWebPush(receiver, body).toString('utf8');
      } catch {
        // A real push service accepts the message; only the browser cannot decrypt it.
        text = JSON.stringify({ title: 'A push message that cannot be decrypted', body: '' });
      }
      const { title, body: said } = payloadSchema.parse(JSON.parse(text));
      messages.add({ kind: 'push', to: `the browser ${id}`, subject: title, text: said });
      response.writeHead(201, {
        location: `${origin}${PUSH_PATH}message/${randomBytes(16).toString('base64url')}`,
      });
      response.end();
    },
  };
};
