import { describe, expect, test } from '@jest/globals';
import type { Request } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, freshEmail, login, outbox, PASSWORD, register, stepUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';

const NEW_PASSWORD = 'another password';
const DAY = 24 * 3_600_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const PLACE = '198.51.100.0/24';

const hub = await openHub(furnishWithInstruments);

interface Entered {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const from = (userAgent: string, sourceIp: string) => ({ headers: { 'user-agent': userAgent }, sourceIp });
const enter = (email: string, password = PASSWORD, where: Request = from(FIREFOX, '198.51.100.7')) =>
  hub.call('POST /login', { form: { username: email, password }, ...where });

const owner = async (): Promise<Entered> => {
  const { body } = await register(hub);
  return (await enter(body.email)).body;
};

/** Returns an owner in a session that is stepped up. */
const steppedUp = async (): Promise<Entered> => {
  const who = await owner();
  await stepUp(hub, who.user_id);
  return who;
};

const as = ({ user_id, access_token }: Entered, request: Request = {}): Request => ({
  ...request,
  query: { user_id, ...Object.fromEntries(Object.entries(request.query ?? {})) },
  headers: bearer(access_token),
});

const eventsOf = async (who: Entered, query = {}): Promise<Record<string, unknown>[]> =>
  (await hub.call('GET /get_security_events', as(who, { query }))).body.items;

const kindsOf = async (who: Entered) => (await eventsOf(who)).map(({ kind }) => kind);

describe('security events', () => {
  test('show sign-ins by device and network, at no further call', async () => {
    const { body } = await register(hub);
    hub.takeCalls();
    const who: Entered = (await enter(body.email)).body;
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'GetItem', 'TransactWriteItems']);
    await enter(body.email);
    await enter(body.email, PASSWORD, from('curl/8.0', '2001:db8:1:2::3'));
    const events = await eventsOf(who);
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'signed_in', device: 'Firefox on Linux', place: PLACE, count: 2 }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'signed_in', place: '2001:db8:1::/48', count: 1 }),
    );
    const { sessions } = (await hub.call('GET /get_sessions', as(who))).body;
    expect(sessions).toContainEqual(expect.objectContaining({ device: 'Firefox on Linux', place: PLACE }));
    expect(await hub.tableText()).not.toContain('198.51.100.7');
  });

  test('count failed sign-ins of strangers by day, so nobody floods the list', async () => {
    const who = await owner();
    for (let n = 0; n < 12; n++) await enter(who.email, 'wrong', from('curl/8.0', `203.0.113.${n}`));
    hub.advance(DAY);
    const again: Entered = (await enter(who.email)).body;
    await enter(who.email, 'wrong', from('curl/8.0', '203.0.113.77'));
    const failed = (await eventsOf(again)).filter(({ kind }) => kind === 'sign_in_failed');
    // Past the five of an e-mail, nothing is checked and nothing counted.
    expect(failed.map(({ count }) => count)).toEqual([1, 5]);
    expect(failed[0]).toMatchObject({ place: '203.0.113.0/24' });
  });

  test('cost an unknown e-mail the same calls', async () => {
    const who = await owner();
    hub.takeCalls();
    const known = await enter(who.email, 'wrong');
    const calls = hub.takeCalls();
    const unknown = await enter(freshEmail(), 'wrong');
    expect(hub.takeCalls()).toEqual(calls);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  });

  test('show what was made and what ended, the last first', async () => {
    const who = await owner();
    const { keygen } = (await build(hub, { user_id: who.user_id })).body;
    const { deployment_id } = (await hub.call('POST /deploy_notification_strategy', { query: { keygen } }))
      .body;
    const query = { deployment_id: String(deployment_id) };
    const steps: readonly (readonly [string, Request])[] = [
      ['POST /generate_token', {}],
      ['POST /create_signal_hook', { query }],
      ['POST /revoke_signal_hook', { query }],
      ['POST /end_session', { query: { others: 'true' } }],
    ];
    for (const [routeKey, request] of steps) {
      hub.advance(1000);
      expect([routeKey, (await hub.call(routeKey, as(who, request))).status]).toEqual([routeKey, 200]);
    }
    expect(await kindsOf(who)).toEqual([
      'sessions_ended',
      'signal_address_revoked',
      'signal_address_made',
      'platform_token_made',
      'signed_in',
    ]);
  });

  test('count refused signals with the reason, but not those of strangers', async () => {
    const who = await owner();
    const { keygen } = (await build(hub, { user_id: who.user_id })).body;
    const { deployment_id } = (await hub.call('POST /deploy_notification_strategy', { query: { keygen } }))
      .body;
    const hook = await hub.call(
      'POST /create_signal_hook',
      as(who, { query: { deployment_id: String(deployment_id) } }),
    );
    const token = new URL(hook.body.url).pathname.split('/').at(-1) ?? '';
    const json = { action: 'buy', symbol: 'NONE' };
    const stranger = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    expect((await hub.call('POST /hooks/{token}', { params: { token: stranger }, json })).status).toBe(404);
    expect(await kindsOf(who)).not.toContain('signals_refused');
    for (let n = 0; n < 3; n++) {
      expect((await hub.call('POST /hooks/{token}', { params: { token }, json })).status).toBe(422);
    }
    expect(await eventsOf(who)).toContainEqual(
      expect.objectContaining({ kind: 'signals_refused', count: 3, detail: 'invalid' }),
    );
  });

  test('are paged, and shown to a session of the user only', async () => {
    const who = await owner();
    for (let day = 0; day < 3; day++) {
      hub.advance(DAY);
      await enter(who.email);
    }
    const again: Entered = (await enter(who.email)).body;
    const { body } = await hub.call(
      'GET /get_security_events',
      as(again, { query: { page: '2', size: '3' } }),
    );
    expect(body).toMatchObject({ total: 4, page: 2, pages: 2 });
    expect(body.items).toHaveLength(1);
    const bare = await hub.call('GET /get_security_events', { query: { user_id: who.user_id } });
    expect([bare.status, bare.body.code]).toEqual([401, 'session_required']);
  });
});

describe('a change of the password', () => {
  const change = (who: Entered, json: object) => hub.call('POST /change_password', as(who, { json }));

  test('needs the present one, and ends all else that is signed in', async () => {
    const who = await steppedUp();
    const other: Entered = (await enter(who.email)).body;
    const { token } = (await hub.call('POST /generate_token', as(who))).body;
    const wrong = await change(who, { password: 'wrong', new_password: NEW_PASSWORD });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'credentials_invalid']);
    const changed = await change(who, { password: PASSWORD, new_password: NEW_PASSWORD });
    expect([changed.status, changed.body]).toEqual([200, { ended: 2 }]);
    expect((await hub.call('GET /get_sessions', as(who))).status).toBe(200);
    for (const access_token of [other.access_token, token]) {
      expect((await hub.call('GET /get_sessions', as({ ...who, access_token }))).status).toBe(401);
    }
    expect((await enter(who.email)).status).toBe(401);
    expect((await enter(who.email, NEW_PASSWORD)).status).toBe(200);
    expect(await kindsOf(who)).toContain('password_changed');
    expect((await outbox(hub)).map(({ message }) => message)).toContainEqual({
      kind: 'account_secured',
      user_id: who.user_id,
      by: 'settings',
    });
  });

  test('keeps the other sessions if the user chooses so, and knows the device again', async () => {
    const who = await steppedUp();
    const other: Entered = (await enter(who.email)).body;
    const json = { password: PASSWORD, new_password: NEW_PASSWORD, end_others: false };
    const changed = await change(who, json);
    expect(changed.body).toEqual({ ended: 0 });
    expect((await hub.call('GET /get_sessions', as(other))).status).toBe(200);
    const device = changed.cookies.find((cookie) => cookie.startsWith('__Host-device='))?.split(';')[0];
    for (let n = 0; n < 5; n++) await enter(who.email, 'wrong', { sourceIp: `192.0.2.${n}` });
    expect((await enter(who.email, NEW_PASSWORD)).status).toBe(429);
    const form = { username: who.email, password: NEW_PASSWORD };
    const entered = await hub.call('POST /login', { form, cookies: [device ?? ''] });
    expect(entered.status).toBe(200);
  });

  test('counts wrong passwords of the sessions, apart from sign-ins, and is refused to a platform token', async () => {
    const who = await steppedUp();
    const { token } = (await hub.call('POST /generate_token', as(who))).body;
    const json = { password: PASSWORD, new_password: NEW_PASSWORD };
    const refused = await change({ ...who, access_token: token }, json);
    expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
    for (let n = 0; n < 5; n++) await change(who, { ...json, password: `guess ${n}` });
    expect((await change(who, json)).status).toBe(429);
    const other = await login(hub, who.email);
    expect(other.status).toBe(200);
    expect((await change({ ...who, access_token: other.body.access_token }, json)).body.code).toBe(
      'step_up_required',
    );
  });

  test('takes effect once of several at the same time', async () => {
    const who = await steppedUp();
    const answers = await Promise.all(
      [1, 2, 3].map((n) => change(who, { password: PASSWORD, new_password: `new password ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
