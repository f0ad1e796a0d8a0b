import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import type { ItemSchema } from '../../../shared/data/table/parse-item.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Key, Update } from '../../../shared/data/table/writes.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, furnish, login, outbox, register, sentCode } from '../../support/people.ts';
import { json, startUpstream } from '../../support/upstream.ts';

const HOUR = 3_600_000;
const PHONE = '+14155552671';

const hub = await openHub(furnish);

const generate = (user_id: string, headers = {}) =>
  hub.call('POST /generate_token', { query: { user_id }, headers });
const check = (user_id: string, headers = {}) =>
  hub.call('GET /check_for_token', { query: { user_id }, headers });

describe('a platform token', () => {
  test('is accepted as a session for 24 hours', async () => {
    const { body: user } = await register(hub);
    const { status, body: made } = await generate(user.user_id);
    expect([status, made.token_type, made.expires_in]).toEqual([200, 'bearer', 86_400]);
    const headers = bearer(made.token);
    expect((await hub.call('POST /verify_user', { headers })).body).toMatchObject({ user_id: user.user_id });
    expect((await hub.call('POST /verify_session', { headers })).body.expires_at).toBe(made.expires_at);
    hub.advance(24 * HOUR - 1000);
    expect((await check(user.user_id, headers)).status).toBe(200);
    hub.advance(1000);
    expect((await check(user.user_id, headers)).body.code).toBe('session_invalid');
    expect((await check(user.user_id)).body).toEqual({ active: false, issued_at: null, expires_at: null });
  });

  test('is listed by its times, and never shown again', async () => {
    const { body: user } = await register(hub);
    expect((await check(user.user_id)).body).toEqual({ active: false, issued_at: null, expires_at: null });
    const { body: made } = await generate(user.user_id);
    const { text, body } = await check(user.user_id);
    expect(body).toEqual({ active: true, issued_at: made.issued_at, expires_at: made.expires_at });
    expect(text).not.toContain(made.token);
  });

  test('is replaced by the next one', async () => {
    const { body: user } = await register(hub);
    const { body: first } = await generate(user.user_id);
    const { body: second } = await generate(user.user_id);
    expect((await check(user.user_id, bearer(first.token))).body.code).toBe('session_invalid');
    expect((await check(user.user_id, bearer(second.token))).status).toBe(200);
  });

  test('is valid once of 20 simultaneous ones', async () => {
    const { body: user } = await register(hub);
    const made = await Promise.all(Array.from({ length: 20 }, () => generate(user.user_id)));
    const checked = await Promise.all(made.map(({ body }) => check(user.user_id, bearer(body.token))));
    expect(checked.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is refused for another user, and cannot request another one', async () => {
    const { body: ada } = await register(hub);
    const { body: bob } = await register(hub);
    const { body: made } = await generate(ada.user_id);
    expect((await check(bob.user_id, bearer(made.token))).body.code).toBe('session_mismatch');
    const again = await generate(ada.user_id, bearer(made.token));
    expect([again.status, again.body.code]).toEqual([403, 'platform_token_insufficient']);
  });

  test('does not change the phone of an account', async () => {
    const challenge = await startUpstream(json({ success: true }));
    const asking = hub.with({ HUB_CHALLENGE_URL: challenge.url });
    const { body: user } = await register(hub);
    const { body: made } = await generate(user.user_id);
    const { body: session } = await login(hub, user.email);
    const ask = (token: string) =>
      asking.call('POST /send_sms_otp', {
        query: { email: user.email, ph_number: PHONE, cf_token: 'solved' },
        headers: bearer(token),
      });
    const sent = async () => (await outbox(hub)).filter(({ message }) => message?.kind === 'code_sms');
    expect((await ask(made.token)).status).toBe(200);
    expect(await sent()).toEqual([]);
    hub.advance(31_000);
    expect((await ask(session.access_token)).status).toBe(200);
    expect(await sent()).toHaveLength(1);
    await challenge.close();
  });

  test('ends with a reset of the password', async () => {
    const { body: user } = await register(hub);
    const { body: made } = await generate(user.user_id);
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    const query = { email: user.email, new_password: 'another password', otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    expect((await check(user.user_id, bearer(made.token))).body.code).toBe('session_invalid');
  });

  test('is not made by a session that a reset ends in the middle of the request', async () => {
    const { body: user } = await register(hub);
    const { body: session } = await login(hub, user.email);
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    const query = { email: user.email, new_password: 'another password', otp };
    class RacingStore extends Store {
      override async update<S extends ItemSchema>(key: Key, change: Update, schema: S): Promise<z.output<S>> {
        expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
        return super.update(key, change, schema);
      }
    }
    const { client, table } = hub.runtime.store;
    const made = await hub.over(new RacingStore(client, table)).call('POST /generate_token', {
      query: { user_id: user.user_id },
      headers: bearer(session.access_token),
    });
    expect([made.status, made.body.code]).toEqual([401, 'session_invalid']);
    expect((await check(user.user_id)).body.active).toBe(false);
  });

  test('is accepted if a session is required, and needs a session to be issued', async () => {
    const strict = hub.with({ HUB_SESSION_POLICY: 'require' });
    const { body: user } = await register(hub);
    const query = { user_id: user.user_id };
    expect((await strict.call('POST /generate_token', { query })).body.code).toBe('session_required');
    const { body: session } = await login(hub, user.email);
    const headers = bearer(session.access_token);
    const { body: made } = await strict.call('POST /generate_token', { query, headers });
    const checked = await strict.call('GET /check_for_token', { query, headers: bearer(made.token) });
    expect(checked.body.active).toBe(true);
  });

  test('stays valid after a rotation of keys', async () => {
    const { body: user } = await register(hub);
    const { body: made } = await generate(user.user_id);
    const [master] = await hub.runtime.secrets().then(({ masters }) => masters);
    const rotated = hub.rotated(['another-master-secret-of-the-tests-4567', master]);
    const query = { user_id: user.user_id };
    const headers = bearer(made.token);
    expect((await rotated.call('GET /check_for_token', { query, headers })).status).toBe(200);
    const forgotten = hub.rotated(['another-master-secret-of-the-tests-4567']);
    expect((await forgotten.call('GET /check_for_token', { query, headers })).status).toBe(401);
  });

  test('of an unknown user is a 404', async () => {
    expect((await generate('nobody')).body.code).toBe('user_unknown');
    expect((await check('nobody')).body.code).toBe('user_unknown');
  });
});
