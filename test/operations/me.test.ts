import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Response, startHub, type TestHub } from '../support/hub.ts';
import { bearer, signUp } from '../support/people.ts';
import { build, furnishWithInstruments } from '../support/strategies.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

const codeOf = ({ status, body }: Response) => [status, body.code];

describe('`me`', () => {
  const person = async () => {
    const { body, cookies } = await signUp(hub);
    const [cookie = ''] = (cookies.find((text) => text.startsWith('__Host-session=')) ?? '').split(';');
    return { user_id: String(body.user_id), session: bearer(body.access_token), cookie };
  };

  test('is the user of the session, by bearer and by cookie', async () => {
    const { user_id, session, cookie } = await person();
    const named = await hub.call('GET /get_account_overview', { query: { user_id }, headers: session });
    for (const by of [{ headers: session }, { cookies: [cookie] }]) {
      const { status, body } = await hub.call('GET /get_account_overview', {
        query: { user_id: 'me' },
        ...by,
      });
      expect([status, body]).toEqual([200, named.body]);
    }
  });

  test('is refused from foreign pages, and with a session that ended', async () => {
    const { cookie } = await person();
    const query = { user_id: 'me' };
    for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await hub.call('GET /get_account_overview', {
        query,
        cookies: [cookie],
        headers: foreign,
      });
      expect(codeOf(answer)).toEqual([403, 'cross_site_refused']);
    }
    const over = await hub.call('GET /get_account_overview', { query, headers: bearer('nonsense') });
    expect(codeOf(over)).toEqual([401, 'session_invalid']);
  });

  test('is taken after the input is validated, as any other id', async () => {
    const query = { user_id: 'me', page: '0' };
    expect((await hub.call('GET /get_deployment_notifications', { query })).status).toBe(422);
    expect((await hub.call('GET /get_deployment_notifications')).status).toBe(422);
  });

  test('means the user alone in the query: others may be called so elsewhere', async () => {
    const { session } = await person();
    const { status } = await hub.call('POST /verify_session', {
      query: { user_id: 'me' },
      headers: session,
    });
    expect(status).toBe(200);
    for (const user_id of ['ME', 'me ', 'Me']) {
      const { body } = await hub.call('GET /get_account_overview', { query: { user_id }, headers: session });
      expect(body.code).toBe('session_mismatch');
    }
  });

  test('stays in the links of a page', async () => {
    const { user_id, session } = await person();
    for (let made = 0; made < 2; made++) await build(hub, { user_id });
    const { headers } = await hub.call('GET /get_strategies_by_user', {
      query: { user_id: 'me', size: '1' },
      headers: session,
    });
    expect(headers.link).toContain('user_id=me&size=1&page=2>; rel="next"');
    expect(headers.link).not.toContain(user_id);
  });

  test('keeps the Idempotency-Keys of two users apart', async () => {
    const one = await person();
    const two = await person();
    const build = (headers: Record<string, string>) =>
      hub.call('POST /build_new_strategy', {
        query: { user_id: 'me', strategy_name: 'Mine', symbol: 'EURUSD', timeframe: '1h' },
        headers: { ...headers, 'idempotency-key': 'the-same-key' },
      });
    const first = await build(one.session);
    const again = await build(one.session);
    const other = await build(two.session);
    expect([first.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect([other.status, other.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(other.body.user_id).toBe(two.user_id);
    expect(codeOf(await build({}))).toEqual([401, 'session_required']);
  });

  test('counts for the session in the rate limits', async () => {
    const limited = hub.with({
      HUB_RATE_LIMITS: JSON.stringify({
        window_s: 10,
        credential: { read: 2, write: 2, work: 2 },
        network: { read: 1, write: 1, work: 1 },
      }),
    });
    const one = await person();
    const read = (headers: Record<string, string>) =>
      limited.call('GET /get_account_overview', { query: { user_id: 'me' }, headers });
    for (const rest of [1, 0])
      expect((await read(one.session)).headers.ratelimit).toContain(`"read";r=${rest}`);
    expect((await read(one.session)).status).toBe(429);
    expect((await read((await person()).session)).status).toBe(200);
  });
});
