import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';
import { ownStrategyIdOf } from '../../../shared/api/own-names.ts';
import { deployKey } from '../../../shared/domain/strategies/strategy-keys.ts';
import { approvedBroker, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { bearer, loginSteppedUp, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments, list } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

let hub: TestHub;
let strict: TestHub;
beforeAll(async () => {
  hub = await startHub();
  strict = hub.with({ HUB_SESSION_POLICY: 'require' });
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());
beforeEach(() => hub.advance(1000));

const codeOf = ({ status, body }: Response) => [status, body.code];

/** Returns a signed-in user with a strategy. */
const owner = async () => {
  const { user_id, access_token } = (await signUp(hub)).body;
  const { keygen, strategy_id } = (await build(hub, { user_id })).body;
  return { user_id, keygen: String(keygen), strategy_id: Number(strategy_id), session: bearer(access_token) };
};

/** Returns a signed-in user with a strategy and an account that a broker has confirmed. */
const trading = async (account: string) => {
  const desk = await approvedBroker(hub);
  const partner_token = await tokenOf(hub, desk, account);
  const { email, user_id } = (await registerAtBroker(hub, desk.subdomain, { partner_token })).body;
  const { access_token } = (await loginSteppedUp(hub, email)).body;
  const { keygen } = (await build(hub, { user_id })).body;
  return {
    user_id,
    keygen: String(keygen),
    at: { broker_id: String(desk.broker_id) },
    session: bearer(access_token),
  };
};

const BY_KEY = OPERATIONS.filter(({ input }) => input.query && 'keygen' in input.query.shape);

/** Deploys by an operation, with fields that all of them accept. */
const deployBy = (
  at: TestHub,
  routeKey: string,
  keygen: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> => {
  const { input } = BY_KEY.find((operation) => operation.routeKey === routeKey) ?? {};
  return at.call(routeKey, {
    query: {
      keygen,
      ...(input?.query && 'universe_id' in input.query.shape && { universe_id: 'forex-majors' }),
    },
    headers,
    ...(input?.form && {
      form: 'mode' in input.form.shape ? { mode: 'virtual', starting_capital: '10000' } : {},
    }),
  });
};

test('every operation that accepts a deploy key declares it', () => {
  expect(BY_KEY.map(({ name }) => name).toSorted()).toEqual([
    'deploy_live_strategy',
    'deploy_notification_strategy',
    'deploy_scanner',
  ]);
  expect(OPERATIONS.filter(({ caller }) => caller === 'deploy_key')).toEqual(BY_KEY);
});

describe.each(BY_KEY.map(({ routeKey }) => routeKey))('%s', (routeKey) => {
  const UNKNOWN = ['nonsense', '', 'k_zzz_0123456789abcdefghijkl'];

  test('accepts the key alone if sessions are optional', async () => {
    const { keygen } = await owner();
    expect((await deployBy(hub, routeKey, keygen)).status).toBe(200);
  });

  test('needs the session of the owner if sessions are required', async () => {
    const { keygen, session } = await owner();
    for (const key of [keygen, ...UNKNOWN]) {
      strict.takeCalls();
      const refused = await deployBy(strict, routeKey, key);
      expect([...codeOf(refused), strict.takeCalls()]).toEqual([401, 'session_required', []]);
    }
    expect((await deployBy(strict, routeKey, keygen, session)).status).toBe(200);
  });

  test('refuses an invalid session and one of another user, under any policy', async () => {
    const { keygen, user_id } = await owner();
    const other = await owner();
    for (const under of [hub, strict]) {
      const invalid = await deployBy(under, routeKey, keygen, bearer('nonsense'));
      expect(codeOf(invalid)).toEqual([401, 'session_invalid']);
      const mismatch = await deployBy(under, routeKey, keygen, other.session);
      expect(codeOf(mismatch)).toEqual([403, 'session_mismatch']);
    }
    const { body } = await hub.call('GET /get_strategies_by_user', { query: { user_id } });
    expect(body.items[0].deployment_count).toBe(0);
  });

  test('answers a wrong key like an unknown one, with the same calls', async () => {
    const { keygen, session } = await owner();
    const answers = [];
    for (const key of [`${keygen.slice(0, -3)}AAA`, 'k_zzz_0123456789abcdefghijkl']) {
      for (const headers of [{}, session]) {
        hub.takeCalls();
        const { status, body } = await deployBy(hub, routeKey, key, headers);
        answers.push({ status, body, calls: hub.takeCalls() });
      }
    }
    expect(answers).toEqual(Array(4).fill(answers[0]));
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'strategy_unknown' } });
  });

  test('accepts `strategy:<id>` with the session of the owner', async () => {
    const { strategy_id, session } = await owner();
    for (const under of [hub, strict]) {
      under.takeCalls();
      const { status, body } = await deployBy(under, routeKey, `strategy:${strategy_id}`, session);
      expect([status, body.strategy_id]).toEqual([200, strategy_id]);
      expect(under.takeCalls().length).toBeLessThanOrEqual(3);
    }
  });

  test('refuses `strategy:<id>` without a session of the owner', async () => {
    const { strategy_id, user_id, session } = await owner();
    const other = await owner();
    const own = `strategy:${strategy_id}`;
    hub.takeCalls();
    for (const key of [{}, { 'idempotency-key': 'own-1' }]) {
      expect(codeOf(await deployBy(hub, routeKey, own, key))).toEqual([401, 'session_required']);
    }
    expect(hub.takeCalls()).toEqual([]);
    const unknown = await deployBy(hub, routeKey, 'k_zzz_0123456789abcdefghijkl', session);
    for (const [key, headers] of [
      [own, other.session],
      ['strategy:7', session],
      [`strategy:${'9'.repeat(17)}`, session],
      ['strategy:9007199254740993', session],
      ['strategy:', session],
      [`strategy:0x${strategy_id.toString(16)}`, session],
      [`STRATEGY:${strategy_id}`, session],
    ] as const) {
      const { status, body } = await deployBy(hub, routeKey, key, headers);
      expect({ status, body }).toEqual({ status: 404, body: unknown.body });
    }
    const { body } = await hub.call('POST /generate_token', { query: { user_id } });
    expect(codeOf(await deployBy(hub, routeKey, own, bearer(body.token)))).toEqual([
      403,
      'platform_token_insufficient',
    ]);
    const platform = await hub.call('POST /generate_token', { query: { user_id }, headers: session });
    expect((await deployBy(hub, routeKey, own, bearer(platform.body.token))).status).toBe(200);
  });

  test('refuses a key that was rotated', async () => {
    const { keygen, user_id, strategy_id, session } = await owner();
    await list(hub, user_id, strategy_id);
    const query = { user_id, strategy_id: String(strategy_id) };
    const rotated = await hub.call('POST /rotate_keygen', { query, headers: session });
    expect(rotated.status).toBe(200);
    expect(codeOf(await deployBy(hub, routeKey, keygen))).toEqual([404, 'strategy_unknown']);
    expect((await deployBy(hub, routeKey, rotated.body.keygen)).status).toBe(200);
  });
});

test('no deploy key looks like `strategy:<id>`', () => {
  for (let n = 0; n < 200; n++) {
    const key = deployKey(Number(randomBytes(6).readUIntBE(0, 6)), randomBytes);
    expect([ownStrategyIdOf(key), key.startsWith('k_')]).toEqual([undefined, true]);
  }
});

describe('real orders', () => {
  test('need the session of the owner under any policy', async () => {
    const { keygen, at, session } = await trading('OWN-1');
    hub.takeCalls();
    expect(codeOf(await deployTrading(hub, keygen, { mode: 'live', ...at }))).toEqual([
      401,
      'session_required',
    ]);
    expect(hub.takeCalls()).toEqual([]);
    const { session: other } = await owner();
    expect(codeOf(await deployTrading(hub, keygen, { mode: 'live', ...at }, other))).toEqual([
      403,
      'session_mismatch',
    ]);
    const { status, body } = await deployTrading(hub, keygen, { mode: 'live', ...at }, session);
    expect([status, body.account_id]).toEqual([200, 'OWN-1']);
  });
});

test('real orders need a person, not a platform token', async () => {
  const { keygen, at, user_id, session } = await trading('OWN-6');
  const live = { mode: 'live', ...at };
  for (const headers of [{}, session]) {
    const { token } = (await hub.call('POST /generate_token', { query: { user_id }, headers })).body;
    expect(codeOf(await deployTrading(hub, keygen, live, bearer(token)))).toEqual([403, 'step_up_required']);
    expect((await deployTrading(hub, keygen, at, bearer(token))).status).toBe(200);
  }
});

describe('the account of the owner', () => {
  test('is shown to the owner who names the strategy by its id', async () => {
    const { at, user_id, session } = await trading('OWN-7');
    const { body } = await hub.call('GET /get_strategies_by_user', { query: { user_id }, headers: session });
    const own = await deployTrading(
      hub,
      `strategy:${body.items[0].strategy_id}`,
      { mode: 'live', ...at },
      session,
    );
    expect([own.status, own.body.account_id]).toEqual([200, 'OWN-7']);
  });

  test('is not shown to a caller with only the key', async () => {
    const { keygen, at, user_id, session } = await trading('OWN-2');
    const alone = await deployTrading(hub, keygen, at);
    expect([alone.status, alone.body.account_id]).toEqual([200, null]);
    expect(alone.text).not.toContain('OWN-2');
    const own = await deployTrading(hub, keygen, at, session);
    expect(own.body.account_id).toBe('OWN-2');
    const { body } = await hub.call('GET /get_all_live_deployments_v2', {
      query: { user_id },
      headers: session,
    });
    expect(body.items.map(({ account_id }: { account_id: string }) => account_id)).toEqual([
      'OWN-2',
      'OWN-2',
    ]);
  });

  test('is not confirmed to a caller with only the key who guesses it', async () => {
    const { keygen, at } = await trading('OWN-3');
    for (const account_id of ['OWN-3', 'OWN-4']) {
      expect(codeOf(await deployTrading(hub, keygen, { ...at, account_id }))).toEqual([
        401,
        'session_required',
      ]);
    }
  });

  test('is not shown by the replay of an answer to its owner', async () => {
    const { keygen, at, session } = await trading('OWN-5');
    const key = { 'idempotency-key': 'one' };
    const own = await deployTrading(hub, keygen, at, { ...session, ...key });
    expect(own.body.account_id).toBe('OWN-5');
    const alone = await deployTrading(hub, keygen, at, key);
    expect([alone.status, alone.text.includes('OWN-5')]).toEqual([200, false]);
  });

  test('the plan is not shown either', async () => {
    const { keygen, session } = await owner();
    for (let n = 0; n < 5; n++) await deployTrading(hub, keygen);
    const alone = await deployTrading(hub, keygen);
    expect([...codeOf(alone), /\d/.test(alone.body.detail)]).toEqual([409, 'quota_reached', false]);
    expect((await deployTrading(hub, keygen, {}, session)).body.detail).toContain('5 active deployments');
  });
});

describe('rotating a deploy key', () => {
  const rotate = (query: Record<string, string>, headers: Record<string, string> = {}, under = hub) =>
    under.call('POST /rotate_keygen', { query, headers });

  test('gives the owner a new key, once per Idempotency-Key', async () => {
    const { keygen, user_id, strategy_id, session } = await owner();
    const query = { user_id, strategy_id: String(strategy_id) };
    const headers = { ...session, 'idempotency-key': 'rotate-1' };
    const first = await rotate(query, headers);
    expect(first.body).toEqual({
      strategy_id,
      keygen: expect.stringMatching(/^k_[0-9a-z]+_[\w-]{22}$/),
      rotated_at: hub.runtime.clock().toISOString(),
    });
    expect(first.body.keygen).not.toBe(keygen);
    const again = await rotate(query, headers);
    expect(codeOf(again)).toEqual([409, 'answer_shown_once']);
    const { body } = await hub.call('GET /get_strategies_by_user', { query: { user_id } });
    expect(body.items[0].keygen).toBe(first.body.keygen);
  });

  test('is reserved for the owner', async () => {
    const { user_id, strategy_id, keygen } = await owner();
    const other = await owner();
    const own = { user_id, strategy_id: String(strategy_id) };
    expect(codeOf(await rotate({ ...own, user_id: other.user_id }))).toEqual([404, 'strategy_unknown']);
    expect(codeOf(await rotate({ ...own, strategy_id: '7' }))).toEqual([404, 'strategy_unknown']);
    expect(codeOf(await rotate(own, other.session))).toEqual([403, 'session_mismatch']);
    expect(codeOf(await rotate(own, {}, strict))).toEqual([401, 'session_required']);
    expect((await deployBy(hub, 'POST /deploy_notification_strategy', keygen)).status).toBe(200);
  });

  test('during a request that names the strategy by its id does not stop it', async () => {
    const { user_id, strategy_id, session } = await owner();
    const { store } = hub.runtime;
    let rotated = false;
    const transact: typeof store.transact = async (writes) => {
      if (!rotated) {
        rotated = true;
        expect((await rotate({ user_id, strategy_id: String(strategy_id) })).status).toBe(200);
      }
      return store.transact(writes);
    };
    const slow = hub.over(Object.create(store, { transact: { value: transact } }));
    const late = await deployBy(
      slow,
      'POST /deploy_notification_strategy',
      `strategy:${strategy_id}`,
      session,
    );
    expect([late.status, rotated]).toEqual([200, true]);
  });

  test('during a deploying request makes the old key fail', async () => {
    const { user_id, strategy_id, keygen } = await owner();
    const { store } = hub.runtime;
    let rotated = false;
    const transact: typeof store.transact = async (writes) => {
      if (!rotated) {
        rotated = true;
        expect((await rotate({ user_id, strategy_id: String(strategy_id) })).status).toBe(200);
      }
      return store.transact(writes);
    };
    const slow = hub.over(Object.create(store, { transact: { value: transact } }));
    const late = await deployBy(slow, 'POST /deploy_notification_strategy', keygen);
    expect([...codeOf(late), rotated]).toEqual([404, 'strategy_unknown', true]);
    const { body } = await hub.call('GET /get_all_notification_deployments', { query: { user_id } });
    expect(body.total).toBe(0);
  });
});
