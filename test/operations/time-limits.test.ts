import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import * as z from 'zod';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { createCipher } from '../../shared/auth/cipher.ts';
import { ProviderKeys, verifyIdToken } from '../../shared/auth/id-token.ts';
import { AWS_LIMITS } from '../../shared/aws-client.ts';
import { boundedFetch, DELIVERY_PATIENCE_MS } from '../../shared/channels/bounded-fetch.ts';
import { putEvent } from '../../shared/channels/bus.ts';
import { guardedPost } from '../../shared/channels/guarded-post.ts';
import { sendMail } from '../../shared/channels/mail.ts';
import { sendToQueue } from '../../shared/channels/queues.ts';
import { sendSms } from '../../shared/channels/sms.ts';
import { callUpstream, PATIENCE_MS } from '../../shared/channels/upstream.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { readSecrets } from '../../shared/secrets.ts';
import { withWait } from '../support/durations.ts';
import { STALLS, type Stall, type Stalling, startStalling } from '../support/stalling.ts';
import { json, startUpstream } from '../support/upstream.ts';

/** Tolerance in ms, for late timers. */
const SLACK_MS = 1_500;
const NAMES = Object.keys(STALLS) as Stall[];

const environment = { ...process.env };
let server: Stalling;

/** Name of every AWS resource of a runtime. The server stalls a request by the name in its body. */
const resourceOf = (stall: Stall): string => `stall-${NAMES.indexOf(stall)}`;

beforeAll(async () => {
  server = await startStalling(undefined, (body) => NAMES.find((stall) => body.includes(resourceOf(stall))));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: server.url,
  });
});
afterAll(async () => {
  process.env = environment;
  await server.close();
});

const runtimeOf = (resource: string): Runtime =>
  createRuntime({
    HUB_TABLE: resource,
    HUB_STAGE: 'test',
    HUB_PUBLIC_URL: 'https://api.hub.test',
    HUB_SESSION_POLICY: 'optional',
    HUB_SECRET_ID: resource,
    HUB_BUS: resource,
    HUB_MAIL_FROM: `Hub <${resource}@hub.test>`,
    HUB_DATA_KEY_ID: resource,
  });

/** The name of a call's error, its duration, and how long the process waited meanwhile. */
interface Timed {
  readonly name: string;
  readonly ms: number;
  readonly waitedMs: number;
}

const timed = async (call: () => Promise<unknown>): Promise<Timed> => {
  const begun = performance.now();
  const { result: name, waitedMs } = await withWait(() =>
    call().then(
      () => 'no error',
      ({ name }: Error) => name,
    ),
  );
  return { name, ms: performance.now() - begun, waitedMs };
};

const AWS_CALLS: Readonly<
  Record<keyof typeof AWS_LIMITS, (runtime: Runtime, resource: string) => Promise<unknown>>
> = {
  table: (runtime) => runtime.store.get(keys.client('x'), z.object({})),
  secrets: (_runtime, resource) => readSecrets(resource, new Date()),
  dataKeys: (runtime) => createCipher(runtime).seal({ purpose: 'test' }, 'text'),
  bus: (runtime) => putEvent(runtime, { detailType: 'Test', detail: {}, deliveryId: 'd-1' }),
  mail: (runtime) => sendMail(runtime, { to: 'a@hub.test', subject: 's', text: 't', deliveryId: 'd-1' }),
  queue: (_runtime, resource) =>
    sendToQueue(`${server.url}/0/${resource}`, [{ id: 'd-1', body: resource, group: undefined }]),
  sms: (_runtime, resource) => sendSms('+14155552671', resource),
};

interface AwsCall extends Timed {
  readonly stall: Stall;
  readonly service: string;
}

/**
 * Begins all AWS calls, and awaits none. Lets each open its connection before the next one: a busy machine takes longer
 * to begin all than a connection may take.
 */
const beginAws = async (): Promise<Promise<AwsCall>[]> => {
  const begun: Promise<AwsCall>[] = [];
  for (const stall of NAMES) {
    const resource = resourceOf(stall);
    const runtime = runtimeOf(resource);
    for (const [service, call] of Object.entries(AWS_CALLS)) {
      begun.push(timed(() => call(runtime, resource)).then((ended) => ({ stall, service, ...ended })));
      await turn();
    }
  }
  return begun;
};

/** Calls to external services, by the name of their limit. */
const OUTSIDE: readonly [name: string, limitMs: number, call: (url: string) => Promise<unknown>][] = [
  [
    'a call within a request',
    PATIENCE_MS,
    (url) => callUpstream('it', new URL(url), {}, (response) => response.json()),
  ],
  ['a call of a delivery', DELIVERY_PATIENCE_MS, (url) => boundedFetch(url, {})],
  [
    'a call of a delivery within a limit of its own',
    500,
    (url) => boundedFetch(url, { signal: AbortSignal.timeout(500) }),
  ],
];

/** Posts to an address of a user without reading the body. */
const postToUser = (url: string): Promise<unknown> =>
  guardedPost({
    url: new URL(url),
    headers: {},
    body: new Uint8Array(1),
    reach: 'loopback',
    patienceMs: 500,
  });

/** Checks an ID token of a provider whose keys stall. */
const verifyStalled = async (stall: Stall): Promise<Timed> => {
  const provider = await startUpstream(({ url }, response) => {
    if (url.pathname === '/keys') return STALLS[stall](response);
    const document = { issuer: provider.url, jwks_uri: `${provider.url}/keys` };
    json(document)({ method: 'GET', url, headers: {}, body: '', bytes: Buffer.alloc(0) }, response);
  });
  try {
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign((await generateKeyPair('ES256')).privateKey);
    const client = { provider: 'test', name: 'Test', issuer: provider.url, client_id: 'client' };
    return await timed(() =>
      verifyIdToken(new ProviderKeys(), { ...client, algorithms: ['ES256'] }, token, {
        nonce: undefined,
        now: new Date(),
      }),
    );
  } finally {
    await provider.close();
  }
};

/** Makes all external calls at once, each to its own stalling server. */
const callOutside = async (stall: Stall) => {
  const outside = await startStalling();
  outside.stall = stall;
  try {
    const [calls, post, verification] = await Promise.all([
      Promise.all(OUTSIDE.map(([, , call]) => timed(() => call(outside.url)))),
      timed(() => postToUser(outside.url)),
      verifyStalled(stall),
    ]);
    return { calls, post, verification };
  } finally {
    await outside.close();
  }
};

describe('with calls that stall in every way at once', () => {
  let aws: readonly AwsCall[];
  let ended: Map<Stall, Awaited<ReturnType<typeof callOutside>>>;
  beforeAll(async () => {
    const begun = await beginAws();
    const outside = NAMES.map(async (stall) => [stall, await callOutside(stall)] as const);
    ended = new Map(await Promise.all(outside));
    aws = await Promise.all(begun);
  });

  test.each(NAMES)('an AWS service that %s ends a call within its limit', (stall) => {
    for (const [service, { attemptMs, callMs }] of Object.entries(AWS_LIMITS)) {
      const one = aws.find((each) => each.stall === stall && each.service === service);
      expect(one?.name).toMatch(/^(CallTimedOut|TimeoutError)$/);
      expect(one?.ms).toBeGreaterThan(attemptMs - 50);
      expect(one?.waitedMs).toBeLessThan(callMs + SLACK_MS);
    }
  });

  describe.each(NAMES)('an external service that %s', (stall) => {
    test.each(OUTSIDE.map(([name, limitMs], index) => [name, limitMs, index] as const))(
      'ends %s within %d ms',
      (_name, limitMs, index) => {
        const { name, ms, waitedMs } = ended.get(stall)?.calls[index] ?? {};
        expect(name).toMatch(/^(UpstreamDown|TimeoutError)$/);
        expect(ms).toBeGreaterThan(limitMs - 50);
        expect(waitedMs).toBeLessThan(limitMs + SLACK_MS);
      },
    );

    test('ends a post to an address of a user, without reading a body', () => {
      expect(ended.get(stall)?.post.waitedMs).toBeLessThan(500 + SLACK_MS);
    });

    test('ends the check of an ID token whose keys stall', () => {
      expect(ended.get(stall)?.verification.name).toBe('UpstreamDown');
      expect(ended.get(stall)?.verification.waitedMs).toBeLessThan(PATIENCE_MS + SLACK_MS);
    });
  });
});

test('every limit is below the time limit of functions, and three calls of the table fit into a request', () => {
  for (const { name, timeoutS, trigger } of FUNCTIONS) {
    for (const { connectMs, attemptMs, callMs } of Object.values(AWS_LIMITS)) {
      expect(connectMs).toBeLessThan(attemptMs);
      expect(attemptMs).toBeLessThan(callMs);
      expect([name, callMs < timeoutS * 1000]).toEqual([name, true]);
    }
    if (trigger.kind === 'http') expect(3 * AWS_LIMITS.table.callMs).toBeLessThan(timeoutS * 1000);
    if (trigger.kind === 'authorizer') {
      expect(AWS_LIMITS.secrets.callMs + PATIENCE_MS).toBeLessThan(timeoutS * 1000);
    }
  }
});

test('every client and fetch of the functions has limits', () => {
  const sources = ['functions', 'shared'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      // The console runs in browsers, and its requests pass the typed client, which limits each try.
      .filter((file) => !file.startsWith(join('functions', 'console', 'app'))),
  );
  expect(sources.length).toBeGreaterThan(100);
  const unlimited = sources.filter((file) => {
    const source = readFileSync(file, 'utf8');
    const makesClient = /new \w+Client\(/.test(source);
    const fetches =
      /(?<![\w.]|override async )fetch\(/.test(source) && file !== 'shared/channels/bounded-fetch.ts';
    return makesClient || fetches;
  });
  expect(unlimited).toEqual([]);
});
