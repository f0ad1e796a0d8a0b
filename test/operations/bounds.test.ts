import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../functions/operations.ts';
import type { Operation } from '../../shared/api/operation.ts';
import type { ValidationDetail } from '../../shared/api/validation-detail.ts';
import { computesLessThan } from '../support/durations.ts';
import type { Request } from '../support/hub.ts';
import { openHub } from '../support/open-hub.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { trader } from '../support/trading.ts';

const hub = await openHub(furnishWithInstruments);

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const ANALYTICS = 'POST /api/external_analysis';
const EVENT = { client_id: '1.2', events: [{ name: 'opened' }] };

const manyKeys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));

const operationOf = (routeKey: string): Operation => {
  const found = OPERATIONS.find((operation) => operation.routeKey === routeKey);
  if (!found) throw new Error(`there is no ${routeKey}`);
  return found;
};

describe('the number of a page', () => {
  const PAGED = OPERATIONS.flatMap(({ routeKey, input }) => {
    const page = input.query?.shape.page;
    return page ? [{ routeKey, page }] : [];
  });

  test.each(PAGED)('of $routeKey ends at 2^53 - 1, as an answer repeats it', ({ page }) => {
    expect(page.safeParse(Number.MAX_SAFE_INTEGER).success).toBe(true);
    expect(page.safeParse(2 ** 53).success).toBe(false);
  });

  test.each(['GET /get_explore_strategies', 'GET /get_strategies_by_user', 'GET /get_backtests'])(
    'of %s is refused beyond, and that of the largest is an empty page',
    async (routeKey) => {
      const { user_id } = await trader(hub);
      const ask = (page: string) => hub.call(routeKey, { query: { user_id, page } });
      const refusal = { loc: ['query', 'page'], msg: 'value is out of range', type: 'value_error.number' };
      for (const page of ['9007199254740992', '9007199254740993', `1${'0'.repeat(40)}`]) {
        expect(await ask(page)).toMatchObject({ status: 422, body: { detail: [refusal] } });
      }
      const low = { loc: ['query', 'page'], type: 'value_error.number.not_ge' };
      expect((await ask(`-1${'0'.repeat(40)}`)).body.detail).toEqual([expect.objectContaining(low)]);
      const { status, body } = await ask('9007199254740991');
      expect([status, body.items, body.page]).toEqual([200, [], Number.MAX_SAFE_INTEGER]);
    },
  );
});

describe('a 422', () => {
  test('holds a hundred details and the number of the others', async () => {
    const { status, body, text } = await hub.call(ANALYTICS, { json: { ...EVENT, ...manyKeys(20_000) } });
    expect([status, body.detail.length, text.length < 20_000]).toEqual([422, 101, true]);
    expect(body.detail[0]).toEqual({
      loc: ['body', 'k0'],
      msg: 'extra fields not permitted',
      type: 'value_error.extra',
    });
    expect(body.detail[100]).toEqual({
      loc: ['body'],
      msg: 'and 19900 more',
      type: 'value_error.more',
      ctx: { count: 19_900 },
    });
  });

  test('holds all details up to a hundred', async () => {
    const { body } = await hub.call(ANALYTICS, { json: { ...EVENT, ...manyKeys(100) } });
    expect(body.detail).toHaveLength(100);
    expect(body.detail[99].loc).toEqual(['body', 'k99']);
  });

  test('shortens long names of fields', async () => {
    const name = `${'n'.repeat(99)}😀${'n'.repeat(100_000)}`;
    const { status, body } = await hub.call(ANALYTICS, { json: { ...EVENT, [name]: 1 } });
    expect([status, body.detail.map(({ loc }: ValidationDetail) => loc)]).toEqual([
      422,
      [['body', `${'n'.repeat(99)}…`]],
    ]);
  });
});

/** HEAD has the input of GET, and its answers have no body. */
const WITH_BODY = OPERATIONS.filter(({ method }) => method !== 'HEAD');

describe.each(WITH_BODY.map((operation) => ({ routeKey: operation.routeKey, operation })))(
  '$routeKey',
  ({ routeKey, operation: { method, limits } }) => {
    test('refuses a larger body and a longer query string before parsing', async () => {
      hub.takeCalls();
      hub.log.length = 0;
      for (const headers of [JSON_TYPE, FORM_TYPE, {}]) {
        const body = 'x'.repeat(limits.body + 1);
        for (const sent of [{ body }, { body: Buffer.from(body).toString('base64'), base64: true }]) {
          const { status, body: answer } = await hub.call(routeKey, { ...sent, headers });
          expect([status, answer.code]).toEqual([413, 'body_too_large']);
          expect(answer.detail).toContain(String(limits.body));
        }
      }
      const long = await hub.call(routeKey, { query: { any: 'x'.repeat(limits.query) } });
      expect([long.status, long.body.code]).toEqual([414, 'query_too_long']);
      expect(hub.takeCalls()).toEqual([]);
      expect(hub.log.filter(({ level }) => level !== 'info')).toEqual([]);
      expect(limits.body).toBeLessThanOrEqual(method === 'GET' ? 16 * 1024 : 260_000);
    });
  },
);

describe('a body', () => {
  test('of exactly the limit is read', async () => {
    const { limits } = operationOf('POST /users');
    const json = JSON.stringify({ name: 'Ada', email: 'ada@example.com' });
    const body = json.padEnd(limits.body, ' ');
    expect((await hub.call('POST /users', { body, headers: JSON_TYPE })).status).toBe(200);
    expect((await hub.call('POST /users', { body: `${body} `, headers: JSON_TYPE })).status).toBe(413);
  });

  test('of 90,000 unknown keys is refused at once', async () => {
    const body = JSON.stringify(manyKeys(90_000));
    await computesLessThan(1000, async () => {
      for (const routeKey of ['POST /users', ANALYTICS, 'POST /auth/idp']) {
        expect((await hub.call(routeKey, { body, headers: JSON_TYPE })).status).toBe(413);
      }
    });
  });

  test('of a form with too many fields is refused, not read in part', async () => {
    const fields = 'a=&'.repeat(1000);
    const { status, body } = await hub.call('POST /login', {
      body: `${fields}username=a%40b.c&password=x`,
      headers: FORM_TYPE,
    });
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  test.each([
    ['arrays', 65, (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['arrays', 60_000, (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['objects', 20_000, (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
    ['unclosed arrays', 100_000, (depth: number) => '['.repeat(depth)],
  ])('of %s nested %d deep is refused', async (_, depth, nested) => {
    const body = `{"client_id": "1", "user_properties": {"deep": ${nested(depth)}}, "events": [{"name": "a"}]}`;
    const { status, body: answer } = await hub.call(ANALYTICS, { body, headers: JSON_TYPE });
    expect([status, answer.detail]).toEqual([
      422,
      [
        {
          loc: ['body'],
          msg: 'ensure this value has at most 64 levels of nesting',
          type: 'value_error.json.max_depth',
          ctx: { limit_value: 64 },
        },
      ],
    ]);
  });

  test('may have brackets in its texts, which do not count as nesting', async () => {
    const json = { name: `${'['.repeat(90)}\\"{`, email: 'ada@example.com' };
    expect((await hub.call('POST /users', { json })).status).toBe(200);
  });
});

describe('a body without a content type', () => {
  const missing = (expected: string): ValidationDetail => ({
    loc: ['header', 'content-type'],
    msg: `the body has no content type: send it as ${expected}`,
    type: 'value_error.missing',
    ctx: { expected },
  });
  const FORM = 'application/x-www-form-urlencoded';
  const required = (name: string) => ({
    loc: ['body', name],
    msg: 'field required',
    type: 'value_error.missing',
  });

  test.each([{}, { 'content-type': '' }, { 'content-type': ' ' }])(
    'gets an answer that a form is required: %j',
    async (headers) => {
      const {
        status,
        body,
        headers: answered,
      } = await hub.call('POST /login', {
        body: 'username=a%40b.c&password=secret',
        headers,
      });
      expect([status, body.detail]).toEqual([
        422,
        [missing(FORM), required('username'), required('password')],
      ]);
      expect(answered['accept-post']).toBe(FORM);
    },
  );

  test('gets an answer that JSON is required', async () => {
    const { status, body } = await hub.call('POST /users', { body: 'name=Ada' });
    expect([status, body.detail]).toEqual([
      422,
      [
        missing('application/json'),
        expect.objectContaining({ loc: ['body', 0], type: 'value_error.jsondecode' }),
      ],
    ]);
  });

  test('is read if it is JSON', async () => {
    const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com' });
    expect((await hub.call('POST /users', { body })).status).toBe(200);
    const wrong = await hub.call('POST /users', { body: '{}' });
    expect(wrong.body.detail).toEqual([required('name'), required('email')]);
    expect(wrong.headers).not.toHaveProperty('accept-post');
  });

  test('is not ignored if all fields are optional', async () => {
    const { keygen, user_id } = await trader(hub);
    const deploy = (request: Request) =>
      hub.call('POST /deploy_notification_strategy', { query: { keygen }, ...request });
    const untyped = await deploy({ body: 'channels=push' });
    expect([untyped.status, untyped.body.detail]).toEqual([422, [missing(FORM)]]);
    const typed = await deploy({ body: '{"channels":"push"}', headers: JSON_TYPE });
    expect([typed.status, typed.body.detail[0].type]).toEqual([422, 'value_error.content_type']);
    const { body } = await hub.call('GET /get_all_notification_deployments', { query: { user_id } });
    expect(body.total).toBe(0);
    expect((await deploy({})).status).toBe(200);
  });

  test('gets the error of the OAuth standard from /oauth/token', async () => {
    const { status, body } = await hub.call('POST /oauth/token', { body: 'grant_type=client_credentials' });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});

test('a body of another content type is answered with the accepted type', async () => {
  const { body, headers } = await hub.call('POST /login', { body: '{}', headers: JSON_TYPE });
  expect([body.detail.length, headers['accept-post']]).toEqual([2, 'application/x-www-form-urlencoded']);
});
