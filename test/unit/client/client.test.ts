import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  HubApiError,
  HubAuthenticationError,
  HubClient,
  HubConnectionError,
  HubRateLimitError,
  HubTimeoutError,
  HubValidationError,
  integratorToken,
} from '../../../infra/client/package/src/index.ts';
import { type Sent, stubFetch } from './stub-fetch.ts';

const BASE = 'https://hub.example/';
const user_id = 'a-user';

// Makes waits between tries as short as the service allows.
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const client = (stub: ReturnType<typeof stubFetch>, more: object = {}) =>
  new HubClient({ baseUrl: BASE, token: 'a-token', fetch: stub.fetch, ...more });

const error = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (thrown) {
    return thrown;
  }
  throw new Error('the call succeeded');
};

const busy = (headers: Readonly<Record<string, string>> = {}) => ({
  status: 429,
  headers: { ratelimit: '"read";r=0;t=7', ...headers },
  json: { detail: 'Too many requests.', code: 'rate_limited' },
});
const keys = (sent: readonly Sent[]) => sent.map(({ headers }) => headers.get('idempotency-key'));

describe('a request', () => {
  test('has the API key as bearer, unless the call has a token', async () => {
    const stub = stubFetch({});
    const hub = client(stub, { token: undefined, apiKey: 'hub_key_1' });
    await hub.getKillSwitch({ user_id: 'me' });
    await hub.getKillSwitch({ user_id: 'me' }, { token: 'another' });
    const sent = stub.sent.map(({ headers }) => headers.get('authorization'));
    expect(sent).toEqual(['Bearer hub_key_1', 'Bearer another']);
  });

  test('has a new password in its body, never in its address', async () => {
    const stub = stubFetch({});
    await client(stub).resetPassword({ email: 'ada@example.com', new_password: 'a & b', otp: 123456 });
    const [{ url = '', body = '' } = {}] = stub.sent;
    expect([new URL(url).search, String(body)]).toEqual([
      '',
      'email=ada%40example.com&new_password=a+%26+b&otp=123456',
    ]);
  });

  test('has its parameters in path and query, its body as declared, and the token', async () => {
    const stub = stubFetch({});
    const hub = client(stub);
    await hub.removeUser({ id: '7' });
    await hub.login({ body: { username: 'ada@example.com', password: 'a & b' } });
    await hub.archiveStrategy({ user_id, strategy_id: 7, archived: undefined }, { token: 'another' });
    await hub.setRiskLimits({ user_id, body: { limits: { daily_loss: 100 } } });
    const [removed, login, archived, limits] = stub.sent;
    expect([removed?.method, removed?.url.href]).toEqual(['DELETE', 'https://hub.example/users/7']);
    expect(removed?.headers.has('idempotency-key')).toBe(false);
    expect([login?.headers.get('content-type'), login?.body]).toEqual([
      'application/x-www-form-urlencoded',
      'username=ada%40example.com&password=a+%26+b',
    ]);
    expect(login?.headers.get('authorization')).toBe('Bearer a-token');
    expect(archived?.url.search).toBe('?user_id=a-user&strategy_id=7');
    expect(archived?.headers.get('authorization')).toBe('Bearer another');
    expect(limits?.body).toBe('{"limits":{"daily_loss":100}}');
  });

  test('asks a function for the token of each try', async () => {
    const stub = stubFetch(busy({ 'retry-after': '0' }), {});
    let made = 0;
    await client(stub, { token: async () => `token-${++made}` }).health();
    expect(stub.sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });
});

describe('a retry', () => {
  test('of a POST has the same Idempotency-Key, and another call another one', async () => {
    const stub = stubFetch(new TypeError('fetch failed'), busy({ 'retry-after': '0' }), {});
    const hub = client(stub);
    await hub.archiveStrategy({ user_id, strategy_id: 7 });
    await hub.archiveStrategy({ user_id, strategy_id: 7 });
    await hub.archiveStrategy({ user_id, strategy_id: 7 }, { idempotencyKey: 'mine' });
    const [first, second, third, other, mine] = keys(stub.sent);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third, mine]).toEqual([first, first, 'mine']);
    expect(other).not.toBe(first);
  });

  test('has a key where the page has no crypto.randomUUID, as over plain http', async () => {
    const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) };
    const before = Object.getOwnPropertyDescriptor(globalThis, 'crypto') ?? {};
    Object.defineProperty(globalThis, 'crypto', { value: insecure, configurable: true });
    const stub = stubFetch({});
    try {
      await client(stub).archiveStrategy({ user_id, strategy_id: 7 });
      await client(stub).archiveStrategy({ user_id, strategy_id: 7 });
    } finally {
      Object.defineProperty(globalThis, 'crypto', before);
    }
    const [first, second] = keys(stub.sent);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });

  test('waits as long as Retry-After says, or gives up at once if that is too long', async () => {
    const stub = stubFetch(busy({ 'retry-after': '1' }), {});
    const started = performance.now();
    await client(stub).health();
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    const long = stubFetch(busy({ 'retry-after': '3600' }));
    const refused = await error(client(long).health());
    expect(refused).toBeInstanceOf(HubRateLimitError);
    expect(refused).toMatchObject({
      code: 'rate_limited',
      retryAfterS: 3600,
      rateLimits: [{ policy: 'read', remaining: 0, resetS: 7 }],
    });
    expect(long.sent).toHaveLength(1);
  });

  test.each([
    ['POST', 429, 'rate_limited', undefined, 4],
    ['POST', 409, 'request_in_flight', '0', 4],
    ['POST', 409, 'name_taken', undefined, 1],
    ['POST', 500, 'internal', undefined, 1],
    ['POST', 502, 'upstream_failed', '0', 1],
    // The service: the write may have taken effect. The gateway: the function holds the key.
    ['POST', 503, 'unavailable', '0', 1],
    ['POST', 503, undefined, undefined, 4],
    ['GET', 500, 'internal', undefined, 4],
    ['GET', 503, 'unavailable', '0', 4],
    ['GET', 404, 'user_unknown', undefined, 1],
    ['DELETE', 500, 'internal', undefined, 1],
  ])('of a %s with %i %s and Retry-After %s: %i tries', async (method, status, code, retryAfter, tries) => {
    const stub = stubFetch({
      status,
      ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
      json: code === undefined ? { message: 'Service Unavailable' } : { detail: 'No.', code },
    });
    const hub = client(stub);
    const call =
      method === 'POST'
        ? hub.archiveStrategy({ user_id, strategy_id: 7 })
        : method === 'GET'
          ? hub.getStrategy({ user_id, strategy_id: 7 })
          : hub.removeUser({ id: '7' });
    expect(await error(call)).toMatchObject({ status, code });
    expect(stub.sent).toHaveLength(tries);
  });

  test('ends with the signal of the call', async () => {
    const stub = stubFetch(busy({ 'retry-after': '30' }));
    const controller = new AbortController();
    const call = client(stub).health({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    expect(await error(call)).toMatchObject({ message: 'enough' });
  });
});

describe('an error', () => {
  test('tells the problems of a request, and holds nothing of it', async () => {
    const loc = ['query', 'page'];
    const problem = { loc, msg: 'value is not a valid integer', type: 'type_error.integer' };
    const stub = stubFetch({ status: 422, json: { detail: [problem] } });
    const invalid = await error(client(stub).getStrategiesByUser({ user_id: 'a-secret-id' }));
    expect(invalid).toBeInstanceOf(HubValidationError);
    expect(invalid).toMatchObject({ status: 422, code: undefined, problems: [problem] });
    expect(String(invalid)).toBe(
      'HubValidationError: get_strategies_by_user: 422 query.page: value is not a valid integer',
    );
  });

  test.each([
    [401, { detail: 'Sign in.', code: 'session_required' }, HubAuthenticationError, 'session_required'],
    [401, { error: 'invalid_client', error_description: 'No.' }, HubAuthenticationError, 'invalid_client'],
    [403, { message: 'Forbidden' }, HubApiError, undefined],
    [413, '<html>', HubApiError, undefined],
  ])('of status %i with the body %j has its class and code', async (status, json, type, code) => {
    const refused = await error(client(stubFetch({ status, json })).health());
    expect(refused).toBeInstanceOf(type);
    expect(refused).toMatchObject({ status, code });
  });

  test('tells a service that does not answer from one that cannot be reached', async () => {
    const unreachable = stubFetch(new TypeError('fetch failed'));
    expect(await error(client(unreachable, { maxRetries: 1 }).health())).toBeInstanceOf(HubConnectionError);
    expect(unreachable.sent).toHaveLength(2);
    const silent: typeof globalThis.fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const slow = new HubClient({ baseUrl: BASE, fetch: silent, timeoutMs: 20, maxRetries: 0 });
    expect(await error(slow.health())).toBeInstanceOf(HubTimeoutError);
  });
});

describe('a list', () => {
  const page = (request: Sent) => {
    const number = Number(request.url.searchParams.get('page') ?? 1);
    const items =
      number === 3 ? [{ backtest_id: 5 }] : [1, 2].map((n) => ({ backtest_id: 2 * number - 2 + n }));
    return { json: { items, total: 5, page: number, size: 2, pages: 3 } };
  };

  test('is awaited for one page, and iterated for all items', async () => {
    const stub = stubFetch(page);
    const hub = client(stub);
    expect(await hub.getBacktests({ user_id, page: 2 })).toMatchObject({ page: 2, total: 5 });
    const ids: number[] = [];
    for await (const { backtest_id } of hub.getBacktests({ user_id, size: 2 })) ids.push(backtest_id);
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    expect(stub.sent.map(({ url }) => url.search)).toEqual([
      '?user_id=a-user&page=2',
      '?user_id=a-user&size=2',
      '?user_id=a-user&size=2&page=2',
      '?user_id=a-user&size=2&page=3',
    ]);
  });

  test('sends no request beyond the last item that is read', async () => {
    const stub = stubFetch(page);
    for await (const _ of client(stub).getBacktests({ user_id })) break;
    expect(stub.sent).toHaveLength(1);
  });

  test('with filters goes on at the cursor of each part', async () => {
    const part = ({ url }: Sent) => {
      const cursor = url.searchParams.get('cursor');
      const items = [{ order_id: cursor === null ? 1 : 2 }];
      const next = cursor === null ? { is_complete: false, next_cursor: 40 } : { is_complete: true };
      return { json: { items, total: 1, page: 1, size: 50, pages: 1, ...next } };
    };
    const stub = stubFetch(part);
    const ids: number[] = [];
    for await (const { order_id } of client(stub).getGlobalOrderBook({
      user_id,
      mode: 'live',
      symbol: 'AAPL',
    }))
      ids.push(order_id);
    expect(ids).toEqual([1, 2]);
    expect(stub.sent[1]?.url.search).toBe('?user_id=a-user&mode=live&symbol=AAPL&cursor=40&page=1');
  });

  test('fails as its requests do', async () => {
    const stub = stubFetch({ status: 404, json: { detail: 'No.', code: 'user_unknown' } });
    const read = async () => {
      for await (const _ of client(stub).getBacktests({ user_id })) throw new Error('an item');
    };
    expect(await error(read())).toMatchObject({ code: 'user_unknown' });
  });
});

test('the token of an integrator is requested once, renewed before it expires, and again after a failure', async () => {
  let now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const grant = {
    json: { access_token: 'first', token_type: 'Bearer', expires_in: 3600, scope: 'broker:read' },
  };
  const refused = { status: 401, json: { error: 'invalid_client' } };
  const { fetch, sent } = stubFetch(grant, refused, { json: { ...grant.json, access_token: 'second' } });
  const token = integratorToken({ baseUrl: BASE, guid: 'g', secret: 's', fetch });
  expect(await Promise.all([token(), token()])).toEqual(['first', 'first']);
  now += 3_530_000;
  expect(await token()).toBe('first');
  now += 20_000;
  expect(await error(token())).toMatchObject({ code: 'invalid_client' });
  expect(await token()).toBe('second');
  expect(sent.map(({ body }) => body)[0]).toBe('grant_type=client_credentials&client_id=g&client_secret=s');
});

describe('a request that needs a step-up', () => {
  const refusal = (ways: readonly string[]) => ({
    status: 403,
    json: { code: 'step_up_required', detail: 'Prove again that it is you.', ways },
  });
  const arm = (
    stub: ReturnType<typeof stubFetch>,
    onStepUp?: (ways: readonly string[]) => Promise<boolean>,
  ) => client(stub, { onStepUp }).killSwitch({ user_id, body: { action: 're_arm', reason: 'Well.' } });

  test('is sent again once the program has stepped the session up', async () => {
    const stub = stubFetch(refusal(['passkey', 'totp']), { json: { thrown: false } });
    const onStepUp = jest.fn(async (_ways: readonly string[]) => true);
    expect(await arm(stub, onStepUp)).toEqual({ thrown: false });
    expect(onStepUp.mock.calls).toEqual([[['passkey', 'totp']]]);
    expect(stub.sent.map(({ body }) => body)).toEqual(Array(2).fill('{"action":"re_arm","reason":"Well."}'));
  });

  test('fails with the ways of the account if it does not, and asks once only', async () => {
    const given = await error(arm(stubFetch(refusal(['totp'])), async () => false));
    expect(given).toMatchObject({ code: 'step_up_required', ways: ['totp'] });
    expect(await error(arm(stubFetch(refusal(['totp']))))).toMatchObject({ ways: ['totp'] });
    const stub = stubFetch(refusal(['totp']));
    const again = await error(arm(stub, async () => true));
    expect([again instanceof HubApiError, stub.sent.length]).toEqual([true, 2]);
  });

  test('fails at once for a program that has no way', async () => {
    const onStepUp = jest.fn(async () => true);
    expect(await error(arm(stubFetch(refusal([])), onStepUp))).toMatchObject({ ways: [] });
    expect(onStepUp).not.toHaveBeenCalled();
  });
});
