import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { OPERATIONS } from '../../functions/operations.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { SECRETS, startHub, type TestHub } from '../support/hub.ts';
import { bearer, freshEmail, furnish, PASSWORD, signUp } from '../support/people.ts';

let runs = 0;

/** Operations that show the effect of the stack around a handler. */
const common = { caller: 'anyone', summary: 'For the tests', table: 'read', errors: [] } as const;
const query = z.object({ secret: z.string().optional() });
const PROBES = [
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/fault',
    name: 'fault',
    input: { query },
    output: z.object({}),
    handler: async ({ query: { secret } }) => {
      throw new Error(`the database said ${secret}`, { cause: new Error(`${secret}`) });
    },
  }),
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/undeclared',
    name: 'undeclared',
    input: {},
    output: z.object({}),
    handler: async () => {
      throw new HubError('email_taken', 'not declared');
    },
  }),
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/mismatch',
    name: 'mismatch',
    input: {},
    output: z.object({ n: z.number().max(1) }),
    handler: async () => ({ n: 2 }),
  }),
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/spread',
    name: 'spread',
    input: {},
    output: z.object({ open: z.string() }),
    handler: async () => ({ open: 'yes', password_hash: 'secret' }),
  }),
  defineOperation({
    ...common,
    method: 'POST',
    path: '/probe/count',
    name: 'count',
    input: { query },
    output: z.object({ runs: z.number() }),
    handler: async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 30);
      });
      return { runs: ++runs };
    },
  }),
  defineOperation({
    ...common,
    method: 'POST',
    path: '/probe/fails',
    name: 'fails',
    input: {},
    output: z.object({}),
    handler: async () => {
      runs++;
      throw new Error('a fault');
    },
  }),
  defineOperation({
    ...common,
    method: 'GET',
    path: '/probe/user',
    name: 'probe_user',
    caller: 'user',
    input: { query: z.object({ user_id: z.string() }) },
    output: z.object({ name: z.string() }),
    errors: ['user_unknown'],
    handler: async (_input, call) => ({ name: (await call.user()).name }),
  }),
];

const saying = async ({ secret }: { secret: string }): Promise<never> => {
  throw new Error(`could not store ${secret}`);
};
PROBES.push(
  defineOperation({
    ...common,
    method: 'POST',
    path: '/probe/of-user',
    name: 'probe_of_user',
    caller: 'user',
    input: { query: z.object({ user_id: z.string() }) },
    output: z.object({ runs: z.number() }),
    handler: async () => ({ runs: ++runs }),
  }),
  defineOperation({
    ...common,
    method: 'POST',
    path: '/probe/json',
    name: 'probe_json',
    input: { json: z.object({ secret: z.string() }) },
    output: z.object({}),
    handler: ({ json }) => saying(json),
  }),
  defineOperation({
    ...common,
    method: 'POST',
    path: '/probe/form',
    name: 'probe_form',
    input: { form: z.object({ secret: z.string() }) },
    output: z.object({}),
    handler: ({ form }) => saying(form),
  }),
);

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub([...OPERATIONS, ...PROBES]);
  await furnish(hub);
});
afterAll(() => hub.close());

test('a request is logged with its route, status, id and the truncated address of its caller', async () => {
  hub.log.length = 0;
  const { status } = await hub.call('GET /health', { sourceIp: '198.51.100.7' });
  expect(hub.log).toEqual([
    {
      level: 'info',
      message: 'request',
      extra: {
        route: 'GET /health',
        status,
        version: '$LATEST',
        duration_ms: expect.any(Number),
        request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        address: '198.51.100.0/24',
      },
    },
  ]);
  hub.log.length = 0;
});

describe('a fault', () => {
  test('is a 500 with only the request id, and its log holds no value of the request', async () => {
    const { status, body } = await hub.call('GET /probe/fault', {
      query: { secret: 'p4ssw0rd-in-a-query' },
      headers: { authorization: 'Bearer s3cr3t' },
      sourceIp: '2001:db8:1:2::3',
    });
    expect(status).toBe(500);
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'request_id']);
    const [line] = hub.log.splice(0);
    expect(line).toMatchObject({
      level: 'error',
      extra: {
        route: 'GET /probe/fault',
        status: 500,
        request_id: body.request_id,
        address: '2001:db8:1::/48',
        error_names: ['Error', 'Error'],
      },
    });
    expect(JSON.stringify(line)).toContain('stack.test.ts');
    expect(JSON.stringify(line)).not.toContain('p4ssw0rd');
  });

  test.each(['json', 'form', 'base64 form', 'base64 json'])(
    'of a request with a body as %s logs no value of it',
    async (kind) => {
      const secret = 'hunter2-in-a-body';
      const text = kind.includes('json') ? JSON.stringify({ secret }) : `secret=${secret}`;
      const type = kind.includes('json') ? 'application/json' : 'application/x-www-form-urlencoded';
      const base64 = kind.startsWith('base64');
      const { status } = await hub.call(kind.includes('json') ? 'POST /probe/json' : 'POST /probe/form', {
        body: base64 ? Buffer.from(text).toString('base64') : text,
        base64,
        headers: { 'content-type': type },
      });
      expect(status).toBe(500);
      expect(JSON.stringify(hub.log.splice(0))).not.toContain(secret);
    },
  );

  test.each([['GET /probe/undeclared'], ['GET /probe/mismatch']])(
    'of ours is a 500 too: %s',
    async (routeKey) => {
      expect((await hub.call(routeKey)).status).toBe(500);
    },
  );
});

test('fields that an output does not declare are dropped', async () => {
  expect((await hub.call('GET /probe/spread')).body).toEqual({ open: 'yes' });
});

test('every answer forbids caching and sniffing', async () => {
  const { headers } = await hub.call('GET /health');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
});

describe('a session that accompanies a call', () => {
  const probe = (hubUnder: TestHub, user_id: string, headers = {}) =>
    hubUnder.call('GET /probe/user', { query: { user_id }, headers });

  test('is optional, must be valid, and must be of the user', async () => {
    const [{ body: user }, { body: other }] = [await signUp(hub), await signUp(hub)];
    expect((await probe(hub, user.user_id)).status).toBe(200);
    hub.takeCalls();
    expect((await probe(hub, user.user_id, bearer(user.access_token))).status).toBe(200);
    expect(hub.takeCalls()).toEqual(['GetItem']);
    const mismatch = await probe(hub, user.user_id, bearer(other.access_token));
    expect([mismatch.status, mismatch.body.code]).toEqual([403, 'session_mismatch']);
    const invalid = await probe(hub, user.user_id, bearer('nonsense'));
    expect([invalid.status, invalid.body.code]).toEqual([401, 'session_invalid']);
    expect((await probe(hub, 'nobody')).body.code).toBe('user_unknown');
  });

  test('is needed if the policy requires it', async () => {
    const strict = hub.with({ HUB_SESSION_POLICY: 'require' });
    const { body: user } = await signUp(strict);
    const { status, body } = await probe(strict, user.user_id);
    expect([status, body.code]).toEqual([401, 'session_required']);
    expect((await probe(strict, user.user_id, bearer(user.access_token))).status).toBe(200);
  });

  test('is ignored by public operations, as an old cookie comes with every sign-in', async () => {
    const { body: user } = await signUp(hub);
    const again = await hub.call('POST /login', {
      form: { username: user.email, password: PASSWORD },
      cookies: ['session=old'],
    });
    expect(again.status).toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  const post = (key: string, secret?: string, routeKey = 'POST /probe/count') =>
    hub.call(routeKey, {
      headers: { 'Idempotency-Key': key },
      ...(secret !== undefined && { query: { secret } }),
    });

  test('repeats the answer of a repeated request, for 24 hours', async () => {
    const first = await post('k-1');
    const again = await post('k-1');
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    hub.advance(24 * 3_600_000 + 1000);
    expect((await post('k-1')).body).not.toEqual(first.body);
  });

  test('used with another request is a 422', async () => {
    const of = (secret: string) =>
      hub.call('POST /probe/of-user', {
        query: { user_id: 'somebody', secret },
        headers: { 'idempotency-key': 'k-2' },
      });
    await of('one');
    const { status, body } = await of('two');
    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'idempotency-key']]);
  });

  test('of 20 parallel requests lets one run, and the others get a 409', async () => {
    const before = runs;
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('k-3')));
    expect(runs).toBe(before + 1);
    for (const { status, body } of answers)
      expect(status === 200 || body.code === 'request_in_flight').toBe(true);
  });

  test('of a request that failed is free again', async () => {
    const before = runs;
    expect((await post('k-4', undefined, 'POST /probe/fails')).status).toBe(500);
    expect((await post('k-4', undefined, 'POST /probe/fails')).status).toBe(500);
    expect(runs).toBe(before + 2);
  });

  test('opens answers that were sealed before the keys were rotated', async () => {
    const first = await post('k-6');
    const [old] = SECRETS.masters;
    const rotated = hub.rotated(['the next master secret, just as long', old]);
    const again = await rotated.call('POST /probe/count', { headers: { 'Idempotency-Key': 'k-6' } });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('ignores cookies and tokens that the operation does not use', async () => {
    const { body: user } = await signUp(hub);
    const send = (cookie: string, token: string) =>
      hub.call('POST /probe/of-user', {
        query: { user_id: user.user_id },
        headers: { 'idempotency-key': 'k-7', ...bearer(token) },
        cookies: [cookie],
      });
    const first = await send('_ga=1', user.access_token);
    const { body: renewed } = await hub.call('POST /session/relogin', {
      headers: bearer(user.refresh_token),
    });
    const again = await send('_ga=2', renewed.access_token);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('is separate for different callers who choose the same one', async () => {
    const one = { form: { email: freshEmail(), password: PASSWORD }, headers: { 'idempotency-key': '1' } };
    const other = { form: { email: freshEmail(), password: PASSWORD }, headers: { 'idempotency-key': '1' } };
    expect((await hub.call('POST /register_login', one)).status).toBe(200);
    expect((await hub.call('POST /register_login', other)).status).toBe(200);
  });

  test('of a request that crashed is free again when the request cannot be running', async () => {
    const { claimKey } = await import('../../shared/data/table/idempotency.ts');
    const claim = { scope: 's', key: 'k', request: 'r' };
    const at = (ms: number) => ({ ...claim, now: new Date(hub.runtime.clock().getTime() + ms) });
    expect((await claimKey(hub.runtime.store, at(0))).state).toBe('mine');
    expect((await claimKey(hub.runtime.store, at(34_000))).state).toBe('in_flight');
    expect((await claimKey(hub.runtime.store, at(36_000))).state).toBe('mine');
  });

  test('replays cookies and tokens, which the table does not hold in clear', async () => {
    const request = {
      form: { email: freshEmail(), password: PASSWORD },
      headers: { 'idempotency-key': 'k-5' },
    };
    const first = await hub.call('POST /register_login', request);
    const again = await hub.call('POST /register_login', request);
    expect([again.text, again.cookies]).toEqual([first.text, first.cookies]);
    expect(again.body.is_new_user).toBe(true);
  });

  test.each(['', 'ü', 'x'.repeat(256)])('%j is malformed', async (key) => {
    expect((await post(key)).status).toBe(422);
  });
});

describe('dummy users', () => {
  const create = (name: string) => hub.call('POST /users', { json: { name, email: 'dummy@example.com' } });

  test('are created, listed newest first, and removed', async () => {
    const { body: one } = await create('One');
    hub.advance(1);
    const { body: two } = await create('Two');
    expect((await hub.call('GET /users')).body.slice(0, 2)).toEqual([two, one]);
    expect((await hub.call('DELETE /users/{id}', { params: { id: one.id } })).body).toEqual({
      id: one.id,
      removed: true,
    });
    expect((await hub.call('DELETE /users/{id}', { params: { id: one.id } })).status).toBe(404);
    expect((await hub.call('GET /users')).body[0]).toEqual(two);
  });

  test('are at most a hundred: the oldest is removed', async () => {
    for (let n = 0; n < 101; n++) {
      hub.advance(1);
      await create(`User ${n}`);
    }
    const { body } = await hub.call('GET /users');
    expect(body).toHaveLength(100);
    expect([body[0].name, body[99].name]).toEqual(['User 100', 'User 1']);
  });
});
