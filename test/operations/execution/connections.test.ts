import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { findConnection } from '../../../shared/data/execution/connections.ts';
import { type FakeAlpaca, fakeAlpaca } from '../../support/alpaca.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { bearer, furnish, signUp } from '../../support/people.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { FAILURES, startUpstream, type Upstream } from '../../support/upstream.ts';

const environment = { ...process.env };
let alpaca: FakeAlpaca;
let hub: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;

beforeAll(async () => {
  alpaca = await fakeAlpaca();
  kms = await startKms();
  hub = (await startHub()).with(alpaca.environment);
  await furnish(hub);
});
afterEach(() => {
  alpaca.trouble = () => undefined;
  Object.assign(alpaca.account, { account_number: 'PA3TEST', status: 'ACTIVE', trading_blocked: false });
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await alpaca.close();
});

interface Person {
  readonly user_id: string;
  readonly access_token: string;
}

const person = async (): Promise<Person> => (await signUp(hub)).body;

const connect = ({ user_id, access_token }: Person, more: object = {}): Promise<Response> =>
  hub.call('POST /connect_execution', {
    query: { user_id },
    headers: bearer(access_token),
    json: {
      adapter: 'alpaca',
      environment: 'paper',
      key_id: alpaca.keys.keyId,
      secret: alpaca.keys.secret,
      ...more,
    },
  });

const list = async ({ user_id, access_token }: Person): Promise<Response['body'][]> =>
  (await hub.call('GET /get_execution_connections', { query: { user_id }, headers: bearer(access_token) }))
    .body.connections;

const disconnect = ({ user_id, access_token }: Person, account_id = 'PA3TEST'): Promise<Response> =>
  hub.call('POST /disconnect_execution', { query: { user_id, account_id }, headers: bearer(access_token) });

describe('connecting an account', () => {
  test('checks the keys, and lists the account without them', async () => {
    const trader = await person();
    const { status, body } = await connect(trader);
    expect([status, body]).toEqual([
      200,
      {
        adapter: 'alpaca',
        environment: 'paper',
        account_id: 'PA3TEST',
        currency: 'USD',
        status: 'connected',
        connected_at: expect.any(String),
        status_at: expect.any(String),
      },
    ]);
    expect(await list(trader)).toEqual([body]);
    expect(await findConnection(hub.runtime.store, trader.user_id, 'PA3TEST')).toMatchObject({
      status: 'connected',
    });
  });

  test('notifies the user, also when the keys are replaced, and not when it is refused', async () => {
    const trader = await person();
    await connect(trader);
    await connect(trader);
    await connect(trader, { key_id: 'PKOTHERKEYID' });
    const query = { user_id: trader.user_id };
    const { items } = (await hub.call('GET /get_deployment_notifications', { query })).body;
    expect(items).toMatchObject(
      [1, 2].map(() => ({ kind: 'execution_connected', severity: 'warning', deployment_id: null })),
    );
    expect(JSON.stringify(items)).not.toContain('PA3TEST');
  });

  test('connects nothing for a session that ends while the broker is asked', async () => {
    const thief = await person();
    let ended: Promise<Response> | undefined;
    alpaca.trouble = () => {
      ended ??= hub.call('POST /session/logout', { headers: bearer(thief.access_token) });
      return undefined;
    };
    const { store } = hub.runtime;
    const spy = jest.spyOn(store, 'transact').mockImplementation(async (writes) => {
      spy.mockRestore();
      expect((await ended)?.status).toBe(200);
      return store.transact(writes);
    });
    const { status, body } = await connect(thief);
    expect([status, body.code]).toEqual([401, 'session_invalid']);
    expect(await findConnection(hub.runtime.store, thief.user_id, 'PA3TEST')).toBe(undefined);
  });

  test('neither the table nor the log holds the keys', async () => {
    await connect(await person());
    await connect(await person(), { secret: 'another-secret-that-is-wrong' });
    const all = `${await hub.tableText()} ${JSON.stringify(hub.log)}`;
    for (const secret of [alpaca.keys.keyId, alpaca.keys.secret, 'another-secret-that-is-wrong']) {
      expect(all).not.toContain(secret);
    }
  });

  test('refuses wrong keys and blocked accounts, and stores nothing', async () => {
    const trader = await person();
    const wrong = await connect(trader, { secret: 'another-secret-that-is-wrong' });
    expect([wrong.status, wrong.body.code]).toEqual([409, 'broker_keys_refused']);
    alpaca.account.trading_blocked = true;
    const blocked = await connect(trader);
    expect([blocked.status, blocked.body.code]).toEqual([409, 'broker_account_blocked']);
    expect(await list(trader)).toEqual([]);
  });

  test('ten refused pairs of keys from an address are enough for an hour, whoever tries them', async () => {
    const sourceIp = '203.0.113.77';
    const tryKeys = async (secret: string) => {
      const { user_id, access_token } = await person();
      return hub.call('POST /connect_execution', {
        query: { user_id },
        headers: bearer(access_token),
        json: { adapter: 'alpaca', environment: 'paper', key_id: alpaca.keys.keyId, secret },
        sourceIp,
      });
    };
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await tryKeys(`guessed-secret-${tries}`)).body.code).toBe('broker_keys_refused');
    }
    const calls = alpaca.received.length;
    const refused = await tryKeys(alpaca.keys.secret);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(alpaca.received).toHaveLength(calls);
    expect((await connect(await person())).status).toBe(200);
    hub.advance(3_600_000);
    expect((await tryKeys(alpaca.keys.secret)).status).toBe(200);
  });

  test('is in the audit trail, as disconnecting is', async () => {
    const { user_id, access_token } = await person();
    hub.takeCalls();
    await connect({ user_id, access_token });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    await disconnect({ user_id, access_token });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    const { body } = await hub.call('GET /get_audit_trail', { query: { user_id } });
    expect(body.items).toMatchObject([
      { action: 'execution_disconnected', by: 'user' },
      { action: 'execution_connected', by: 'user', details: { adapter: 'alpaca', environment: 'paper' } },
    ]);
    // The account number is for sessions only.
    expect(JSON.stringify(body)).not.toContain('PA3TEST');
  });

  test('the same account again replaces its keys', async () => {
    const trader = await person();
    await connect(trader);
    const before = await findConnection(hub.runtime.store, trader.user_id, 'PA3TEST');
    expect((await connect(trader)).status).toBe(200);
    const after = await findConnection(hub.runtime.store, trader.user_id, 'PA3TEST');
    expect(after?.connection_id).not.toBe(before?.connection_id);
    expect(await list(trader)).toHaveLength(1);
  });

  test('a user connects ten accounts', async () => {
    const trader = await person();
    for (let number = 0; number < 10; number += 1) {
      alpaca.account.account_number = `PA${number}`;
      await connect(trader);
    }
    alpaca.account.account_number = 'PA10';
    expect((await connect(trader)).body.code).toBe('quota_reached');
    alpaca.account.account_number = 'PA9';
    expect((await connect(trader)).status).toBe(200);
  });

  test('a user connects ten accounts, also with several requests at once', async () => {
    const trader = await person();
    let number = 0;
    alpaca.trouble = () => {
      alpaca.account.account_number = `PA${number++}`;
      return undefined;
    };
    for (let connected = 0; connected < 8; connected += 1) await connect(trader);
    const answers = await Promise.all(Array.from({ length: 5 }, () => connect(trader)));
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      200,
      'quota_reached',
      'quota_reached',
      'quota_reached',
    ]);
    expect(await list(trader)).toHaveLength(10);
  });

  test('answers 502 in time when Alpaca fails', async () => {
    const trader = await person();
    const connectTo = async ([name, failure]: [string, Upstream['answer']]) => {
      const server = await startUpstream(failure);
      const stuck = hub.with({ HUB_ALPACA_PAPER_URL: server.url });
      const { status, body } = await stuck.call('POST /connect_execution', {
        query: { user_id: trader.user_id },
        headers: bearer(trader.access_token),
        json: { adapter: 'alpaca', environment: 'paper', key_id: 'PKTESTKEY', secret: 'secret-key' },
      });
      await server.close();
      return [name, status, body.code];
    };
    const answers = await withShortLimits(() => Promise.all(Object.entries(FAILURES).map(connectTo)));
    expect(answers).toEqual(Object.keys(FAILURES).map((name) => [name, 502, 'upstream_failed']));
  });
});

test('each operation needs the own session', async () => {
  const [trader, other] = [await person(), await person()];
  await connect(trader);
  const { user_id } = trader;
  const json = { adapter: 'alpaca', environment: 'paper', key_id: 'PKTESTKEY', secret: 'secret-key' };
  const calls = [
    ['POST /connect_execution', { query: { user_id }, json }],
    ['GET /get_execution_connections', { query: { user_id } }],
    ['POST /disconnect_execution', { query: { user_id, account_id: 'PA3TEST' } }],
  ] as const;
  for (const [route, request] of calls) {
    expect((await hub.call(route, request)).body.code).toBe('session_required');
    const foreign = await hub.call(route, { ...request, headers: bearer(other.access_token) });
    expect(foreign.body.code).toBe('session_mismatch');
  }
  const token = (await hub.call('POST /generate_token', { query: { user_id } })).body;
  const weak = await hub.call('GET /get_execution_connections', {
    query: { user_id },
    headers: bearer(token.token ?? token.platform_token ?? token.access_token),
  });
  expect(weak.body.code).toBe('platform_token_insufficient');
});

describe('disconnecting', () => {
  test('removes the keys', async () => {
    const trader = await person();
    await connect(trader);
    expect((await disconnect(trader)).body).toEqual({ disconnected: true });
    expect(await list(trader)).toEqual([]);
    expect((await disconnect(trader)).body.code).toBe('connection_unknown');
  });
});
