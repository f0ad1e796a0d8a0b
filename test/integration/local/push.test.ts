import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { createAws } from '../../../infra/local/services/aws.ts';
import { UNREGISTERED_TOKEN } from '../../../infra/local/services/firebase.ts';
import { loadKey } from '../../../infra/local/services/kms.ts';
import { createMessages, type Messages } from '../../../infra/local/services/messages.ts';
import { createPushService, type PushService } from '../../../infra/local/services/push-service.ts';
import { loadSecret } from '../../../infra/local/services/secrets.ts';
import { sendPush } from '../../../shared/channels/push.ts';
import type { PushNote } from '../../../shared/channels/push-note.ts';
import { vapidAuthorization } from '../../../shared/channels/vapid.ts';
import { startHub, type TestHub } from '../../support/hub.ts';

const key = loadKey('alias/hub-local', undefined);
const secret = loadSecret(undefined);
const value = secret.versions[0]?.value ?? {};
const { fcm_service_account: fcmServiceAccount = '', vapid_private_key: vapidPrivateKey = '' } = value;
const NOTE: PushNote = {
  deliveryId: 'd'.repeat(32),
  title: 'Buy AAPL',
  body: 'It crossed.',
  data: { kind: 'signal_buy' },
  urgent: true,
  ttlS: 60,
};

let server: LocalServer;
let origin: string;
let messages: Messages;
let pushService: PushService;
let hub: TestHub;

beforeAll(async () => {
  server = await openServer();
  origin = `http://127.0.0.1:${server.port}`;
  hub = await startHub();
});
afterAll(async () => {
  await hub.close();
  await server.close();
});
beforeEach(() => {
  messages = createMessages(() => undefined);
  pushService = createPushService(origin, messages);
  server.serve(createAws({ messages, secret: () => secret, secretId: 'hub/local', key, pushService }));
});

/** Returns the service as `npm start` runs it, with the real time and the engine's secrets. */
const runtimeWith = (secrets: Parameters<TestHub['withSecrets']>[0] = {}) => {
  const { runtime } = hub
    .with({
      HUB_FCM_URL: origin,
      HUB_FCM_TOKEN_URL: `${origin}/oauth2/token`,
      HUB_WEB_PUSH_REACH: 'loopback',
    })
    .withSecrets({ fcmServiceAccount, vapidPrivateKey, ...secrets });
  return { ...runtime, clock: () => new Date() };
};

describe('Firebase', () => {
  it('shows what our adapter sends', async () => {
    const device = { kind: 'fcm', push_key: 'a-registration-token-of-a-phone' } as const;
    expect(await sendPush(runtimeWith(), device, NOTE)).toEqual({ state: 'sent' });
    expect(messages.list()).toMatchObject([
      { kind: 'push', to: 'the app a-registration-token-of-…', subject: 'Buy AAPL', text: 'It crossed.' },
    ]);
  });

  it('reports an app that was uninstalled', async () => {
    const device = { kind: 'fcm', push_key: UNREGISTERED_TOKEN } as const;
    expect(await sendPush(runtimeWith(), device, NOTE)).toMatchObject({ state: 'gone' });
    expect(messages.list()).toEqual([]);
  });

  it('issues no token to another service account', async () => {
    const other = loadSecret(undefined).versions[0]?.value.fcm_service_account ?? '';
    const device = { kind: 'fcm', push_key: 'phone' } as const;
    expect(await sendPush(runtimeWith({ fcmServiceAccount: other }), device, NOTE)).toEqual({
      state: 'later',
      reason: 'no access token for Firebase: invalid_grant',
    });
  });

  it.each([
    ['nothing', '', 'unsupported_grant_type'],
    ['no assertion', 'grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer', 'invalid_grant'],
    ['nonsense', 'grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=a.b.c', 'invalid_grant'],
  ])('issues no token for %s', async (_what, body, error) => {
    const response = await fetch(`${origin}/oauth2/token`, { method: 'POST', body });
    expect([response.status, await response.json()]).toMatchObject([400, { error }]);
  });

  it('refuses a message without a token', async () => {
    const response = await fetch(`${origin}/v1/projects/strategy-hub-local/messages:send`, {
      method: 'POST',
      headers: { authorization: 'Bearer guess' },
      body: '{}',
    });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { error: { status: 'UNAUTHENTICATED' } },
    ]);
  });
});

describe('the web push service', () => {
  const subscribed = () => {
    const subscription = JSON.parse(JSON.stringify(pushService.subscribe()));
    return { endpoint: String(subscription.endpoint), push_key: JSON.stringify(subscription) };
  };
  const send = (push_key: string) => sendPush(runtimeWith(), { kind: 'web_push', push_key }, NOTE);

  it('shows what our adapter sends, decrypted', async () => {
    expect(await send(subscribed().push_key)).toEqual({ state: 'sent' });
    expect(messages.list()).toMatchObject([
      { kind: 'push', to: expect.stringContaining('the browser '), subject: 'Buy AAPL', text: 'It crossed.' },
    ]);
  });

  it('forgets its subscriptions at a restart', async () => {
    const { push_key } = subscribed();
    pushService = createPushService(origin, messages);
    server.serve(createAws({ messages, secret: () => secret, secretId: 'hub/local', key, pushService }));
    expect(await send(push_key)).toMatchObject({ state: 'gone' });
  });

  const good = async (): Promise<Record<string, string>> => ({
    authorization: await vapidAuthorization(vapidPrivateKey, {
      audience: origin,
      subject: 'mailto:a@example.com',
      now: new Date(),
    }),
    'content-encoding': 'aes128gcm',
    ttl: '10',
  });
  const forged = async () => {
    const { authorization = '' } = await good();
    const token = await new SignJWT({ aud: origin, sub: 'mailto:a@example.com' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(randomBytes(32));
    return { authorization: authorization.replace(/t=[^,]+/, `t=${token}`) };
  };
  const elsewhere = async () => ({
    authorization: await vapidAuthorization(vapidPrivateKey, {
      audience: 'https://push.example',
      subject: 'mailto:a@example.com',
      now: new Date(),
    }),
  });

  it.each<[string, () => Promise<Record<string, string>>, number, number]>([
    ['without VAPID', async () => ({ authorization: '' }), 100, 403],
    ['with a forged token', forged, 100, 403],
    ['for another push service', elsewhere, 100, 403],
    [
      'under a key that is none',
      async () => ({ authorization: `vapid t=a.b.c, k=${'B'.repeat(87)}` }),
      100,
      403,
    ],
    ['without TTL', async () => ({ ttl: '' }), 100, 400],
    ['in clear', async () => ({ 'content-encoding': 'identity' }), 100, 415],
    ['under a long topic', async () => ({ topic: 'a'.repeat(33) }), 100, 400],
    ['that is too large', async () => ({}), 4097, 413],
  ])('refuses a message %s', async (_what, headers, size, status) => {
    const response = await fetch(subscribed().endpoint, {
      method: 'POST',
      headers: { ...(await good()), ...(await headers()) },
      body: randomBytes(size),
    });
    expect(response.status).toBe(status);
    expect(messages.list()).toEqual([]);
  });

  it('accepts a message that cannot be decrypted, and shows that', async () => {
    const { endpoint } = subscribed();
    const body = randomBytes(200);
    const response = await fetch(endpoint, { method: 'POST', headers: await good(), body });
    expect(response.status).toBe(201);
    expect(messages.list()).toMatchObject([{ subject: 'A push message that cannot be decrypted' }]);
  });
});
