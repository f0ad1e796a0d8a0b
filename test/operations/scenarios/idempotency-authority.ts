import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';
import type { Operation } from '../../../shared/api/operation.ts';
import { fingerprint } from '../../../shared/auth/key-ring.ts';
import { riskGrantWrite, suspensionWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { clientWrite } from '../../../shared/data/users/clients.ts';
import { SCENARIOS } from '../../bench/scenarios.ts';
import { registerAtBroker, tokenOf } from '../../support/brokers.ts';
import type { Request, Response } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { bearer, freshEmail, PASSWORD } from '../../support/people.ts';
import { world } from './world.ts';

let made = 0;

interface Kept {
  readonly first: Response;
  /** Sends the request with its key again, with changed parts if they are given. */
  readonly again: (changed?: Request) => Promise<Response>;
}

/** Sends a request with a fresh Idempotency-Key, which is answered and then repeated. */
const keep = async (routeKey: string, request: Request): Promise<Kept> => {
  const key = { 'idempotency-key': `authority-${++made}` };
  const send = (sent: Request) => world.hub.call(routeKey, { ...sent, headers: { ...sent.headers, ...key } });
  const first = await send(request);
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
  const again = (changed: Request = {}) => send({ ...request, ...changed });
  expect((await again()).headers['idempotent-replayed']).toBe('true');
  return { first, again };
};

const expectRepeated = ({ status, text }: Response, first: Response): void =>
  expect([status, text]).toEqual([200, first.text]);

const expectRefused = ({ status, body, headers }: Response, ...expected: [number, string]): void =>
  expect([status, body.code, headers['idempotent-replayed']]).toEqual([...expected, undefined]);

const suspend = (subdomain: string, since: Date | undefined = world.hub.runtime.clock()): Promise<void> =>
  world.hub.runtime.store.transact([suspensionWrite(subdomain, since)]);

const prepare = async (routeKey: string): Promise<Request> => {
  world.hub.advance(1000);
  const request = await SCENARIOS[routeKey]?.(world);
  if (!request) throw new Error('the operation has no scenario');
  return request;
};

const deleteAccount = async ({ user_id, email }: { user_id: string; email: string }): Promise<Response> => {
  const signedIn = await world.hub.call('POST /login', { form: { username: email, password: PASSWORD } });
  return world.hub.call('POST /delete_account', {
    query: { user_id },
    json: { email, password: PASSWORD },
    headers: bearer(signedIn.body.access_token),
  });
};

const postsOf = (kind: Operation['caller']): string[] =>
  OPERATIONS.filter(({ method, caller }) => method === 'POST' && caller === kind).map(
    ({ routeKey }) => routeKey,
  );

describe.each(postsOf('integrator'))('a kept answer of %s', (routeKey) => {
  test('is repeated only to a broker that may call the operation now', async () => {
    const request = await prepare(routeKey);
    const { broker, ...rest } = Object(request.authorized);
    const { again } = await keep(routeKey, request);
    const before = await again();
    await suspend(broker);
    expectRefused(await again(), 403, 'broker_suspended');
    await world.hub.runtime.store.transact([suspensionWrite(broker, undefined)]);
    expect((await again()).text).toBe(before.text);
    const scope = 'broker:read';
    expectRefused(await again({ authorized: { ...rest, broker, scope } }), 403, 'scope_insufficient');
    expectRefused(
      await again({ authorized: { ...rest, broker, expires_at: 1 } }),
      401,
      'access_token_invalid',
    );
  });
});

test('a kept answer of a kill switch is not repeated without the grant of the operator', async () => {
  const request = await prepare('POST /broker/kill_switch');
  const { again } = await keep('POST /broker/kill_switch', request);
  const { broker } = Object(request.authorized);
  await world.hub.runtime.store.transact([riskGrantWrite(broker, undefined)]);
  expectRefused(await again(), 403, 'scope_insufficient');
});

describe('a kept answer to a secret of a broker', () => {
  test.each(['POST /generate_partnera_token', 'POST /partnerb/generate_token'])(
    'of %s is not repeated while the broker is suspended, or after its secret ended',
    async (routeKey) => {
      const { hub } = world;
      const broker = await world.broker();
      const headers = bearer(broker.secret);
      const { again } = await keep(routeKey, { query: { account_id: '1', server_id: '5' }, headers });
      await suspend(broker.subdomain);
      expectRefused(await again(), 403, 'broker_suspended');
      await hub.runtime.store.transact([suspensionWrite(broker.subdomain, undefined)]);
      const query = { broker_name: broker.broker_name, email: 'desk@broker.example' };
      const first = await hub.call('POST /create_partnera_subdomain_secret', { query, headers });
      const next = { query, headers: bearer(first.body.secret) };
      expect((await hub.call('POST /create_partnera_subdomain_secret', next)).status).toBe(200);
      expectRefused(await again(), 401, 'broker_secret_invalid');
    },
  );

  test('of a handshake is not repeated while the broker is suspended', async () => {
    const { guid, secret, subdomain } = await world.broker();
    const query = { broker_guid: guid, support_email: 'help@broker.example' };
    const { first, again } = await keep('POST /partnera_auth', { query, headers: bearer(secret) });
    await suspend(subdomain);
    expectRefused(await again(), 403, 'broker_suspended');
    await world.hub.runtime.store.transact([suspensionWrite(subdomain, undefined)]);
    expectRepeated(await again(), first);
  });

  test('of a registration with its token is not repeated while the broker is suspended', async () => {
    const broker = await world.broker();
    const partner_token = await tokenOf(world.hub, broker, 'account-9');
    const form = { email: freshEmail(), password: PASSWORD, broker_domain: broker.subdomain, partner_token };
    const { first, again } = await keep('POST /register_user_broker', { form });
    await suspend(broker.subdomain);
    expectRefused(await again(), 403, 'broker_suspended');
    await world.hub.runtime.store.transact([suspensionWrite(broker.subdomain, undefined)]);
    expectRepeated(await again(), first);
    expect((await registerAtBroker(world.hub, broker.subdomain, form)).status).toBe(409);
  });
});

describe('a kept answer to a key', () => {
  test('of an application is not repeated after the key was revoked', async () => {
    const { store } = world.hub.runtime;
    const auth = 'a-key-to-revoke';
    await store.transact([clientWrite('Short', fingerprint(auth))]);
    const json = { email: freshEmail(), password: PASSWORD, name: 'Ada' };
    const { first, again } = await keep('POST /register_user', { query: { auth }, json });
    expectRepeated(await again(), first);
    await store.delete(keys.client(fingerprint(auth)));
    expectRefused(await again(), 401, 'client_key_invalid');
  });

  test.each(postsOf('deploy_key'))(
    'of a strategy, by %s, is not repeated after the key was replaced or the owner left',
    async (routeKey) => {
      const { hub } = world;
      const request = { ...(await prepare(routeKey)), headers: {} };
      const owner = await world.person();
      const { keygen, strategy_id } = await world.strategy(owner);
      const { again } = await keep(routeKey, { ...request, query: { ...Object(request.query), keygen } });
      const query = { user_id: owner.user_id, strategy_id };
      await hub.call('POST /archive_strategy', { query });
      expect((await again()).status).toBe(200);
      await hub.call('POST /rotate_keygen', { query, headers: bearer(owner.access_token) });
      expectRefused(await again(), 404, 'strategy_unknown');
      const leaving = await world.person();
      const other = await world.strategy(leaving);
      const kept = await keep(routeKey, {
        ...request,
        query: { ...Object(request.query), keygen: other.keygen },
      });
      expect((await deleteAccount(leaving)).status).toBe(200);
      expectRefused(await kept.again(), 404, 'strategy_unknown');
    },
  );

  test('of a signal hook is not repeated after the hook was revoked', async () => {
    const own = await prepare('POST /create_signal_hook');
    const { body } = await world.hub.call('POST /create_signal_hook', own);
    const token = body.url.slice(body.url.lastIndexOf('/') + 1);
    const json = { action: 'buy', symbol: 'AAPL', quantity: '2', price: '231.6' };
    const signal = { params: { token }, json };
    const { first, again } = await keep('POST /hooks/{token}', signal);
    expectRepeated(await again(), first);
    expect((await world.hub.call('POST /revoke_signal_hook', own)).status).toBe(200);
    expectRefused(await again(), 404, 'hook_unknown');
  });
});

describe('a kept answer with a session', () => {
  const SIGN_INS: Readonly<Record<string, (email: string) => Promise<Request>>> = {
    'POST /login': async (username) => ({ form: { username, password: PASSWORD } }),
    'POST /register_login': async (email) => ({ form: { email, password: PASSWORD } }),
    'POST /auth/idp': async (email) => ({ json: { provider: 'idp', id_token: await world.idToken(email) } }),
    'POST /session/relogin': async (username) => {
      const form = { username, password: PASSWORD };
      const { body } = await world.hub.call('POST /login', { form });
      return { cookies: [`__Secure-refresh_token=${body.refresh_token}`] };
    },
  };

  test.each(Object.entries(SIGN_INS))(
    'of %s is repeated only while the session holds',
    async (routeKey, ask) => {
      const { email } = await world.person();
      const { first, again } = await keep(routeKey, await ask(email));
      expectRepeated(await again(), first);
      const headers = bearer(first.body.access_token);
      await world.hub.call('POST /session/logout', { headers });
      expectRefused(await again(), 401, 'session_invalid');
    },
  );

  test.each(Object.entries(SIGN_INS))(
    'of %s is not repeated after the account was deleted',
    async (routeKey, ask) => {
      const { email, user_id } = await world.person();
      const { again } = await keep(routeKey, await ask(email));
      expect((await deleteAccount({ user_id, email })).status).toBe(200);
      expectRefused(await again(), 401, 'session_invalid');
    },
  );

  test('is repeated to no caller with less than a session', async () => {
    const { user_id, access_token } = await world.person();
    const json = { action: 'throw', reason: 'Prices are wrong.' };
    const own = { query: { user_id }, json, headers: bearer(access_token) };
    const { first, again } = await keep('POST /kill_switch', own);
    expectRepeated(await again(), first);
    await world.hub.call('POST /session/logout', { headers: bearer(access_token) });
    expectRefused(await again(), 401, 'session_invalid');
    expectRefused(await again({ headers: {} }), 401, 'session_required');
    const { body } = await world.hub.call('POST /generate_token', { query: { user_id } });
    expectRefused(await again({ headers: bearer(body.token) }), 403, 'platform_token_insufficient');
  });

  test('is repeated to a platform token of a session where one may call the operation', async () => {
    const { user_id, access_token } = await world.person();
    const wanted = { strategy_name: 'Morning', symbol: 'AAPL', timeframe: '1d' };
    const own = { query: { user_id, ...wanted }, headers: bearer(access_token) };
    const { first, again } = await keep('POST /build_new_strategy', own);
    const made = await world.hub.call('POST /generate_token', {
      query: { user_id },
      headers: bearer(access_token),
    });
    expectRepeated(await again({ headers: bearer(made.body.token) }), first);
    // One that the user_id alone made proves no more than that.
    const { body } = await world.hub.call('POST /generate_token', { query: { user_id } });
    expectRefused(await again({ headers: bearer(body.token) }), 401, 'session_required');
  });

  test('is repeated to another session of the user', async () => {
    const { user_id, email, access_token } = await world.person();
    const json = { action: 'throw', reason: 'Prices are wrong.' };
    const own = { query: { user_id }, json, headers: bearer(access_token) };
    const { first, again } = await keep('POST /kill_switch', own);
    const form = { username: email, password: PASSWORD };
    const { body } = await world.hub.call('POST /login', { form });
    expectRepeated(await again({ headers: bearer(body.access_token) }), first);
  });
});

test('a kept answer to a code is not repeated after the account was deleted', async () => {
  const request = await prepare('POST /validate_sms_otp');
  const { email } = Object(request.query);
  const { first, again } = await keep('POST /validate_sms_otp', request);
  expectRepeated(await again(), first);
  const form = { username: email, password: PASSWORD };
  const { user_id } = (await world.hub.call('POST /login', { form })).body;
  expect((await deleteAccount({ user_id, email })).status).toBe(200);
  expectRefused(await again(), 401, 'code_invalid');
});

test('a kept answer to a user_id is not repeated once the user is gone', async () => {
  const person = await world.person();
  const query = { user_id: person.user_id, symbol: 'AAPL', timeframe: '1d', strategy_name: 'Morning' };
  const { first, again } = await keep('POST /build_new_strategy', { query });
  expectRepeated(await again(), first);
  expect((await deleteAccount(person)).status).toBe(200);
  for (let minute = 0; minute < 4; minute++) {
    await runJob(world.hub.runtime, { job: 'delete-accounts' });
    world.hub.advance(60_000);
  }
  expectRefused(await again(), 404, 'user_unknown');
});
