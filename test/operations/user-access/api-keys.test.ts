import { beforeEach, describe, expect, test } from '@jest/globals';
import { HubAuthenticationError, HubClient } from '../../../infra/client/package/src/index.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { makeKey, tryKey } from '../../support/api-keys.ts';
import type { Response as HubResponse, Request } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, outbox, PASSWORD, registerUnproven, sentCode, signUp } from '../../support/people.ts';
import { settleSecured } from '../../support/secured.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const READ = 'GET /get_kill_switch';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(SECOND));

interface Owner {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const owner = async (): Promise<Owner> => (await signUp(hub)).body;

const resultOf = ({ status, body }: HubResponse) => (status === 200 ? 200 : `${status} ${body.code}`);

const withKey = (api_key: string, user_id: string, more: Request = {}): Request => ({
  ...more,
  query: { user_id, ...Object.fromEntries(Object.entries(more.query ?? {})) },
  headers: bearer(api_key),
});

const as = ({ user_id, access_token }: Owner, more: Request = {}): Request =>
  withKey(access_token, user_id, more);

const read = async (api_key: string, user_id = 'me', more: Request = {}) =>
  resultOf(await hub.call(READ, withKey(api_key, user_id, more)));

const listed = async (who: Owner) => (await hub.call('GET /get_api_keys', as(who))).body.api_keys;

describe('an API key', () => {
  test('is made after a step-up, shown once, and stored as a hash', async () => {
    const { body } = await registerUnproven(hub);
    const unproven: Owner = (await login(hub, body.email)).body;
    const json = { name: 'My bot', scopes: ['read'] };
    expect(resultOf(await hub.call('POST /make_api_key', as(unproven, { json })))).toBe(
      '403 step_up_required',
    );
    const who = await owner();
    const request = as(who, { json: { ...json, addresses: ['203.0.113.0/24'] } });
    const headers = { ...request.headers, 'idempotency-key': 'make-one-key' };
    const made = await hub.call('POST /make_api_key', { ...request, headers });
    const now = hub.runtime.clock().getTime();
    const shown = {
      api_key_id: expect.stringMatching(/^[\w-]{12}$/),
      name: 'My bot',
      scopes: ['read'],
      addresses: ['203.0.113.0/24'],
      created_at: new Date(now - (now % SECOND)).toISOString(),
      expires_at: new Date(now - (now % SECOND) + 90 * DAY).toISOString(),
      last_used_at: null,
    };
    const { api_key, ...facts } = made.body;
    expect(facts).toEqual(shown);
    expect(api_key).toMatch(/^hub_key_[\w.-]{79}$/);
    const again = await hub.call('POST /make_api_key', { ...request, headers });
    expect(resultOf(again)).toBe('409 answer_shown_once');
    expect(await listed(who)).toEqual([{ ...shown, kind: 'key', host: null }]);
    expect(await hub.tableText()).not.toContain(api_key.slice(-43));
  });

  test('is announced to its owner by all channels, and in the list of security events', async () => {
    const who = await owner();
    const { api_key_id } = await makeKey(hub, who, ['manage', 'read']);
    const mails = (await outbox(hub)).filter(
      ({ message }) => message?.kind === 'notification_mail' && message.to === who.email,
    );
    expect(mails.map(({ message }) => message)).toMatchObject([
      { title: 'An API key was made', body: expect.stringContaining('read, manage'), group: 'security' },
    ]);
    const notes = await hub.call('GET /get_deployment_notifications', as(who));
    expect(notes.body.items).toMatchObject([{ kind: 'api_key_made', data: { api_key_id } }]);
    await hub.call('POST /revoke_api_key', as(who, { query: { api_key_id } }));
    const events = await hub.call('GET /get_security_events', as(who));
    const kinds = events.body.items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['api_key_made', 'api_key_revoked']));
  });

  test('acts for its user alone, by user_id or me', async () => {
    const [who, other] = [await owner(), await owner()];
    const { api_key } = await makeKey(hub, who, ['read']);
    expect(await read(api_key)).toBe(200);
    expect(await read(api_key, who.user_id)).toBe(200);
    expect(await read(api_key, other.user_id)).toBe('403 session_mismatch');
    // The user in a key is part of what is hashed.
    const moved = api_key.replace(who.user_id, other.user_id);
    expect(await read(moved, other.user_id)).toBe('401 api_key_invalid');
    const { keygen } = (await build(hub, { user_id: other.user_id })).body;
    const paper = (await makeKey(hub, who, ['trade:paper'])).api_key;
    expect(resultOf(await deployTrading(hub, keygen, {}, bearer(paper)))).toBe('403 session_mismatch');
  });

  test('is refused alike when it is unknown, wrong, malformed, revoked or expired', async () => {
    const who = await owner();
    const { api_key, api_key_id } = await makeKey(hub, who, ['read'], { expires_in_days: 1 });
    const short = (await makeKey(hub, who, ['read'])).api_key;
    const unknown = [
      api_key.replace(api_key_id, 'A'.repeat(12)),
      `${api_key.slice(0, -1)}${api_key.endsWith('A') ? 'E' : 'A'}`,
      api_key.replace(who.user_id, 'A'.repeat(22)),
      api_key.slice(0, -1),
      'hub_key_',
      `${api_key}.x`,
    ];
    const texts = new Set<string>();
    for (const one of unknown) {
      const refused = await hub.call(READ, withKey(one, 'me'));
      expect([resultOf(refused), refused.headers['www-authenticate']]).toEqual([
        '401 api_key_invalid',
        'Bearer',
      ]);
      texts.add(refused.text);
    }
    // Another case is another text.
    expect(await read(api_key.toUpperCase())).toBe('401 session_invalid');
    expect(await read(short)).toBe(200);
    await hub.call('POST /revoke_api_key', as(who, { query: { api_key_id: short.split('.')[1] ?? '' } }));
    texts.add((await hub.call(READ, withKey(short, 'me'))).text);
    hub.advance(DAY - 2 * SECOND);
    expect(await read(api_key)).toBe(200);
    hub.advance(3 * SECOND);
    texts.add((await hub.call(READ, withKey(api_key, 'me'))).text);
    expect([...texts]).toHaveLength(1);
  });

  test('is taken from the Authorization header alone, and never logged', async () => {
    const who = await owner();
    const { api_key } = await makeKey(hub, who, ['read']);
    const inCookie = await hub.call(READ, {
      query: { user_id: 'me' },
      cookies: [`__Host-session=${api_key}`],
    });
    expect(resultOf(inCookie)).toMatch(/^401 session_/);
    const inQuery = { user_id: 'me', api_key, token: api_key, authorization: api_key };
    expect(resultOf(await hub.call(READ, { query: inQuery }))).toBe('401 session_required');
    // The header prevails over the cookie of somebody else, and a foreign page may send it as any program.
    const other = await owner();
    const mixed = {
      query: { user_id: 'me' },
      headers: { Authorization: `bEaReR   ${api_key}`, origin: 'https://foreign.example' },
      cookies: [`__Host-session=${other.access_token}`],
    };
    expect(resultOf(await hub.call(READ, mixed))).toBe(200);
    expect(JSON.stringify(hub.log)).not.toContain(api_key.slice(0, 20));
  });

  test('costs no call more than a session, and notes its use once an hour', async () => {
    const who = await owner();
    const { api_key } = await makeKey(hub, who, ['read']);
    const callsOf = async (token: string) => {
      hub.takeCalls();
      await hub.call(READ, withKey(token, who.user_id));
      return hub.takeCalls();
    };
    const session = await callsOf(who.access_token);
    expect(await callsOf(api_key)).toEqual([...session, 'UpdateItem']);
    const first = hub.runtime.clock().getTime();
    hub.advance(HOUR - SECOND);
    expect(await callsOf(api_key)).toEqual(session);
    const [noted] = await listed((await login(hub, who.email)).body);
    expect(Math.abs(Date.parse(noted.last_used_at) - first)).toBeLessThan(2 * SECOND);
    hub.advance(2 * SECOND);
    expect(await callsOf(api_key)).toEqual([...session, 'UpdateItem']);
  });

  test('is used from its addresses only, of either version', async () => {
    const who = await owner();
    const addresses = ['203.0.113.0/24', '2001:db8:1::/48', '198.51.100.7'];
    const { api_key } = await makeKey(hub, who, ['read'], { addresses });
    const from = (sourceIp: string) => read(api_key, 'me', { sourceIp });
    for (const inside of ['203.0.113.250', '::ffff:203.0.113.1', '2001:db8:1:ffff::9', '198.51.100.7']) {
      expect(await from(inside)).toBe(200);
    }
    for (const outside of ['203.0.114.1', '2001:db8:2::1', '198.51.100.8', '::1', 'unknown']) {
      expect(await from(outside)).toBe('403 network_refused');
    }
  });

  test.each([
    '203.0.113.0/33',
    '2001:db8::/129',
    '1.2.3',
    'fe80::1%eth0',
    'example.com',
    '1.2.3.4/',
    '1.2.3.4/8/8',
  ])('is not made for the address %s', async (address) => {
    const refused = await tryKey(hub, await owner(), ['read'], { addresses: [address] });
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'addresses', 0], type: 'value_error.address_range' }] },
    });
  });

  test('is one of 20, without those that have expired', async () => {
    const who = await owner();
    for (let made = 0; made < 19; made++) await makeKey(hub, who, ['read']);
    await makeKey(hub, who, ['read'], { expires_in_days: 1 });
    expect(resultOf(await tryKey(hub, who, ['read']))).toBe('409 quota_reached');
    hub.advance(DAY);
    const again: Owner = (await login(hub, who.email)).body;
    await makeKey(hub, again, ['read']);
    expect(Object.keys((await findUser(hub.runtime.store, who.user_id))?.api_keys ?? {})).toHaveLength(20);
    const [{ api_key_id }] = await listed(again);
    for (let made = 1; made < 40; made++) {
      const [newest] = await listed(again);
      await hub.call('POST /revoke_api_key', as(again, { query: { api_key_id: newest.api_key_id } }));
      await makeKey(hub, again, ['read']);
    }
    await hub.call('POST /revoke_api_key', as(again, { query: { api_key_id } }));
    const [newest] = await listed(again);
    await hub.call('POST /revoke_api_key', as(again, { query: { api_key_id: newest.api_key_id } }));
    const refused = await tryKey(hub, again, ['read']);
    expect([resultOf(refused), refused.body.detail]).toEqual([
      '409 quota_reached',
      'At most 40 API keys are made, and assistants connected, in a day (UTC).',
    ]);
  });

  test('is revoked once, by whoever has a session, without a step-up', async () => {
    const who = await owner();
    const { api_key, api_key_id } = await makeKey(hub, who, ['read']);
    const plain: Owner = (await login(hub, who.email)).body;
    const revoke = () => hub.call('POST /revoke_api_key', as(plain, { query: { api_key_id } }));
    const both = await Promise.all([revoke(), revoke()]);
    expect(both.map(({ body }) => body.revoked).toSorted()).toEqual([false, true]);
    expect(await read(api_key)).toBe('401 api_key_invalid');
    expect((await revoke()).body).toEqual({ revoked: false });
    const odd = await hub.call('POST /revoke_api_key', as(plain, { query: { api_key_id: '__proto__' } }));
    expect(odd.body).toEqual({ revoked: false });
  });
});

test('the client works with a key, and names the scope that is missing', async () => {
  const { api_key } = await makeKey(hub, await owner(), ['read']);
  const send: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const { status, text, headers } = await hub.call(`${init?.method} ${url.pathname}`, {
      query: [...url.searchParams],
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' && { body: init.body }),
    });
    return new Response(text, { status, headers });
  };
  const client = (apiKey: string) => new HubClient({ baseUrl: 'https://hub.example', apiKey, fetch: send });
  const user_id = 'me';
  expect(await client(api_key).getRiskLimits({ user_id })).toMatchObject({ user: {} });
  const run = client(api_key).runBacktest({ user_id, body: { strategy_id: 1 } });
  await expect(run).rejects.toMatchObject({
    code: 'scope_insufficient',
    detail: 'This needs an API key with the scope research.',
  });
  const unknown = client(`${api_key}x`).getRiskLimits({ user_id });
  await expect(unknown).rejects.toThrow(HubAuthenticationError);
  await expect(unknown).rejects.toMatchObject({ code: 'api_key_invalid' });
});

describe('kept answers', () => {
  test('of a key are for that key alone, and a revoked one gets none', async () => {
    const who = await owner();
    const [one, two] = [await makeKey(hub, who, ['research']), await makeKey(hub, who, ['research'])];
    const send = (token: string) => {
      const query = { symbol: 'AAPL', timeframe: '1d', strategy_name: 'Kept' };
      const request = withKey(token, who.user_id, { query });
      const headers = { ...request.headers, 'idempotency-key': 'same-for-all' };
      return hub.call('POST /build_new_strategy', { ...request, headers });
    };
    const first = await send(one.api_key);
    expect(resultOf(first)).toBe(200);
    expect((await send(one.api_key)).headers['idempotent-replayed']).toBe('true');
    expect(resultOf(await send(two.api_key))).toBe('409 name_taken');
    expect(resultOf(await send(who.access_token))).toBe('409 name_taken');
    await hub.call('POST /revoke_api_key', as(who, { query: { api_key_id: one.api_key_id } }));
    expect(resultOf(await send(one.api_key))).toBe('401 api_key_invalid');
  });
});

describe('a key for trading', () => {
  const trading = async (who: Owner, mode: 'live' | 'virtual'): Promise<string> => {
    const { keygen } = (await build(hub, { user_id: who.user_id })).body;
    const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
    if (mode === 'live') await hub.runtime.store.transact([{ key: keys.deployment(id), set: { mode } }]);
    await report(hub, 'Deployment Started', id);
    hub.advance(SECOND);
    return String(id);
  };
  const command = async (api_key: string, path: string, query: Record<string, string>) =>
    resultOf(await hub.call(`POST /${path}`, withKey(api_key, 'me', { query })));

  test('on paper reaches no real deployment; one for real trading stops it, and nothing resumes it', async () => {
    const who = await owner();
    const paper = (await makeKey(hub, who, ['trade:paper', 'read', 'manage', 'research'])).api_key;
    const { api_key: real, api_key_id } = await makeKey(hub, who, ['trade:real']);
    const [real_id, paper_id] = [await trading(who, 'live'), await trading(who, 'virtual')];
    await reportOrder(hub, Number(real_id), { client_order_id: 'o-1' });
    await enterAll(hub);
    const book = await hub.call(
      'GET /get_live_strategy_order_book',
      as(who, { query: { deployment_id: real_id } }),
    );
    const { order_id } = book.body.items[0];
    const close = (api_key: string, path: string) =>
      command(api_key, path, { order_id: String(order_id), close_value: '101' });
    expect(await close(paper, 'update_live_trade')).toBe('403 scope_insufficient');
    const renamed = { ob: String(order_id), symbol: 'AAPL.B' };
    expect(await command(paper, 'update_live_trade_in_order_book', renamed)).toBe('403 scope_insufficient');
    expect(await close(real, 'update_live_trade')).toBe(200);
    for (const path of [
      'pause_deployment',
      'stop_deployment',
      'resume_deployment',
      'undeploy_live_strategy',
    ]) {
      expect(await command(paper, path, { deployment_id: real_id })).toBe('403 scope_insufficient');
    }
    expect(await command(real, 'pause_deployment', { deployment_id: real_id })).toBe(200);
    expect(await command(real, 'resume_deployment', { deployment_id: real_id })).toBe('403 step_up_required');
    expect(await command(real, 'stop_deployment', { deployment_id: real_id, flatten: 'true' })).toBe(200);
    const trail = await hub.call('GET /get_audit_trail', as(who));
    expect(trail.body.items[0]).toMatchObject({
      action: 'deployment_stop_requested',
      by: 'user',
      details: { flatten: true, api_key_id },
    });
    expect(await command(real, 'undeploy_live_strategy', { deployment_id: real_id })).toBe(200);
    expect(await command(paper, 'pause_deployment', { deployment_id: paper_id })).toBe(200);
    expect(await command(paper, 'resume_deployment', { deployment_id: paper_id })).toBe(200);
    expect(await command(real, 'stop_deployment', { deployment_id: paper_id })).toBe(200);
  });

  test('narrowed by a header reaches no more than both allow, and shows that', async () => {
    const who = await owner();
    const { api_key } = await makeKey(hub, who, ['trade:real', 'read']);
    const narrow = (most: string, path: string, query: Record<string, string> = {}) => {
      const request = withKey(api_key, 'me', { query });
      return hub.call(path, { ...request, headers: { ...request.headers, 'hub-scopes': most } });
    };
    const shown = async (most: string) => (await narrow(most, 'GET /get_own_access')).body.scopes;
    expect(await shown('read research trade:paper')).toEqual(['read', 'trade:paper']);
    expect(await shown('manage trade:real')).toEqual(['trade:paper', 'trade:real']);
    expect(await shown('')).toEqual([]);
    const deployment_id = await trading(who, 'live');
    const pause = (most: string) => narrow(most, 'POST /pause_deployment', { deployment_id });
    expect(resultOf(await pause('read trade:paper'))).toBe('403 scope_insufficient');
    expect(resultOf(await pause('trade:real'))).toBe(200);
    const own = await hub.call('GET /get_own_access', as(who));
    expect(own.body).toEqual({ kind: 'session', scopes: [], by_oauth: false, expires_at: null });
  });

  test('starts nothing real, re-arms no switch and raises no limit, in an account without a factor, too', async () => {
    const who = await owner();
    const { strategy_id } = (await build(hub, { user_id: who.user_id })).body;
    const every = ['read', 'research', 'trade:paper', 'trade:real', 'manage'] as const;
    const { api_key, api_key_id } = await makeKey(hub, who, every);
    const deploy = (form: Record<string, string>) =>
      deployTrading(hub, `strategy:${strategy_id}`, form, bearer(api_key)).then(resultOf);
    expect(await deploy({ mode: 'live' })).toBe('403 step_up_required');
    expect(await deploy({ mode: 'live', account_id: 'A-1' })).toBe('403 step_up_required');
    expect(await deploy({})).toBe(200);
    const post = async (path: string, json: unknown) =>
      resultOf(await hub.call(`POST /${path}`, withKey(api_key, 'me', { json })));
    expect(await post('kill_switch', { action: 'throw', reason: 'Now.' })).toBe(200);
    expect(await post('kill_switch', { action: 're_arm', reason: 'Now.' })).toBe('403 step_up_required');
    expect(await post('set_risk_limits', { limits: { daily_loss: 100 } })).toBe(200);
    expect(await post('set_risk_limits', { limits: { daily_loss: 50 } })).toBe(200);
    expect(await post('set_risk_limits', { limits: { daily_loss: 51 } })).toBe('403 step_up_required');
    expect(await post('set_risk_limits', { limits: {} })).toBe('403 step_up_required');
    const trail = await hub.call('GET /get_audit_trail', as(who));
    expect(trail.body.items).toMatchObject(
      ['risk_limits_set', 'risk_limits_set', 'kill_switch_thrown'].map((action) => ({
        action,
        by: 'user',
        details: { api_key_id },
      })),
    );
    expect(await post('set_notification_preferences', { groups: { risk: { email: false } } })).toBe(200);
    expect(await post('set_notification_preferences', { groups: { security: { email: false } } })).toBe(
      '403 scope_insufficient',
    );
  });

  test('is no session that comes along', async () => {
    const { api_key } = await makeKey(hub, await owner(), ['manage']);
    const access = await hub.call('GET /partnerc_access', { headers: bearer(api_key) });
    expect(access.status).toBe(403);
    const out = await hub.call('POST /session/logout', { headers: bearer(api_key) });
    expect([resultOf(out), await read(api_key)]).toEqual([200, '403 scope_insufficient']);
    const renewed = await hub.call('POST /session/relogin', { headers: bearer(api_key) });
    expect(renewed.status).toBe(401);
  });
});

describe('the end of keys', () => {
  const ENDS: readonly (readonly [string, (who: Owner) => Promise<HubResponse>])[] = [
    [
      'a reset of the password',
      async ({ email }) => {
        await hub.call('POST /send_otp_password_reset', { query: { email } });
        const otp = (await sentCode(hub, email)) ?? '';
        return hub.call('POST /reset_password', { query: { email, new_password: 'another password', otp } });
      },
    ],
    [
      'a change of the password',
      (who) =>
        hub.call(
          'POST /change_password',
          as(who, { json: { password: PASSWORD, new_password: 'another password' } }),
        ),
    ],
    ['the end of all grants', (who) => hub.call('POST /end_grants', as(who))],
    [
      'the deletion of the account',
      (who) => hub.call('POST /delete_account', as(who, { json: { email: who.email, password: PASSWORD } })),
    ],
  ];

  test.each(ENDS)('is %s', async (_, end) => {
    const who = await owner();
    const { api_key } = await makeKey(hub, who, ['read']);
    const grants = await hub.call('GET /get_grants', as(who));
    expect(grants.body.grants).toMatchObject([{ kind: 'api_key', name: 'My bot' }]);
    expect((await end(who)).status).toBe(200);
    expect(await read(api_key, who.user_id)).toBe('401 api_key_invalid');
    await settleSecured(hub);
    expect(await read(api_key)).toBe('401 api_key_invalid');
    expect((await findUser(hub.runtime.store, who.user_id))?.api_keys).toBeUndefined();
  });

  test('is not a change of the password that keeps the others', async () => {
    const who = await owner();
    const { api_key } = await makeKey(hub, who, ['read']);
    const json = { password: PASSWORD, new_password: 'another password', end_others: false };
    expect((await hub.call('POST /change_password', as(who, { json }))).body).toEqual({ ended: 0 });
    expect(await read(api_key)).toBe(200);
  });

  test('is the first proof of the e-mail, in a session or by a reset', async () => {
    for (const proof of ['session', 'reset'] as const) {
      hub.advance(HOUR);
      const { body } = await registerUnproven(hub);
      const who: Owner = (await login(hub, body.email)).body;
      const { api_key } = await makeKey(hub, who, ['read']);
      const { email } = who;
      if (proof === 'session') {
        const code = await sentCode(hub, email, 'email_proof');
        expect((await hub.call('POST /confirm_email', as(who, { json: { code } }))).status).toBe(200);
      } else {
        await hub.call('POST /send_otp_password_reset', { query: { email } });
        const otp = (await sentCode(hub, email)) ?? '';
        const query = { email, new_password: 'another password', otp };
        expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
      }
      expect(await read(api_key)).toBe('401 api_key_invalid');
    }
  });
});
