import { argon2Sync, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { KeyRing } from '../../../shared/auth/key-ring.ts';
import { verifyRefreshToken } from '../../../shared/auth/refresh-tokens.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { rotateSession } from '../../../shared/data/users/sessions.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import { computesLessThan } from '../../support/durations.ts';
import { SECRETS } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  bearer,
  freshEmail,
  furnish,
  login,
  PASSWORD,
  register,
  sentCode,
  signUp,
} from '../../support/people.ts';
import { soakable } from '../../support/soak.ts';

const MINUTE = 60_000;

const hub = await openHub(furnish);
beforeEach(() => {
  hub.takeCalls();
});

const relogin = (refreshToken: string) =>
  hub.call('POST /session/relogin', { headers: bearer(refreshToken) });
const verify = (accessToken: string) => hub.call('POST /verify_user', { headers: bearer(accessToken) });

describe('signing in', () => {
  test('returns the user with a session, also as HttpOnly cookies', async () => {
    const { body: user } = await register(hub);
    hub.takeCalls();
    const { status, body, cookies } = await login(hub, user.email);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_id: user.user_id,
      is_new_user: false,
      token_type: 'bearer',
      expires_in: 900,
      login_time: hub.runtime.clock().toISOString(),
    });
    expect(cookies).toHaveLength(3);
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookies[0]).toContain(`session=${body.access_token}`);
    expect(cookies[1]).toContain(`refresh_token=${body.refresh_token}`);
  });

  test('answers a wrong password and an unknown e-mail alike', async () => {
    const { body: user } = await register(hub);
    const [wrong, unknown] = [await login(hub, user.email, 'wrong'), await login(hub, freshEmail())];
    expect(wrong.status).toBe(401);
    expect(wrong.text).toBe(unknown.text);
  });

  test.each(['known', 'unknown'])(
    'of a %s e-mail stops after five wrong passwords for 15 minutes',
    async (kind) => {
      const email = kind === 'known' ? (await register(hub)).body.email : freshEmail();
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await login(hub, email, 'wrong password')).status).toBe(401);
        hub.advance(MINUTE);
      }
      const stopped = await login(hub, email);
      expect([stopped.status, stopped.body.code]).toEqual([429, 'too_many_attempts']);
      expect(stopped.headers['retry-after']).toBe('600');
      hub.advance(10 * MINUTE + 1);
      hub.takeCalls();
      expect((await login(hub, email)).status).toBe(kind === 'known' ? 200 : 401);
      expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    },
  );

  test('forgets failures after a success', async () => {
    const { body: user } = await register(hub);
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < 4; attempt++) await login(hub, user.email, 'wrong');
      expect((await login(hub, user.email)).status).toBe(200);
    }
  });

  test('tries at most five of many parallel passwords', async () => {
    const guesses = soakable(30, 100);
    const { body: user } = await register(hub);
    const answers = await Promise.all(
      Array.from({ length: guesses }, (_, n) => login(hub, user.email, `guess ${n}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(guesses - 5);
  });

  test('hashes a password again that was hashed with other parameters', async () => {
    const { body: user } = await register(hub);
    const salt = randomBytes(16);
    const old = argon2Sync('argon2id', {
      message: PASSWORD,
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory: 1024,
      passes: 1,
    });
    const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const weak = `$argon2id$v=19$m=1024,t=1,p=1$${unpadded(salt)}$${unpadded(old)}`;
    await hub.runtime.store.transact([
      {
        key: keys.credentials(user.email),
        update: 'SET password_hash = :weak',
        values: { ':weak': weak },
      },
    ]);
    const full = hub.withFullPasswordCost();
    expect((await login(full, user.email)).status).toBe(200);
    const [stored] = await hub.runtime.store.getMany([keys.credentials(user.email)]);
    expect(stored?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login(full, user.email)).status).toBe(200);
  });

  test.each([
    ['right away', 1000],
    ['after each window of attempts', 16 * MINUTE],
  ])('keeps the twenty newest sessions of a user who signs in %s', async (_when, gap) => {
    const { body: first } = await signUp(hub);
    await login(hub, first.email, 'a typo');
    for (let n = 0; n < 22; n++) {
      hub.advance(gap);
      expect((await login(hub, first.email)).status).toBe(200);
    }
    const [stored] = await hub.runtime.store.getMany([keys.user(first.user_id)]);
    expect(Object.keys(asUser(stored)?.sessions ?? {})).toHaveLength(20);
    expect((await verify(first.access_token)).status).toBe(401);
    const { body: last } = await login(hub, first.email);
    expect((await verify(last.access_token)).status).toBe(200);
  });
});

/** Delays a kind of write of the store until it is released, so that two requests interleave. */
const heldAt = (method: 'transact') => {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { store } = hub.runtime;
  let calls = 0;
  const held = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...input: unknown[]) => {
        // The first transaction of a sign-in opens the session.
        if (name === method && ++calls === 1) {
          arrive();
          await released;
        }
        return Reflect.apply(value, target, input);
      };
    },
  });
  return { held, reached, release };
};

describe('a sign-in during a reset of the password', () => {
  test('opens no session if the checked password was replaced', async () => {
    const { body: user } = await register(hub);
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    const { held, reached, release } = heldAt('transact');
    const late = hub.over(held).call('POST /login', { form: { username: user.email, password: PASSWORD } });
    await reached;
    const query = { email: user.email, new_password: 'quite another one', otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    release();
    expect((await late).status).toBe(401);
    expect((await login(hub, user.email, 'quite another one')).status).toBe(200);
  });
});

test('a long input takes a short time', async () => {
  const marks = '\u0316\u0301'.repeat(60_000);
  await computesLessThan(1500, () =>
    Promise.all([
      login(hub, marks),
      login(hub, freshEmail(), marks),
      register(hub, { name: marks }),
      hub.call('POST /reset_password', {
        query: { email: marks, new_password: 'x'.repeat(9), otp: '𝟿'.repeat(100_000) },
      }),
    ]),
  );
});

describe('a session', () => {
  test('is verified by bearer token or cookie', async () => {
    const { body: user, cookies } = await signUp(hub);
    const byCookie = await hub.call('POST /verify_session', { cookies: [cookies[0]?.split(';')[0] ?? ''] });
    expect(byCookie.body).toMatchObject({ valid: true });
    hub.takeCalls();
    const { body } = await verify(user.access_token);
    expect(hub.takeCalls()).toEqual(['GetItem']);
    expect(body).toMatchObject({
      user_id: user.user_id,
      access_token: user.access_token,
      refresh_token: null,
    });
  });

  test('is needed, otherwise the answer is 401', async () => {
    for (const routeKey of ['POST /verify_user', 'POST /verify_session', 'POST /session/relogin']) {
      const { status, body } = await hub.call(routeKey);
      expect([status, body.code]).toEqual([401, 'session_required']);
    }
  });

  test('expires after 15 minutes and is renewed by its refresh token', async () => {
    const { body: user } = await signUp(hub);
    hub.advance(15 * MINUTE);
    expect((await verify(user.access_token)).body.code).toBe('session_invalid');
    hub.takeCalls();
    const { status, body } = await relogin(user.refresh_token);
    expect(hub.takeCalls()).toEqual(['UpdateItem']);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(user.refresh_token);
    expect((await verify(body.access_token)).status).toBe(200);
  });

  test('ends if its refresh token is used a second time', async () => {
    const { body: user } = await signUp(hub);
    const { body: renewed } = await relogin(user.refresh_token);
    const again = await relogin(user.refresh_token);
    expect([again.status, again.body.code]).toEqual([401, 'session_invalid']);
    for (const cookie of again.cookies) expect(cookie).toContain('Max-Age=0');
    expect((await relogin(renewed.refresh_token)).status).toBe(401);
    expect((await verify(renewed.access_token)).status).toBe(401);
  });

  test('is renewed once by 20 parallel uses of one refresh token, and then revoked', async () => {
    const { body: user } = await signUp(hub);
    const answers = await Promise.all(Array.from({ length: 20 }, () => relogin(user.refresh_token)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect((await verify(winners[0]?.body.access_token)).status).toBe(401);
  });

  test('is not ended by a forged refresh token', async () => {
    const { body: user } = await signUp(hub);
    const forged = `${user.refresh_token.slice(0, -43)}${'A'.repeat(43)}`;
    expect((await relogin(forged)).status).toBe(401);
    expect((await relogin(user.refresh_token)).status).toBe(200);
  });

  test('is renewed by the cookie if an access token is sent as bearer', async () => {
    const { body: user } = await signUp(hub);
    const { status } = await hub.call('POST /session/relogin', {
      headers: bearer(user.access_token),
      cookies: [`__Secure-refresh_token=${user.refresh_token}`],
    });
    expect(status).toBe(200);
  });

  test('is renewed if its write succeeded without an answer and is repeated', async () => {
    const { body: user } = await signUp(hub);
    const { sid, generation } = verifyRefreshToken(await hub.runtime.keyRing(), user.refresh_token) ?? {
      sid: '',
      generation: 0,
    };
    const nowS = Math.floor(hub.runtime.clock().getTime() / 1000);
    const rotation = { generation, by: 'this-one', expiresAt: nowS + 100, nowS };
    for (const _ of [1, 2]) {
      expect(await rotateSession(hub.runtime.store, user.user_id, sid, rotation)).toMatchObject({
        user_id: user.user_id,
      });
    }
  });

  test('does not change the other sessions of the user', async () => {
    const { body: one } = await signUp(hub);
    const { body: other } = await login(hub, one.email);
    await relogin(one.refresh_token);
    await relogin(one.refresh_token);
    expect((await verify(other.access_token)).status).toBe(200);
  });

  test('ends after 30 days without renewal', async () => {
    const { body: user } = await signUp(hub);
    hub.advance(30 * 24 * 60 * MINUTE);
    expect((await relogin(user.refresh_token)).status).toBe(401);
  });

  test('is refused if it was signed with another key, is for another purpose, or was changed', async () => {
    const { body: user } = await signUp(hub);
    const [, payload = ''] = user.access_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const sign = (key: KeyRing['signing'], header: object, changes: object) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid, ...header })
        .sign(key.privateKey);
    const ours = new KeyRing(SECRETS.masters).signing;
    const theirs = new KeyRing(['another master secret, 32 bytes long!']).signing;
    expect((await verify(await sign(ours, {}, {}))).status).toBe(200);
    const forged = [
      await sign({ ...theirs, kid: ours.kid }, {}, {}),
      await sign(theirs, {}, {}),
      await sign(ours, { typ: 'JWT' }, {}),
      await sign(ours, {}, { aud: 'broker' }),
      await sign(ours, {}, { iss: 'https://other.example' }),
      await sign(ours, {}, { exp: undefined }),
      await sign(ours, {}, { sid: 'unknown' }),
      new UnsecuredJWT(claims).encode(),
      `${user.access_token.slice(0, -4)}AAAA`,
      user.refresh_token,
      'nonsense',
    ];
    for (const token of forged) expect((await verify(token)).body.code).toBe('session_invalid');
    expect((await hub.call('POST /verify_user', { headers: { authorization: 'Basic eDp5' } })).status).toBe(
      401,
    );
    for (const token of forged)
      expect((await relogin(token === user.refresh_token ? 'hub_rt.x' : token)).status).toBe(401);
  });
});
