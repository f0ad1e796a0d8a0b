import { createECDH, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import { decryptWebPush } from '../../infra/local/services/web-push-decrypt.ts';
import { completeDelivery } from '../../shared/data/outbox/deliveries.ts';
import type { TestHub } from './hub.ts';
import { outbox } from './people.ts';
import { build, person } from './strategies.ts';
import { report } from './trading.ts';
import { json, type Received, startUpstream, type Upstream } from './upstream.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A service account's key file. */
export const SERVICE_ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'project-1',
  private_key_id: 'key-1',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  client_email: 'push@project-1.iam.gserviceaccount.com',
});

/** Google's token endpoint and Firebase on loopback, by their documentation. */
export interface TestFirebase {
  readonly environment: Readonly<Record<string, string>>;
  /** Received messages, accepted or not. */
  readonly sent: () => { token: string; [field: string]: unknown }[];
  /** Assertions of requests for access tokens. */
  readonly assertions: string[];
  readonly upstream: Upstream;
  /** Answer of the token endpoint that replaces a token. */
  refuseToken: Upstream['answer'] | undefined;
  /** Answer to a message; undefined accepts it. */
  trouble: (token: string) => Upstream['answer'] | undefined;
  /** Invalidates all issued access tokens. */
  readonly revoke: () => void;
}

/** Returns an error of Firebase, by its documentation. */
export const firebaseError =
  (
    status: number,
    code: string,
    {
      errorCode,
      field,
      message = 'a message of Firebase',
      retryAfter,
    }: {
      errorCode?: string;
      field?: string;
      message?: string;
      retryAfter?: string | undefined;
    } = {},
  ): Upstream['answer'] =>
  (_request, response) => {
    const details = [
      ...(errorCode ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] : []),
      ...(field
        ? [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field, description: 'x' }],
            },
          ]
        : []),
    ];
    response.writeHead(status, {
      'content-type': 'application/json; charset=UTF-8',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    });
    response.end(JSON.stringify({ error: { code: status, message, status: code, details } }));
  };

/** Checks an assertion like Google. @throws for an invalid one */
export const checkAssertion = async (assertion: string, audience: string, now: Date): Promise<JWTPayload> => {
  const { payload } = await jwtVerify(assertion, publicKey, {
    algorithms: ['RS256'],
    issuer: 'push@project-1.iam.gserviceaccount.com',
    audience,
    maxTokenAge: 3600,
    requiredClaims: ['exp'],
    currentDate: now,
  });
  return payload;
};

export const startFirebase = async (): Promise<TestFirebase> => {
  let given = 0;
  let good = new Set<string>();
  const upstream = await startUpstream((request, response) => {
    if (request.url.pathname === '/token') {
      if (firebase.refuseToken) return firebase.refuseToken(request, response);
      const form = new URLSearchParams(request.body);
      if (form.get('grant_type') !== GRANT || [...form.keys()].length !== 2) {
        return json({ error: 'invalid_request' }, 400)(request, response);
      }
      firebase.assertions.push(form.get('assertion') ?? '');
      const token = `access-${++given}`;
      good.add(token);
      return json({ access_token: token, expires_in: 3599, token_type: 'Bearer' })(request, response);
    }
    if (!good.has(String(request.headers.authorization).replace('Bearer ', ''))) {
      return firebaseError(401, 'UNAUTHENTICATED')(request, response);
    }
    const { message } = JSON.parse(request.body);
    const name = 'projects/project-1/messages/1';
    return (firebase.trouble(message.token) ?? json({ name }))(request, response);
  });
  const firebase: TestFirebase = {
    environment: { HUB_FCM_URL: upstream.url, HUB_FCM_TOKEN_URL: `${upstream.url}/token` },
    sent: () =>
      upstream.received
        .filter(({ url }) => url.pathname === '/v1/projects/project-1/messages:send')
        .map(({ body }) => JSON.parse(body).message),
    assertions: [],
    upstream,
    refuseToken: undefined,
    trouble: () => undefined,
    revoke: () => {
      good = new Set();
    },
  };
  return firebase;
};

/** Subscription of a browser. */
export interface Browser {
  /** Push key that a client registers. */
  readonly pushKey: string;
  /** Decrypts a message and returns the part that the browser shows. */
  readonly read: (message: Received) => { title: string; body: string; tag: string; data: unknown };
}

/** Subscribes a browser at a push service with a given endpoint. */
export const browserAt = (endpoint: string): Browser => {
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16);
  return {
    pushKey: JSON.stringify({
      endpoint,
      expirationTime: null,
      keys: { p256dh, auth: auth.toString('base64url') },
    }),
    read: ({ bytes }) => JSON.parse(decryptWebPush({ keys, auth }, bytes).toString('utf8')),
  };
};

/** Returns the key of a VAPID header. */
const vapidKey = (point: string): KeyObject => {
  const bytes = Buffer.from(point, 'base64url');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } });
};

/** Checks a VAPID header like a push service. @returns its claims and the key @throws for an invalid one */
export const checkVapid = async (header: string | undefined, audience: string, now: Date) => {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? [];
  const { payload } = await jwtVerify(token, vapidKey(key), {
    algorithms: ['ES256'],
    audience,
    requiredClaims: ['exp', 'sub'],
    currentDate: now,
  });
  return { payload, key };
};

/** Registers a device of a user. */
export const registerDevice = (hub: TestHub, user_id: string, push_key: string) =>
  hub.call('POST /register_push_token', { query: { user_id, push_key } });

/** Returns the push keys of a user's devices, newest first. */
export const devicesOf = async (hub: TestHub, user_id: string): Promise<string[]> => {
  const { body } = await hub.call('GET /get_push_token_web', { query: { user_id } });
  return body.registrations.map(({ push_key }: { push_key: string }) => push_key);
};

/** Creates a user with a notification deployment and an empty outbox. */
export const deployed = async (hub: TestHub, form: Record<string, string> = {}) => {
  const { user_id } = await person(hub);
  const { body: strategy } = await build(hub, { user_id });
  const { body } = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen: strategy.keygen },
    form,
  });
  for (const delivery of await outbox(hub)) await completeDelivery(hub.runtime.store, delivery);
  return { user_id: user_id, deployment_id: Number(body.deployment_id), keygen: String(strategy.keygen) };
};

export const SIGNAL = { symbol: 'AAPL', side: 'buy', price: 101.5, title: 'Buy AAPL', body: 'It crossed.' };

/** Raises a signal. */
export const signal = (hub: TestHub, deployment_id: number, more: Readonly<Record<string, unknown>> = {}) =>
  report(hub, 'Signal Raised', deployment_id, { ...SIGNAL, ...more });
