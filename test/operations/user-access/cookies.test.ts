import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { OPERATIONS } from '../../../functions/operations.ts';
import { createHandler } from '../../../shared/api/lambda.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { CONTEXT, eventOf, type Request, startHub, type TestHub } from '../../support/hub.ts';
import { bearer, freshEmail, furnish, PASSWORD, register, signUp } from '../../support/people.ts';

const APP = 'https://app.example';
const EVIL = { origin: 'https://evil.example' };

let hub: TestHub;
let plain: TestHub;
beforeAll(async () => {
  hub = (await startHub()).with({ HUB_CORS_ORIGINS: `${APP}, https://other-app.example` });
  plain = hub.with({ HUB_PUBLIC_URL: 'http://localhost:3000' });
  await furnish(hub);
});
afterAll(() => hub.close());

const pairOf = (cookie = ''): string => cookie.split(';')[0] ?? '';
const named = (cookies: readonly string[], name: string): string | undefined =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`));
const signIn = (email: string, headers: Record<string, string> = {}, on = hub) =>
  on.call('POST /login', { form: { username: email, password: PASSWORD }, headers });

describe('the cookies of a session', () => {
  test('have the prefixes that bind them to this host if the public address is https', async () => {
    const { cookies } = await signUp(hub);
    expect(named(cookies, '__Host-session')).toMatch(
      /; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(named(cookies, '__Secure-refresh_token')).toMatch(
      /; Max-Age=2592000; Path=\/session; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('have plain names, and are sent over http, if the public address is http', async () => {
    const { body: user } = await register(hub);
    const { cookies } = await signIn(user.email, {}, plain);
    expect(named(cookies, 'session')).toMatch(/; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(named(cookies, 'refresh_token')).toMatch(/Path=\/session; HttpOnly; SameSite=Lax$/);
    const verified = await plain.call('POST /verify_session', {
      cookies: [pairOf(named(cookies, 'session'))],
    });
    expect(verified.status).toBe(200);
  });

  test('count under their prefixed names if both are sent', async () => {
    const { body: owner, cookies } = await signUp(hub);
    const { body: other } = await signUp(hub);
    const { body } = await hub.call('POST /verify_user', {
      cookies: [`session=${other.access_token}`, pairOf(named(cookies, '__Host-session'))],
    });
    expect(body.user_id).toBe(owner.user_id);
  });

  test('renew no session of an account that the browser never signed in to: a neighbour can set this cookie', async () => {
    const { body: owner, cookies } = await signUp(hub);
    const { body: stranger } = await signUp(hub);
    const device = pairOf(named(cookies, '__Host-device'));
    const planted = [
      `__Secure-refresh_token=${stranger.refresh_token}`,
      pairOf(named(cookies, '__Secure-refresh_token')),
    ];
    const answer = await hub.call('POST /session/relogin', { cookies: [...planted, device] });
    expect([answer.status, answer.body.code]).toEqual([401, 'session_invalid']);
    expect(answer.cookies.filter((cookie) => !cookie.includes('=; Max-Age=0'))).toEqual([]);
    const own = { cookies: [pairOf(named(cookies, '__Secure-refresh_token')), device] };
    const { status, body } = await hub.call('POST /session/relogin', own);
    expect([status, body.user_id]).toEqual([200, owner.user_id]);
  });

  test('renew the session of any account that signed in with the browser, and without its mark', async () => {
    const { body: first, cookies } = await signUp(hub);
    const device = pairOf(named(cookies, '__Host-device'));
    const { body: user } = await register(hub);
    const second = await hub.call('POST /login', {
      form: { username: user.email, password: PASSWORD },
      cookies: [device],
    });
    const both = pairOf(named(second.cookies, '__Host-device'));
    for (const { email, refresh_token } of [first, second.body]) {
      const renewed = await hub.call('POST /session/relogin', {
        cookies: [`__Secure-refresh_token=${refresh_token}`, both],
      });
      expect([renewed.status, renewed.body.email]).toEqual([200, email]);
      const again = await hub.call('POST /session/relogin', {
        cookies: [`__Secure-refresh_token=${renewed.body.refresh_token}`],
      });
      expect(again.status).toBe(200);
    }
  });

  test('are not read without the prefix or under the other one, nor with a prefix if the address is http', async () => {
    const { body: user } = await signUp(hub);
    for (const name of ['session', '__Secure-session']) {
      const cookies = [`${name}=${user.access_token}`];
      expect((await hub.call('POST /verify_session', { cookies })).status).toBe(401);
    }
    const prefixed = { cookies: [`__Host-session=${user.access_token}`] };
    expect((await plain.call('POST /verify_session', prefixed)).status).toBe(401);
    const refresh = { cookies: [`refresh_token=${user.refresh_token}`] };
    expect((await hub.call('POST /session/relogin', refresh)).status).toBe(401);
  });
});

describe('a request of a web page', () => {
  const FOREIGN: readonly (readonly [string, Record<string, string>])[] = [
    ['of a foreign origin', EVIL],
    ['of a foreign origin of the same site', { ...EVIL, 'sec-fetch-site': 'same-site' }],
    ['without an origin of its own', { origin: 'null' }],
    ['of another site that sends no origin', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour under the same domain that sends no origin', { 'sec-fetch-site': 'same-site' }],
    ['whose origin begins like an allowed one', { origin: `${APP}.evil.example` }],
  ];
  const OWN: readonly (readonly [string, Record<string, string>])[] = [
    ['of the public address', { origin: 'https://hub.example', 'sec-fetch-site': 'same-origin' }],
    ['of an origin of the CORS list', { origin: APP, 'sec-fetch-site': 'cross-site' }],
    ['of another origin of the list', { origin: 'https://other-app.example' }],
    ['that the user opened', { 'sec-fetch-site': 'none' }],
    ['that says nothing of it, like a program', {}],
  ];

  test.each(FOREIGN)('%s cannot sign in, renew or use the session cookie', async (_how, headers) => {
    const { body: user, cookies } = await signUp(hub);
    const cookie = [pairOf(named(cookies, '__Host-session'))];
    const refresh = [pairOf(named(cookies, '__Secure-refresh_token'))];
    const query = { user_id: user.user_id };
    for (const answer of [
      await signIn(user.email, headers),
      await hub.call('POST /session/relogin', { cookies: refresh, headers }),
      await hub.call('POST /verify_user', { cookies: cookie, headers }),
      await hub.call('GET /check_for_token', { query, cookies: cookie, headers }),
      await hub.call('GET /partnerc_access', { cookies: cookie, headers }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'cross_site_refused']);
      expect(answer.cookies).toEqual([]);
    }
    expect((await hub.call('POST /session/relogin', { cookies: refresh })).status).toBe(200);
  });

  test.each(OWN)('%s can sign in and use the session cookie', async (_how, headers) => {
    const { body: user } = await register(hub);
    const { status, cookies } = await signIn(user.email, headers);
    expect(status).toBe(200);
    const cookie = [pairOf(named(cookies, '__Host-session'))];
    expect((await hub.call('POST /verify_user', { cookies: cookie, headers })).status).toBe(200);
  });

  test('of a foreign origin may send a bearer token, as browsers do not add it themselves', async () => {
    const { body: user } = await signUp(hub);
    const headers = { ...EVIL, ...bearer(user.access_token) };
    expect((await hub.call('POST /verify_user', { headers })).status).toBe(200);
  });

  test('of a foreign origin may use operations without cookies', async () => {
    expect((await hub.call('GET /health', { headers: EVIL })).status).toBe(200);
  });

  test('that returns from the consent of partner C is checked by its state', async () => {
    const { cookies } = await signUp(hub);
    const { body } = await hub.call('GET /partnerc_auth_callback', {
      query: { code: 'c', state: 's' },
      cookies: [pairOf(named(cookies, '__Host-session'))],
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(body.code).toBe('state_invalid');
  });

  test('of a foreign origin is refused by every operation that sets cookies, after the check of its input', async () => {
    const setters = OPERATIONS.filter(({ cookies }) => cookies === 'own_site');
    expect(setters.map(({ path }) => path).sort()).toEqual([
      '/auth/idp',
      '/change_password',
      '/confirm_email_change',
      '/correct_email',
      '/login',
      '/login_user_broker',
      '/partnera_auth',
      '/partnerb/auth',
      '/partnerc_access',
      '/register_login',
      '/session/logout',
      '/session/relogin',
      '/sign_in_passkey',
    ]);
    const input = {
      form: { username: freshEmail(), email: freshEmail(), password: PASSWORD },
      query: { email: freshEmail(), password: PASSWORD, broker_domain: 'north' },
    };
    const JSON_INPUTS: Readonly<Record<string, Request>> = {
      'POST /auth/idp': { json: { provider: 'p', id_token: 't' } },
      'POST /change_password': {
        query: { user_id: 'me' },
        json: { password: PASSWORD, new_password: PASSWORD },
      },
      'POST /confirm_email_change': {
        query: { user_id: 'me' },
        json: { email: freshEmail(), code: '12345678' },
      },
      'POST /correct_email': { query: { user_id: 'me' }, json: { email: freshEmail(), password: PASSWORD } },
      'POST /sign_in_passkey': {
        json: {
          passkey: {
            id: 'AAAA',
            rawId: 'AAAA',
            type: 'public-key',
            response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
          },
        },
      },
    };
    const statuses = setters.map(async ({ routeKey }) =>
      hub.call(routeKey, {
        headers: EVIL,
        ...(JSON_INPUTS[routeKey] ?? input),
      }),
    );
    for (const { status, body } of await Promise.all(statuses)) {
      expect([status, body.code]).toEqual([403, 'cross_site_refused']);
    }
    expect((await hub.call('POST /login', { headers: EVIL })).status).toBe(422);
  });
});

test('an operation that sets a cookie without declaring cookies fails', async () => {
  const careless = defineOperation({
    method: 'GET',
    path: '/careless',
    name: 'careless',
    summary: 'Sets a cookie',
    caller: 'anyone',
    input: {},
    output: z.object({}),
    errors: [],
    table: 'none',
    handler: async (_input, call) => {
      call.setCookie('a=b');
      return {};
    },
  });
  const handler = createHandler([careless], () => hub.runtime);
  expect((await handler(eventOf('GET /careless', {}), CONTEXT)).statusCode).toBe(500);
});
