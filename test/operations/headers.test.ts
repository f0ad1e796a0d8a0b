import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startHub, type TestHub } from '../support/hub.ts';
import { bearer, furnish, signUp } from '../support/people.ts';

let hub: TestHub;
let user: { user_id: string; access_token: string };
beforeAll(async () => {
  hub = await startHub();
  await furnish(hub);
  ({ body: user } = await signUp(hub));
});
afterAll(() => hub.close());

const limited = (more: Readonly<Record<string, string>> = {}): TestHub =>
  hub.with({
    HUB_RATE_LIMITS: JSON.stringify({
      window_s: 10,
      credential: { read: 3, write: 2, work: 1 },
      network: { read: 5, write: 4, work: 2 },
    }),
    ...more,
  });

const lists = (under: TestHub, headers: Readonly<Record<string, string>> = {}, userId = user.user_id) =>
  under.call('GET /get_strategies_by_user', { query: { user_id: userId }, headers });

describe('rate limits', () => {
  test('are off without the setting', async () => {
    const { headers } = await lists(hub, bearer(user.access_token));
    expect(headers).not.toHaveProperty('ratelimit');
    expect(headers).not.toHaveProperty('ratelimit-policy');
  });

  test('show what is left, and refuse with Retry-After until the window ends', async () => {
    const under = limited();
    const mine = bearer(user.access_token);
    const answers = await Promise.all([lists(under, mine), lists(under, mine), lists(under, mine)]);
    expect(answers.map(({ status, headers }) => [status, headers.ratelimit]).toSorted()).toEqual([
      [200, '"read";r=0;t=10'],
      [200, '"read";r=1;t=10'],
      [200, '"read";r=2;t=10'],
    ]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"read";q=3;w=10');
    hub.takeCalls();
    const refused = await lists(under, mine);
    expect([refused.status, refused.body.code, hub.takeCalls()]).toEqual([429, 'rate_limited', []]);
    expect(refused.headers).toMatchObject({ 'retry-after': '10', ratelimit: '"read";r=0;t=10' });
    const written = await under.call('POST /read_deployment_notifications', {
      query: { user_id: user.user_id },
      headers: mine,
    });
    expect(written.headers.ratelimit).toBe('"write";r=1;t=10');
    hub.advance(10_000);
    expect((await lists(under, mine)).status).toBe(200);
  });

  test('count a request that runs a backtest again as work, and others of the same operation as reads', async () => {
    const under = limited();
    const query = { user_id: user.user_id, backtest_id: '1' };
    const mine = bearer(user.access_token);
    const policies: (string | undefined)[] = [];
    for (const full of ['false', 'true', 'false']) {
      const answer = await under.call('GET /get_backtest', { query: { ...query, full }, headers: mine });
      policies.push(answer.headers['ratelimit-policy']?.split(';', 1)[0]);
    }
    expect(policies).toEqual(['"read"', '"work"', '"read"']);
  });

  test('of a session are its own: the user_id alone, which has a quota once it was valid, does not use them up', async () => {
    const under = limited();
    expect((await lists(under)).headers.ratelimit).toBe('"network-read";r=4;t=10');
    for (const left of [2, 1, 0]) {
      expect((await lists(under)).headers.ratelimit).toBe(`"read";r=${left};t=10`);
    }
    expect((await lists(under)).status).toBe(429);
    const owner = await lists(under, bearer(user.access_token));
    expect([owner.status, owner.headers.ratelimit]).toEqual([200, '"read";r=2;t=10']);
  });

  test('of a session are not used up by a platform token that the user_id alone made', async () => {
    const under = limited();
    const { body: owner } = await signUp(hub);
    const query = { user_id: owner.user_id };
    const { body: made } = await hub.call('POST /generate_token', { query });
    for (let i = 0; i < 3; i++) await lists(under, bearer(made.token), owner.user_id);
    const own = await lists(under, bearer(owner.access_token), owner.user_id);
    expect([own.status, own.headers.ratelimit]).toEqual([200, '"read";r=2;t=10']);
    const { body: signed } = await hub.call('POST /generate_token', {
      query,
      headers: bearer(owner.access_token),
    });
    expect((await lists(under, bearer(signed.token), owner.user_id)).headers.ratelimit).toBe(
      '"read";r=1;t=10',
    );
  });

  test('make invented credentials share the quota of their network, and nobody else’s', async () => {
    const under = limited();
    const { body: other } = await signUp(hub);
    for (let i = 0; i < 5; i++) expect((await lists(under, {}, `invented-${i}`)).status).toBe(404);
    expect((await lists(under, {}, 'invented-5')).status).toBe(429);
    expect((await lists(under, bearer(other.access_token), other.user_id)).status).toBe(200);
    const elsewhere = await under.call('GET /get_strategy_categories', { sourceIp: '203.0.113.9' });
    expect(elsewhere.headers.ratelimit).toBe('"network-read";r=4;t=10');
  });

  test('count a session that is not valid for nobody', async () => {
    const under = limited();
    expect((await lists(under, bearer('forged'))).headers).not.toHaveProperty('ratelimit');
    expect((await lists(under, bearer(user.access_token))).headers.ratelimit).toBe('"read";r=2;t=10');
  });

  test('name the stored budget that refused a request, and the quota that is left', async () => {
    const wrong = (under: TestHub) =>
      under.call('POST /login', { form: { username: 'nobody@hub.example', password: 'wrong-password' } });
    for (let i = 0; i < 5; i++) expect((await wrong(hub)).status).toBe(401);
    const refused = await wrong(limited());
    const wait = refused.headers['retry-after'];
    expect([refused.status, refused.headers.ratelimit]).toEqual([
      429,
      `"network-write";r=3;t=10, "too_many_attempts";r=0;t=${wait}`,
    ]);
    expect(refused.body.code).toBe('too_many_attempts');
  });

  test('of an integrator are those of its broker', async () => {
    const under = limited();
    const read = (broker: string) =>
      under.call('GET /broker/get_user_strategies', {
        query: { user_email: 'nobody@hub.example' },
        authorized: { broker, expires_at: 4_102_444_800, scope: 'broker:read' },
      });
    expect((await read('harbour')).headers.ratelimit).toBe('"read";r=2;t=10');
    expect((await read('harbour')).headers.ratelimit).toBe('"read";r=1;t=10');
    expect((await read('lagoon')).headers.ratelimit).toBe('"read";r=2;t=10');
  });
});

describe('a public list', () => {
  test.each([
    ['GET /get_strategy_categories', 'public, max-age=30'],
    ['GET /get_strategy_templates', 'public, max-age=3600'],
    ['GET /blloo', 'public, max-age=60'],
    ['GET /.well-known/jwks.json', 'public, max-age=300'],
    ['GET /.well-known/oauth-protected-resource', 'public, max-age=300'],
    ['GET /.well-known/oauth-authorization-server', 'public, max-age=300'],
    ['GET /get_explore_strategies', 'private, no-cache'],
    ['GET /get_b2c_brokers', 'private, no-cache'],
  ])('%s has a strong ETag of its bytes, and a 304 for who holds them', async (routeKey, cache) => {
    const ask = (held?: string) =>
      hub.call(routeKey, {
        query: { user_id: user.user_id },
        ...(held !== undefined && { headers: { 'if-none-match': held } }),
      });
    const first = await ask();
    const { etag = '' } = first.headers;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(first.headers['cache-control']).toBe(cache);
    expect(first.headers.vary).toMatch(/(^|, )origin$/);
    const held = await ask(`"other", W/${etag}`);
    expect([held.status, held.text, held.headers.etag]).toEqual([304, '', etag]);
    expect((await ask('"other"')).text).toBe(first.text);
  });

  test('has another ETag after a change, and none for errors', async () => {
    const ask = (userId: string) =>
      hub.call('GET /get_b2c_brokers', {
        query: { user_id: userId },
        headers: { 'if-none-match': '*' },
      });
    expect((await ask(user.user_id)).status).toBe(304);
    const unknown = await ask('nobody');
    expect([unknown.status, unknown.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(unknown.headers).not.toHaveProperty('etag');
    expect((await lists(hub)).headers).toMatchObject({ 'cache-control': 'no-store' });
  });
});

describe('problem details', () => {
  const accept = { accept: 'application/json;q=0.5, application/problem+json' };
  const strategy = (under: TestHub, headers: Readonly<Record<string, string>>, strategyId = '7') =>
    under.call('GET /get_strategy', {
      query: { user_id: user.user_id, strategy_id: strategyId },
      headers,
    });

  test('are sent by operations beyond the contract to clients that accept them', async () => {
    const { status, headers, body } = await strategy(hub, accept);
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
    expect(body).toEqual({
      type: 'https://hub.example/docs#strategy_unknown',
      title: 'Not Found',
      status: 404,
      detail: 'There is no such strategy.',
      code: 'strategy_unknown',
    });
    const invalid = await strategy(hub, accept, 'seven');
    expect(invalid.body).toMatchObject({
      type: 'https://hub.example/docs#validation',
      status: 422,
      errors: [{ loc: ['query', 'strategy_id'], type: 'type_error.integer' }],
    });
  });

  test.each([[{}], [{ accept: '*/*' }], [{ accept: 'application/problem+json;q=0' }]])(
    'are not sent for %j',
    async (headers) => {
      const answer = await strategy(hub, headers);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual({ detail: 'There is no such strategy.', code: 'strategy_unknown' });
    },
  );

  test('are not sent by operations of the contract', async () => {
    const answer = await lists(hub, accept, 'nobody');
    expect([answer.headers['content-type'], Object.keys(answer.body)]).toEqual([
      'application/json',
      ['detail', 'code'],
    ]);
  });

  test('name the policy of the rate limits', async () => {
    const under = limited();
    const headers = { ...accept, ...bearer(user.access_token) };
    for (let i = 0; i < 3; i++) await strategy(under, headers);
    const { status, body } = await strategy(under, headers);
    expect([status, body]).toMatchObject([
      429,
      {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        title: 'Too Many Requests',
        code: 'rate_limited',
        'violated-policies': ['read'],
      },
    ]);
  });

  test('replace the error of a repeat with an Idempotency-Key, which is not kept', async () => {
    const send = (headers: Readonly<Record<string, string>>) =>
      hub.call('POST /archive_strategy', {
        query: { user_id: user.user_id, strategy_id: '7' },
        headers: { 'idempotency-key': 'archive-7', ...headers },
      });
    expect((await send({})).body).toEqual({ detail: 'There is no such strategy.', code: 'strategy_unknown' });
    const again = await send(accept);
    expect(again.headers).toMatchObject({ 'content-type': 'application/problem+json' });
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
  });
});

test('Server-Timing is sent only if the stage switches it on', async () => {
  expect((await lists(hub)).headers).not.toHaveProperty('server-timing');
  const { headers } = await lists(hub.with({ HUB_SERVER_TIMING: 'on' }));
  expect(headers['server-timing']).toMatch(/^auth;dur=\d+\.\d, handler;dur=\d+\.\d, total;dur=\d+\.\d$/);
});

test('HEAD of a public document has the headers of GET, and no body', async () => {
  for (const path of ['/.well-known/jwks.json', '/openapi.json', '/docs', '/console']) {
    const [get, head] = [await hub.call(`GET ${path}`), await hub.call(`HEAD ${path}`)];
    expect([path, head.status, head.headers]).toEqual([path, get.status, get.headers]);
    expect([path, head.text]).toEqual([path, '']);
  }
});
