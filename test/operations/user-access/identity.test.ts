import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import Provider from 'oidc-provider';
import { undoTokenOf } from '../../../shared/auth/undo-links.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BROKER,
  bearer,
  freshEmail,
  furnish,
  login,
  outbox,
  register,
  registerUnproven,
  sentCode,
  stepUp,
} from '../../support/people.ts';
import { settleSecured } from '../../support/secured.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { FAILURES, startUpstream, type Upstream } from '../../support/upstream.ts';

const CLIENT_ID = 'hub-client';
const REDIRECT = 'https://hub.example/callback';

interface Account {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string;
}

const accounts = new Map<string, Account>();
let provider: Provider;
let server: Server;
let issuer: string;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let dead: Upstream;
let hub: TestHub;

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  const listening = await startUpstream(() => undefined);
  issuer = listening.url;
  await listening.close();
  provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: 'secret',
        redirect_uris: [REDIRECT],
        response_types: ['id_token'],
        grant_types: ['implicit'],
      },
    ],
    responseTypes: ['id_token'],
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: async () => ({ ...account }) };
    },
  });
  server = await new Promise<Server>((resolve) => {
    const listener = provider.listen(Number(new URL(issuer).port), '127.0.0.1', () => resolve(listener));
  });
  expect((server.address() as AddressInfo).port).toBe(Number(new URL(issuer).port));
  dead = await startUpstream(() => undefined);
  const known = { name: 'Test IdP', client_id: CLIENT_ID, algorithms: ['RS256'] };
  hub = (await startHub()).with({
    HUB_IDENTITY_PROVIDERS: JSON.stringify([
      { ...known, provider: 'idp', issuer },
      { ...known, provider: 'dead', issuer: dead.url },
    ]),
  });
  await furnish(hub);
});
afterAll(async () => {
  await hub.close();
  await dead.close();
  server.closeAllConnections();
  server.close();
});

let subjects = 0;
const account = (changes: Partial<Account> = {}): Account => {
  const made = {
    sub: `subject-${++subjects}`,
    email: freshEmail(),
    email_verified: true,
    name: 'Grace Hopper',
    ...changes,
  };
  accounts.set(made.sub, made);
  return made;
};

/** Returns an ID token that the provider issues. */
const issue = async ({ sub }: Account, nonce = 'n-1'): Promise<string> => {
  const client = await provider.Client.find(CLIENT_ID);
  const found = accounts.get(sub);
  if (!client || !found) throw new Error('the provider does not know the client or the account');
  const token = new provider.IdToken({ ...found }, { client });
  // Part of the provider, missing from its published types.
  Object.assign(token, { scope: 'openid email profile' });
  token.set('nonce', nonce);
  return token.issue({ use: 'idtoken', expiresAt: Math.floor(hub.runtime.clock().getTime() / 1000) + 3600 });
};

/** Returns a token with given claims, signed with the provider's key. */
const sign = (
  changes: Record<string, unknown>,
  { alg = 'RS256', key = keys.privateKey, kid = 'one' } = {},
) => {
  const now = Math.floor(hub.runtime.clock().getTime() / 1000);
  return new SignJWT({
    iss: issuer,
    aud: CLIENT_ID,
    sub: 's',
    email: freshEmail(),
    email_verified: true,
    iat: now,
    exp: now + 60,
    ...changes,
  })
    .setProtectedHeader({ alg, kid })
    .sign(key);
};

const signIn = (id_token: string, more: Record<string, unknown> = {}) =>
  hub.call('POST /auth/idp', { json: { provider: 'idp', id_token, ...more } });

// The provider uses the machine's time for its tokens.
beforeAll(() => hub.advance(Date.now() - hub.runtime.clock().getTime()));

describe('signing in with an identity provider', () => {
  test('creates an account, then recognizes it under another e-mail', async () => {
    const person = account();
    const first = await signIn(await issue(person), { nonce: 'n-1', broker_domain: BROKER.subdomain });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      email: person.email,
      email_verified: true,
      name: 'Grace Hopper',
      is_new_user: true,
      broker_id: BROKER.broker_id,
    });
    accounts.set(person.sub, { ...person, email: freshEmail() });
    hub.takeCalls();
    const again = await signIn(await issue(person));
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(again.body).toMatchObject({ user_id: first.body.user_id, is_new_user: false });
  });

  test('links to the account of an e-mail that both sides have verified', async () => {
    const { body: user } = await register(hub);
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    await hub.call('POST /reset_password', {
      query: { email: user.email, new_password: 'new password', otp },
    });
    hub.takeCalls();
    const linked = await signIn(await issue(account({ email: user.email })));
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(linked.body).toMatchObject({ user_id: user.user_id, is_new_user: false });
    expect((await login(hub, user.email, 'new password')).status).toBe(200);
  });

  test('of a thief of the mailbox begins no real trading for a day in an account without a password', async () => {
    const own = account();
    const { body: who } = await signIn(await issue(own));
    const thief = account({ email: own.email });
    const { body: entered } = await signIn(await issue(thief));
    expect(entered.user_id).toBe(who.user_id);
    const as = { query: { user_id: who.user_id }, headers: bearer(entered.access_token) };
    const proof = { provider: 'idp', id_token: await issue(thief) };
    expect((await hub.call('POST /step_up', { ...as, json: proof })).status).toBe(200);
    const again = { action: 're_arm', reason: 'All is well.' };
    const refused = await hub.call('POST /kill_switch', { ...as, json: again });
    expect([refused.status, refused.body.code]).toEqual([409, 'recovery_wait']);
    await settleSecured(hub);
    const told = (await outbox(hub)).map(({ message }) => message);
    expect(told).toContainEqual(
      expect.objectContaining({ to: own.email, title: 'A sign-in was linked to your account' }),
    );
  });

  test('signs nobody in any more who was linked to an e-mail whose change was undone', async () => {
    const own = account();
    const { body: who } = await signIn(await issue(own));
    await stepUp(hub, who.user_id);
    const email = freshEmail();
    const as = { query: { user_id: who.user_id }, headers: bearer(who.access_token) };
    hub.advance(1000);
    await hub.call('POST /change_email', { ...as, json: { email } });
    const code = await sentCode(hub, email, 'email_change');
    await hub.call('POST /confirm_email_change', { ...as, json: { email, code } });
    hub.advance(1000);
    const thief = account({ email });
    expect((await signIn(await issue(thief))).body.user_id).toBe(who.user_id);
    const { email_change: change } = (await findUser(hub.runtime.store, who.user_id)) ?? {};
    const linked = { userId: who.user_id, changeId: change?.change_id ?? '' };
    const token = undoTokenOf(await hub.runtime.keyRing(), linked, new Date(change?.until ?? 0));
    const undone = await hub.call('POST /undo_email_change', { json: { email: who.email, token } });
    expect(undone.body).toEqual({ email: who.email });
    expect((await signIn(await issue(thief))).body).toMatchObject({ is_new_user: true, email });
    expect((await signIn(await issue(own))).body).toMatchObject({ user_id: who.user_id, email: who.email });
  });

  test.each([
    ['the account never verified the e-mail', true],
    ['the provider has not verified the e-mail', false],
  ])('does not link when %s', async (_why, email_verified) => {
    const { body: user } = await (email_verified ? registerUnproven : register)(hub);
    const { status, body } = await signIn(await issue(account({ email: user.email, email_verified })));
    expect([status, body.code]).toEqual([409, 'email_unverified']);
  });

  test('creates no account for an e-mail that the provider has not verified', async () => {
    const person = account({ email_verified: false });
    const { status, body } = await signIn(await issue(person));
    expect([status, body.code]).toEqual([409, 'email_unverified']);
    expect((await register(hub, { email: person.email })).status).toBe(200);
  });

  test('recognizes an identity whose token has no e-mail any more', async () => {
    const { body: first } = await signIn(await sign({ sub: 'nameless' }));
    const { status, body } = await signIn(await sign({ sub: 'nameless', email: undefined }));
    expect([status, body.user_id]).toEqual([200, first.user_id]);
  });

  test('of one identity at the same instant creates one account', async () => {
    const token = await issue(account());
    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(token)));
    const users = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.user_id));
    expect(users.size).toBe(1);
    expect((await signIn(token)).body.user_id).toBe([...users][0]);
  });

  test('refuses another nonce and an unknown provider', async () => {
    const token = await issue(account(), 'theirs');
    expect((await signIn(token, { nonce: 'ours' })).body.code).toBe('id_token_invalid');
    expect((await signIn(token, { provider: 'elsewhere' })).body.code).toBe('provider_unknown');
  });

  test('refuses tokens with another audience, issuer or time, or without a signature', async () => {
    const other = await generateKeyPair('RS256');
    const elliptic = await generateKeyPair('ES256');
    const now = Math.floor(hub.runtime.clock().getTime() / 1000);
    const publicKey = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    const hmac = await new SignJWT({ iss: issuer, aud: CLIENT_ID, sub: 's', exp: now + 60, iat: now })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(publicKey);
    const tokens = {
      audience: await sign({ aud: 'somebody-else' }),
      audiences: await sign({ aud: [CLIENT_ID, 'somebody-else'] }),
      issuer: await sign({ iss: 'https://elsewhere.example' }),
      expired: await sign({ exp: now - 60 }),
      'not yet': await sign({ nbf: now + 600 }),
      'no expiry': await sign({ exp: undefined }),
      'no subject': await sign({ sub: undefined }),
      key: await sign({}, { key: other.privateKey }),
      kid: await sign({}, { key: other.privateKey, kid: 'two' }),
      algorithm: await sign({}, { key: elliptic.privateKey, alg: 'ES256' }),
      hmac,
      none: new UnsecuredJWT({ iss: issuer, aud: CLIENT_ID, sub: 's', exp: now + 60 }).encode(),
      text: 'nonsense',
      'no e-mail': await sign({ email: undefined }),
    };
    for (const [why, token] of Object.entries(tokens)) {
      const { status, body } = await signIn(token);
      expect([why, status, body.code]).toEqual([why, 401, 'id_token_invalid']);
    }
  });

  test.each(Object.entries(FAILURES))('is a 502 in time when the provider %s', async (_how, answer) => {
    dead.answer = answer;
    const token = await sign({});
    const { status, body } = await withShortLimits(() => signIn(token, { provider: 'dead' }));
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  });

  test('is a 502 if the keys of the provider are invalid, and works when they are back', async () => {
    let jwks: unknown = { keys: 'none' };
    dead.answer = (request, response) => {
      const path = request.url.pathname;
      const document = { issuer: dead.url, jwks_uri: `${dead.url}/jwks` };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(path === '/jwks' ? jwks : document));
    };
    const token = await sign({ iss: dead.url, sub: 'revived' });
    expect((await signIn(token, { provider: 'dead' })).status).toBe(502);
    jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }] };
    expect((await signIn(token, { provider: 'dead' })).status).toBe(200);
  });

  test('is listed among the ways to sign in', async () => {
    const { body } = await hub.call('GET /blloo');
    expect(body.idp[0]).toEqual({ provider: 'idp', name: 'Test IdP', issuer, client_id: CLIENT_ID });
    expect(body.brokers).toEqual([
      expect.objectContaining({ broker_domain: BROKER.subdomain, name: BROKER.name }),
    ]);
  });
});
