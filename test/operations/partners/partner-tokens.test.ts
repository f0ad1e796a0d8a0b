import { createPrivateKey, createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { suspensionWrite } from '../../../shared/data/brokers/broker-changes.ts';
import {
  approvedBroker,
  askForToken,
  createBroker,
  enterByB,
  handshake,
  linkAccount,
  registerAtBroker,
  type TestBroker,
  tokenOf,
  validate,
} from '../../support/brokers.ts';
import { startHub } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, furnish, login, PASSWORD, register, sentCode } from '../../support/people.ts';

const hub = await openHub(furnish);
let ours: TestBroker;
beforeAll(async () => {
  ours = await approvedBroker(hub);
});

let accounts = 0;
const freshAccount = (): string => `ACC-${++accounts}`;

/** Registers a user who came from the broker with an account. */
const linkedUser = async (account: string, at: TestBroker = ours, partner: 'a' | 'b' = 'b') => {
  const partner_token = await tokenOf(hub, at, account, partner);
  const { status, body } = await registerAtBroker(hub, at.subdomain, { partner_token });
  expect(status).toBe(200);
  return body;
};

const link = (email: string, broker_domain: string, partner_token: string, password?: string) =>
  linkAccount(hub, email, broker_domain, partner_token, password);

const suspend = ({ subdomain }: TestBroker, since: Date | undefined) =>
  hub.runtime.store.transact([suspensionWrite(subdomain, since)]);

describe('a partner token', () => {
  test.each(['a', 'b'] as const)(
    'of partner %s says whose account it is for, for ten minutes',
    async (partner) => {
      const query = { account_id: 'ACC', server_id: '5', broker_sub_domain: ours.subdomain.toUpperCase() };
      const { body } = await askForToken(hub, partner, query, ours.secret);
      expect(body).toMatchObject({ verified: true, expires_in: 600, broker_sub_domain: ours.subdomain });
      expect((await validate(hub, body.token, ours.subdomain)).body).toMatchObject({
        valid: true,
        partner,
        verified: true,
        account_id: 'ACC',
        server_id: 5,
        broker_sub_domain: ours.subdomain,
      });
      hub.advance(600_000);
      const { status, body: refusal } = await validate(hub, body.token);
      expect([status, refusal.code]).toEqual([401, 'partner_token_invalid']);
    },
  );

  test('made without the secret is reported as such, with or without a broker', async () => {
    const { body } = await askForToken(hub, 'b', { account_id: 'ACC', broker_sub_domain: ours.subdomain });
    expect(body.verified).toBe(false);
    expect((await validate(hub, body.token)).body).toMatchObject({ verified: false, account_id: 'ACC' });
    const { body: bare } = await askForToken(hub, 'b', { support_email: 'help@broker.example' });
    expect((await validate(hub, bare.token)).body.support_email).toBe('help@broker.example');
    expect((await validate(hub, bare.token, ours.subdomain)).status).toBe(401);
    const unknown = await askForToken(hub, 'a', { broker_sub_domain: 'unheard-of' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'broker_unknown']);
  });

  test('is not used by being checked', async () => {
    const account = freshAccount();
    await linkedUser(account);
    const token = await tokenOf(hub, ours, account);
    for (let time = 0; time < 3; time++) expect((await validate(hub, token)).status).toBe(200);
    expect((await enterByB(hub, token)).status).toBe(200);
    const { status, body } = await validate(hub, token);
    expect([status, body.code]).toEqual([401, 'partner_token_used']);
  });
});

describe('a verified token', () => {
  test('of partner B signs in the user whom its account is linked to', async () => {
    const account = freshAccount();
    const user = await linkedUser(account);
    expect(user.brokers[0]).toMatchObject({ name: ours.broker_name, account_id: account, server_id: 5 });
    const { status, body, cookies } = await enterByB(hub, await tokenOf(hub, ours, account));
    expect([status, body.user_id, body.is_new_user]).toEqual([200, user.user_id, false]);
    expect(cookies).toHaveLength(3);
    const verified = await hub.call('POST /verify_user', { headers: bearer(body.access_token) });
    expect(verified.body.user_id).toBe(user.user_id);
  });

  test('of partner A signs in at its handshake', async () => {
    const account = freshAccount();
    const user = await linkedUser(account, ours, 'a');
    const token = await tokenOf(hub, ours, account, 'a');
    const { status, body } = await handshake(hub, { broker_guid: ours.guid }, token);
    expect([status, body.session.user_id]).toEqual([200, user.user_id]);
    expect(body).toMatchObject({ broker_id: ours.broker_id, broker_name: ours.broker_name, updated: false });
    const again = await handshake(hub, { broker_guid: ours.guid }, token);
    expect(again.body.code).toBe('partner_token_used');
  });

  test.each([
    ['a', (token: string) => handshake(hub, {}, token)],
    ['b', (token: string) => enterByB(hub, token)],
  ] as const)(
    'of partner %s signs in once, also when it is used 50 times in parallel',
    async (partner, use) => {
      const account = freshAccount();
      await linkedUser(account);
      const token = await tokenOf(hub, ours, account, partner);
      const answers = await Promise.all(Array.from({ length: 50 }, () => use(token)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
      expect(new Set(codes)).toEqual(new Set(['partner_token_used']));
    },
  );

  test('registers once, also if it is used 50 times in parallel', async () => {
    const token = await tokenOf(hub, ours, freshAccount());
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => registerAtBroker(hub, ours.subdomain, { partner_token: token })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code));
    expect([...codes].every((code) => ['partner_token_used', 'account_taken'].includes(code))).toBe(true);
  });

  test('links an existing user who signs in with the password', async () => {
    const account = freshAccount();
    const { body: user } = await register(hub);
    const linked = await link(user.email, ours.subdomain, await tokenOf(hub, ours, account));
    expect([linked.status, linked.body.user_id]).toEqual([200, user.user_id]);
    expect(linked.body.brokers[0]).toMatchObject({ account_id: account, connected: true });
    const { body } = await enterByB(hub, await tokenOf(hub, ours, account));
    expect(body.user_id).toBe(user.user_id);
  });

  test('with a wrong password links nothing and stays unused', async () => {
    const account = freshAccount();
    const { body: user } = await register(hub);
    const token = await tokenOf(hub, ours, account);
    expect((await link(user.email, ours.subdomain, token, 'wrong password')).body.code).toBe(
      'credentials_invalid',
    );
    expect((await enterByB(hub, token)).body.code).toBe('partner_account_unlinked');
    expect((await link(user.email, ours.subdomain, token)).status).toBe(200);
  });

  test('of an unlinked account can still link a user', async () => {
    const account = freshAccount();
    const token = await tokenOf(hub, ours, account);
    const { status, body } = await enterByB(hub, token);
    expect([status, body.code]).toEqual([404, 'partner_account_unlinked']);
    expect((await registerAtBroker(hub, ours.subdomain, { partner_token: token })).status).toBe(200);
  });

  test('does not take an account from its user', async () => {
    const account = freshAccount();
    const user = await linkedUser(account);
    const partner_token = await tokenOf(hub, ours, account);
    const registered = await registerAtBroker(hub, ours.subdomain, { partner_token });
    expect([registered.status, registered.body.code]).toEqual([409, 'account_taken']);
    const { body: other } = await register(hub);
    const linked = await link(other.email, ours.subdomain, await tokenOf(hub, ours, account));
    expect([linked.status, linked.body.code]).toEqual([409, 'account_taken']);
    expect((await enterByB(hub, partner_token)).body.user_id).toBe(user.user_id);
  });

  test('for another account of the broker replaces the first', async () => {
    const [first, second] = [freshAccount(), freshAccount()];
    const user = await linkedUser(first);
    expect((await link(user.email, ours.subdomain, await tokenOf(hub, ours, second))).status).toBe(200);
    expect((await enterByB(hub, await tokenOf(hub, ours, second))).body.user_id).toBe(user.user_id);
    expect((await enterByB(hub, await tokenOf(hub, ours, first))).status).toBe(404);
    expect((await linkedUser(first)).user_id).not.toBe(user.user_id);
  });

  test('no longer signs in after a reset of the password, until the user links the account again', async () => {
    const account = freshAccount();
    const user = await linkedUser(account);
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    const query = { email: user.email, new_password: 'the owner’s password', otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    const token = await tokenOf(hub, ours, account);
    expect((await enterByB(hub, token)).body.code).toBe('partner_account_unlinked');
    expect((await link(user.email, ours.subdomain, token, 'the owner’s password')).status).toBe(200);
    expect((await enterByB(hub, await tokenOf(hub, ours, account))).status).toBe(200);
  });

  test('does not sign in an account that was linked without a token', async () => {
    const account_id = freshAccount();
    await registerAtBroker(hub, ours.subdomain, { account_id, server_id: '5' });
    const { body } = await enterByB(hub, await tokenOf(hub, ours, account_id));
    expect(body.code).toBe('partner_account_unlinked');
  });

  test('keeps a user within 20 sessions', async () => {
    const account = freshAccount();
    const user = await linkedUser(account);
    for (let time = 0; time < 22; time++) {
      expect((await enterByB(hub, await tokenOf(hub, ours, account))).status).toBe(200);
    }
    expect((await login(hub, user.email)).status).toBe(200);
  });

  test('makes at most three calls', async () => {
    const account = freshAccount();
    await linkedUser(account);
    const token = await tokenOf(hub, ours, account);
    hub.takeCalls();
    expect((await enterByB(hub, token)).status).toBe(200);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'GetItem', 'TransactWriteItems']);
  });
});

describe('refused is a token', () => {
  let account: string;
  let theirs: TestBroker;
  beforeAll(async () => {
    account = freshAccount();
    theirs = await approvedBroker(hub);
    await linkedUser(account);
  });

  const expectRefused = async (why: string, token: string) => {
    for (const answer of [
      await enterByB(hub, token),
      await handshake(hub, {}, token),
      await registerAtBroker(hub, ours.subdomain, { partner_token: token }),
      await link('nobody@example.com', ours.subdomain, token),
    ]) {
      expect([why, answer.status, answer.body.code]).toEqual([why, 401, 'partner_token_invalid']);
    }
  };

  test('made without the secret', async () => {
    const query = { account_id: account, server_id: '5', broker_sub_domain: ours.subdomain };
    for (const partner of ['a', 'b'] as const) {
      const { body } = await askForToken(hub, partner, query);
      const entered =
        partner === 'b' ? await enterByB(hub, body.token) : await handshake(hub, {}, body.token);
      expect([entered.status, entered.body.code]).toEqual([401, 'partner_token_invalid']);
      const registered = await registerAtBroker(hub, ours.subdomain, { partner_token: body.token });
      expect(registered.body.code).toBe('partner_token_invalid');
    }
  });

  test('of another broker with the same account', async () => {
    const token = await tokenOf(hub, theirs, account);
    expect((await enterByB(hub, token)).body.code).toBe('partner_account_unlinked');
    const registered = await registerAtBroker(hub, ours.subdomain, { partner_token: token });
    expect(registered.body.code).toBe('partner_token_invalid');
    const { body: user } = await register(hub);
    expect((await link(user.email, ours.subdomain, token)).body.code).toBe('partner_token_invalid');
    const other = await tokenOf(hub, theirs, account, 'a');
    expect((await handshake(hub, { broker_guid: ours.guid }, other)).body.code).toBe('partner_token_invalid');
  });

  test('checked under the wrong sub-domain', async () => {
    const token = await tokenOf(hub, ours, account);
    for (const sub of [theirs.subdomain, 'unheard-of', '']) {
      const { status, body } = await validate(hub, token, sub);
      expect([sub, status, body.code]).toEqual([sub, 401, 'partner_token_invalid']);
    }
    expect((await validate(hub, token, ours.subdomain.toUpperCase())).status).toBe(200);
  });

  test('of the other partner', async () => {
    expect((await enterByB(hub, await tokenOf(hub, ours, account, 'a'))).body.code).toBe(
      'partner_token_invalid',
    );
    const b = await tokenOf(hub, ours, account, 'b');
    expect((await handshake(hub, {}, b)).body.code).toBe('partner_token_invalid');
  });

  test('of a broker that was suspended later, until the suspension ends', async () => {
    const broker = await approvedBroker(hub);
    const linked = freshAccount();
    await linkedUser(linked, broker);
    const { body: customer } = await register(hub);
    const [b, a, fresh] = [
      await tokenOf(hub, broker, linked),
      await tokenOf(hub, broker, linked, 'a'),
      await tokenOf(hub, broker, freshAccount()),
    ];
    await suspend(broker, hub.runtime.clock());
    const uses = [
      () => enterByB(hub, b),
      () => handshake(hub, {}, a),
      () => registerAtBroker(hub, broker.subdomain, { partner_token: fresh }),
      () => link(customer.email, broker.subdomain, fresh),
      () => validate(hub, b),
    ];
    for (const use of uses) {
      const { status, body } = await use();
      expect([status, body.code]).toEqual([403, 'broker_suspended']);
    }
    expect((await login(hub, customer.email)).body.brokers).toEqual([]);
    await suspend(broker, undefined);
    expect((await enterByB(hub, b)).status).toBe(200);
    expect((await handshake(hub, {}, a)).status).toBe(200);
    expect((await link(customer.email, broker.subdomain, fresh)).status).toBe(200);
  });

  test('without an account', async () => {
    const { body } = await askForToken(hub, 'b', {}, ours.secret);
    expect((await enterByB(hub, body.token)).body.code).toBe('partner_token_invalid');
  });

  test('that was changed, signed with another key, or is of another kind', async () => {
    const good = await tokenOf(hub, ours, account);
    const claims = decodeJwt(good);
    const header = decodeProtectedHeader(good);
    const { signing } = await hub.runtime.keyRing();
    const stranger = await generateKeyPair('EdDSA');
    const elliptic = await generateKeyPair('ES256');
    const publicPem = createPublicKey(signing.privateKey).export({ format: 'pem', type: 'spki' });
    const publicJwk = JSON.stringify(await exportJWK(createPublicKey(signing.privateKey)));
    const typ = String(header.typ);
    const kid = String(header.kid);
    const signed = (
      changes: Record<string, unknown>,
      head: { alg?: string; typ?: string; kid?: string } = {},
      key: Parameters<SignJWT['sign']>[0] = signing.privateKey,
    ) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'EdDSA', typ, kid, ...head })
        .sign(key);
    const [head, , signature] = good.split('.');
    const swapped = Buffer.from(JSON.stringify({ ...claims, account_id: 'SOMEBODY' })).toString('base64url');
    const { body: user } = await register(hub);
    const { body: session } = await login(hub, user.email);
    const { body: platform } = await hub.call('POST /generate_token', { query: { user_id: user.user_id } });
    const bytes = (text: string) => new TextEncoder().encode(text);
    const tokens: Record<string, string> = {
      'claims swapped': `${head}.${swapped}.${signature}`,
      'no signature': `${head}.${good.split('.')[1]}.`,
      'alg none': new UnsecuredJWT(claims).encode(),
      'alg HS256 with the public key as secret': await signed({}, { alg: 'HS256' }, bytes(String(publicPem))),
      'alg HS256 with the published key as secret': await signed({}, { alg: 'HS256' }, bytes(publicJwk)),
      'alg ES256 by a stranger': await signed({}, { alg: 'ES256' }, elliptic.privateKey),
      'a stranger’s key under our kid': await signed({}, {}, stranger.privateKey),
      'an unknown kid': await signed({}, { kid: 'unheard-of' }),
      'another type': await signed({}, { typ: 'JWT' }),
      'another audience': await signed({ aud: 'partner-c' }),
      'another issuer': await signed({ iss: 'https://elsewhere.example' }),
      over: await signed({ exp: Math.floor(hub.runtime.clock().getTime() / 1000) }),
      'without an end': await signed({ exp: undefined }),
      'without an id': await signed({ jti: undefined }),
      'verified as text': await signed({ verified: 'true' }),
      'a session': session.access_token,
      'a platform token': platform.token,
      text: 'nonsense',
    };
    expect((await validate(hub, await signed({}))).status).toBe(200);
    for (const [why, token] of Object.entries(tokens)) {
      await expectRefused(why, token);
      expect([why, (await validate(hub, token)).status]).toEqual([why, 401]);
    }
    const asSession = await hub.call('POST /verify_session', { headers: bearer(good) });
    expect(asSession.body.code).toBe('session_invalid');
  });

  test('of keys of two rotations ago, but not of the last', async () => {
    const token = await tokenOf(hub, ours, account);
    const { masters } = await hub.runtime.secrets();
    const once = hub.rotated(['second-master-secret-of-the-tests-01234', masters[0]]);
    expect((await validate(once, token)).status).toBe(200);
    const twice = hub.rotated([
      'third-master-secret-of-the-tests-012345',
      'second-master-secret-of-the-tests-01234',
    ]);
    expect((await validate(twice, token)).body.code).toBe('partner_token_invalid');
  });

  test('that is absent', async () => {
    expect((await hub.call('POST /partnerb/auth')).body.code).toBe('partner_token_invalid');
  });
});

test('neither secrets nor tokens are in the log or the table, and accounts are not in the log', async () => {
  const apart = await startHub();
  await furnish(apart);
  const at = await approvedBroker(apart);
  const { body: rotated } = await createBroker(apart, { guid: at.guid }, at.secret);
  const registering = await tokenOf(apart, at, 'ACC-LOGGED', 'a');
  const { body: user } = await registerAtBroker(apart, at.subdomain, { partner_token: registering });
  const entering = await tokenOf(apart, at, 'ACC-LOGGED');
  const { body: session } = await enterByB(apart, entering);
  await enterByB(apart, entering);
  await validate(apart, entering);
  await handshake(apart, {}, rotated.secret);
  const headers = { 'idempotency-key': 'a-key' };
  const query = { user_id: user.user_id };
  const { body: platform } = await apart.call('POST /generate_token', { query, headers });
  const linking = await tokenOf(apart, at, 'ACC-OTHER');
  const linked = await apart.call('POST /login_user_broker', {
    query: { email: user.email, password: PASSWORD, broker_domain: at.subdomain, partner_token: linking },
    headers,
  });
  expect(linked.status).toBe(200);
  const logged = JSON.stringify(apart.log);
  const stored = await apart.tableText();
  expect(stored).toContain('ACC-OTHER');
  for (const secret of [
    at.secret,
    rotated.secret,
    registering,
    entering,
    linking,
    platform.token,
    session.access_token,
    session.refresh_token,
    linked.body.refresh_token,
    PASSWORD,
  ]) {
    expect(secret).toMatch(/./);
    expect(logged).not.toContain(secret);
    expect(stored).not.toContain(secret);
    // Nor the secret part of it.
    expect(stored).not.toContain(secret.split('.').at(-1));
  }
  for (const value of ['ACC-LOGGED', user.email, user.user_id]) expect(logged).not.toContain(value);
  await apart.close();
});

test('the public keys of the tokens are published, around a rotation both', async () => {
  const { body } = await hub.call('GET /.well-known/jwks.json');
  const { body: made } = await askForToken(hub, 'a', {});
  expect(body.keys).toHaveLength(1);
  expect(body.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
  expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  expect(decodeProtectedHeader(made.token).kid).toBe(body.keys[0].kid);
  const key = createPublicKey({ key: body.keys[0], format: 'jwk' });
  expect(() => createPrivateKey({ key: body.keys[0], format: 'jwk' })).toThrow();
  const now = hub.runtime.clock();
  await expect(jwtVerify(made.token, key, { currentDate: now })).resolves.toBeDefined();
  const { masters } = await hub.runtime.secrets();
  const rotated = await hub
    .rotated(['second-master-secret-of-the-tests-01234', masters[0]])
    .call('GET /.well-known/jwks.json');
  expect(rotated.body.keys).toHaveLength(2);
  expect(rotated.body.keys[1]).toEqual(body.keys[0]);
});
