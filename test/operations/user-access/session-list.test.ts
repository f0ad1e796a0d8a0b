import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { bearer, furnish, login, PASSWORD, register, signUp } from '../../support/people.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

let hub: TestHub;
let plain: TestHub;
beforeAll(async () => {
  hub = await startHub();
  plain = hub.with({ HUB_PUBLIC_URL: 'http://localhost:3000' });
  await furnish(hub);
});
afterAll(() => hub.close());

const codeOf = ({ status, body }: Response) => [status, body.code];
const ME = { user_id: 'me' };

const isAlive = async (token: string): Promise<boolean> =>
  (await hub.call('POST /verify_session', { headers: bearer(token) })).status === 200;

const renew = (token: string): Promise<Response> =>
  hub.call('POST /session/relogin', { headers: bearer(token) });

/** Cookies of an answer as the browser sends them to a path. */
const jarOf = (cookies: readonly string[]): string[] =>
  cookies.filter((cookie) => !cookie.includes('Max-Age=0')).map((cookie) => cookie.split(';', 1).join(''));

const list = async (token: string) =>
  (await hub.call('GET /get_sessions', { query: ME, headers: bearer(token) })).body.sessions;

const end = (token: string, query: Record<string, string>): Promise<Response> =>
  hub.call('POST /end_session', { query: { ...ME, ...query }, headers: bearer(token) });

describe('signing out', () => {
  test('ends the session of the cookies and clears them', async () => {
    const { body, cookies } = await signUp(hub);
    const jar = jarOf(cookies);
    const answer = await hub.call('POST /session/logout', { cookies: jar });
    expect([answer.status, answer.body]).toEqual([200, { signed_out: true }]);
    expect(answer.cookies).toEqual([
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Secure-refresh_token=; Max-Age=0; Path=/session; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect(await isAlive(body.access_token)).toBe(false);
    expect((await renew(body.refresh_token)).status).toBe(401);
    const again = await hub.call('POST /session/logout', { cookies: jar });
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  test('clears the plain cookies at an http address', async () => {
    const { body: user } = await register(plain);
    const { cookies } = await login(plain, user.email);
    const answer = await plain.call('POST /session/logout', {
      cookies: jarOf(cookies),
    });
    expect(answer.cookies.map((cookie) => cookie.split('; Path', 1).join(''))).toEqual([
      'session=; Max-Age=0',
      'refresh_token=; Max-Age=0',
    ]);
  });

  test('works by the refresh cookie alone, as the access cookie lasts 15 minutes', async () => {
    const { body } = await signUp(hub);
    await hub.call('POST /session/logout', { cookies: [`__Secure-refresh_token=${body.refresh_token}`] });
    expect(await isAlive(body.access_token)).toBe(false);
  });

  test.each(['access_token', 'refresh_token'])('works by the %s as bearer', async (token) => {
    const { body } = await signUp(hub);
    const { status } = await hub.call('POST /session/logout', { headers: bearer(body[token]) });
    expect([status, await isAlive(body.access_token)]).toEqual([200, false]);
  });

  test('leaves other sessions, and those of other users', async () => {
    const { body: one } = await signUp(hub);
    const { body: two } = await login(hub, one.email);
    const { body: other } = await signUp(hub);
    await hub.call('POST /session/logout', { headers: bearer(one.access_token) });
    expect([await isAlive(two.access_token), await isAlive(other.access_token)]).toEqual([true, true]);
  });

  test('ends a platform token alone', async () => {
    const { body } = await signUp(hub);
    const made = await hub.call('POST /generate_token', { query: ME, headers: bearer(body.access_token) });
    await hub.call('POST /session/logout', { headers: bearer(made.body.token) });
    expect([await isAlive(made.body.token), await isAlive(body.access_token)]).toEqual([false, true]);
  });

  test('is the same answer without a session, with nonsense, and for a user who is gone', async () => {
    const { body } = await signUp(hub);
    await hub.runtime.store.delete(keys.user(body.user_id));
    for (const headers of [{}, bearer('nonsense'), { authorization: 'Basic x' }, bearer(body.access_token)]) {
      const { status, body: answer } = await hub.call('POST /session/logout', { headers });
      expect([status, answer]).toEqual([200, { signed_out: true }]);
    }
  });

  test('is refused from foreign pages', async () => {
    const { body, cookies } = await signUp(hub);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await hub.call('POST /session/logout', { cookies: jarOf(cookies), headers });
      expect([...codeOf(answer), answer.cookies]).toEqual([403, 'cross_site_refused', []]);
    }
    expect(await isAlive(body.access_token)).toBe(true);
  });
});

describe('the list of sessions', () => {
  test('shows when each began and was renewed, its device, and the one of the request', async () => {
    const { body: user } = await register(hub);
    const began = hub.runtime.clock().toISOString();
    const { body: first } = await hub.call('POST /login', {
      form: { username: user.email, password: PASSWORD },
      headers: { 'user-agent': FIREFOX },
    });
    hub.advance(60_000);
    const renewedAt = hub.runtime.clock().toISOString();
    const { body: renewed } = await renew(first.refresh_token);
    hub.advance(60_000);
    const { body: second } = await login(hub, user.email);
    const made = await hub.call('POST /generate_token', { query: ME, headers: bearer(second.access_token) });
    const { body } = await hub.call('POST /verify_session', { headers: bearer(renewed.access_token) });
    const sessions = await list(renewed.access_token);
    expect(sessions).toHaveLength(3);
    expect(sessions[2]).toEqual({
      session_id: body.session_id,
      device: 'Firefox on Linux',
      place: null,
      created_at: began,
      renewed_at: renewedAt,
      expires_at: new Date(Date.parse(renewedAt) + 30 * 24 * 3_600_000).toISOString(),
      is_current: true,
      is_platform_token: false,
    });
    const others = sessions.slice(0, 2);
    expect(others).toContainEqual({
      session_id: expect.any(String),
      device: null,
      place: null,
      created_at: made.body.issued_at,
      renewed_at: null,
      expires_at: made.body.expires_at,
      is_current: false,
      is_platform_token: true,
    });
    const text = JSON.stringify(sessions);
    for (const { access_token, refresh_token } of [first, renewed, second]) {
      expect(text.includes(access_token) || text.includes(refresh_token)).toBe(false);
    }
    expect(text).not.toContain(made.body.token);
    expect(text).not.toContain(user.user_id);
    const byProgram = await list(made.body.token);
    expect(byProgram.find(({ is_current }: { is_current: boolean }) => is_current).is_platform_token).toBe(
      true,
    );
  });

  test('leaves out sessions that expired', async () => {
    const { body: first } = await signUp(hub);
    hub.advance(31 * 24 * 3_600_000);
    const { body: second } = await login(hub, first.email);
    expect(await list(second.access_token)).toHaveLength(1);
  });

  test('holds no session of another user', async () => {
    const [one, two] = [(await signUp(hub)).body, (await signUp(hub)).body];
    const [mine] = await list(one.access_token);
    const [theirs] = await list(two.access_token);
    expect(await list(one.access_token)).toHaveLength(1);
    const refused = await end(one.access_token, { session_id: theirs.session_id });
    expect([refused.status, refused.body]).toEqual([200, { ended: 0 }]);
    expect(await isAlive(two.access_token)).toBe(true);
    expect(mine.session_id).not.toBe(theirs.session_id);
    const named = { query: { user_id: two.user_id }, headers: bearer(one.access_token) };
    expect(codeOf(await hub.call('GET /get_sessions', named))).toEqual([403, 'session_mismatch']);
  });
});

describe('ending sessions', () => {
  test('ends one by its id, and nothing for an unknown id', async () => {
    const { body: one } = await signUp(hub);
    hub.advance(1000);
    const { body: two } = await login(hub, one.email);
    const [newest] = await list(one.access_token);
    expect((await end(one.access_token, { session_id: newest.session_id })).body).toEqual({ ended: 1 });
    expect([await isAlive(one.access_token), await isAlive(two.access_token)]).toEqual([true, false]);
    expect((await renew(two.refresh_token)).status).toBe(401);
    for (const session_id of [newest.session_id, 'constructor', '__proto__', '']) {
      expect((await end(one.access_token, { session_id })).body).toEqual({ ended: 0 });
    }
    expect(await list(one.access_token)).toHaveLength(1);
  });

  test('ends all others and the platform token, in one write', async () => {
    const { body: one } = await signUp(hub);
    for (let n = 0; n < 3; n++) await login(hub, one.email);
    const headers = bearer(one.access_token);
    const made = await hub.call('POST /generate_token', { query: ME, headers });
    hub.takeCalls();
    const { body } = await end(one.access_token, { others: 'true' });
    expect([body, hub.takeCalls().length]).toEqual([{ ended: 4 }, 2]);
    expect(await isAlive(made.body.token)).toBe(false);
    expect(await list(one.access_token)).toEqual([expect.objectContaining({ is_current: true })]);
    expect((await end(one.access_token, { others: 'true' })).body).toEqual({ ended: 0 });
    expect((await renew(one.refresh_token)).status).toBe(200);
  });

  test('ends the platform token by its id', async () => {
    const { body: one } = await signUp(hub);
    const made = await hub.call('POST /generate_token', { query: ME, headers: bearer(one.access_token) });
    const token = (await list(one.access_token)).find(
      ({ is_platform_token }: { is_platform_token: boolean }) => is_platform_token,
    );
    expect((await end(one.access_token, { session_id: token.session_id })).body).toEqual({ ended: 1 });
    expect([await isAlive(made.body.token), await isAlive(one.access_token)]).toEqual([false, true]);
  });

  test('needs one choice', async () => {
    const { body } = await signUp(hub);
    for (const query of [{}, { others: 'false' }, { others: 'true', session_id: 'x' }]) {
      expect((await end(body.access_token, query)).status).toBe(422);
    }
  });

  test.each(['GET /get_sessions', 'POST /end_session'])('%s needs the own session', async (routeKey) => {
    const { body } = await signUp(hub);
    const query = { user_id: body.user_id, ...(routeKey.startsWith('POST') && { others: 'true' }) };
    expect(codeOf(await hub.call(routeKey, { query }))).toEqual([401, 'session_required']);
    const made = await hub.call('POST /generate_token', { query: { user_id: body.user_id } });
    const byId = await hub.call(routeKey, { query, headers: bearer(made.body.token) });
    expect(codeOf(byId)).toEqual([403, 'platform_token_insufficient']);
    expect(await isAlive(body.access_token)).toBe(true);
  });
});
