import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createAuthorize } from '../../../functions/authorizer/authorize.ts';
import { broker, type TestBroker, tokenOf } from '../../support/brokers.ts';
import { accessOf, authorizerEvent, authorizerOf, forge } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, furnish, signUp } from '../../support/people.ts';

const hub = await openHub(furnish);
let desk: TestBroker;
let token: string;
beforeAll(async () => {
  desk = await broker(hub);
  token = await accessOf(hub, desk);
});

const parts = (jws: string) => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const read = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: read(header), payload: read(payload), raw: { header, payload, signature } };
};

const seconds = (): number => Math.floor(hub.runtime.clock().getTime() / 1000);
const allowed = async (jws: string): Promise<boolean> => (await authorizerOf(hub)(jws)).isAuthorized;

/** Returns the token with other claims or header parameters, and a valid signature. */
const signedWith = (claims: Record<string, unknown>, parameters: Record<string, unknown> = {}) => {
  const { header, payload } = parts(token);
  return forge(hub, { header: { ...header, ...parameters }, payload: { ...payload, ...claims } });
};

const stranger = generateKeyPairSync('ed25519');
const byStranger = (data: Buffer): Buffer => sign(null, data, stranger.privateKey);

const publicKey = async () => {
  const [jwk] = (await hub.runtime.keyRing()).published;
  if (!jwk) throw new Error('there is no key');
  return jwk;
};

test('allows the token of a broker, and returns the broker', async () => {
  expect(await authorizerOf(hub)(token)).toEqual({
    isAuthorized: true,
    context: { broker: desk.subdomain, expires_at: seconds() + 3600, scope: 'broker:read' },
  });
  const { header, payload } = parts(token);
  expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
  expect(payload).toEqual({
    iss: 'https://hub.example',
    aud: 'broker',
    sub: desk.guid,
    client_id: desk.guid,
    broker_domain: desk.subdomain,
    scope: 'broker:read',
    jti: expect.any(String),
    iat: seconds(),
    exp: seconds() + 3600,
  });
});

test('accepts an unchanged token that was signed again by these tests', async () => {
  expect(await allowed(await signedWith({}))).toBe(true);
  expect(await allowed(await signedWith({ scope: 'other:read broker:read', nbf: seconds() }))).toBe(true);
});

test('accepts a token that is slightly in the future, as a clock may be slow and a refusal is cached for minutes', async () => {
  expect(await allowed(await signedWith({ iat: seconds() + 5 }))).toBe(true);
  expect(await allowed(await signedWith({ iat: seconds() + 6 }))).toBe(false);
});

const CLAIMS: Readonly<Record<string, () => Record<string, unknown>>> = {
  'that expired this second': () => ({ exp: seconds() }),
  'without an end': () => ({ exp: undefined }),
  'whose end is a text': () => ({ exp: String(seconds() + 60) }),
  'that is not valid yet': () => ({ nbf: seconds() + 60 }),
  'from the future': () => ({ iat: seconds() + 60 }),
  'without a time of issue': () => ({ iat: undefined }),
  'of another issuer': () => ({ iss: 'https://hub.example.org' }),
  'of an issuer with a slash too many': () => ({ iss: 'https://hub.example/' }),
  'of several issuers': () => ({ iss: ['https://hub.example'] }),
  'without an issuer': () => ({ iss: undefined }),
  'for sessions': () => ({ aud: 'session' }),
  'for another audience': () => ({ aud: 'brokers' }),
  'without an audience': () => ({ aud: undefined }),
  'with another scope': () => ({ scope: 'broker:write' }),
  'with a scope that begins alike': () => ({ scope: 'broker:readers' }),
  'with scopes as a list': () => ({ scope: ['broker:read'] }),
  'without a scope': () => ({ scope: undefined }),
  'without a subject': () => ({ sub: undefined }),
  'of no broker': () => ({ broker_domain: undefined }),
  'without an id': () => ({ jti: undefined }),
};

test.each(Object.entries(CLAIMS))('refuses a token %s', async (_, claims) => {
  expect(await allowed(await signedWith(claims()))).toBe(false);
});

const HEADERS: Readonly<Record<string, () => Promise<Record<string, unknown>>>> = {
  'of another type': async () => ({ typ: 'JWT' }),
  'without a type': async () => ({ typ: undefined }),
  'of a partner token’s type': async () => ({ typ: 'partner-a+jwt' }),
  'without a key': async () => ({ kid: undefined }),
  'of an unknown key': async () => ({ kid: 'unknown' }),
  'of a key that is a path': async () => ({ kid: '../../dev/null' }),
  'that brings its key': async () => ({ jwk: await publicKey() }),
  'that says where its key is': async () => ({ jku: 'https://hub.example/.well-known/jwks.json' }),
  'that says where its certificate is': async () => ({ x5u: 'https://hub.example/certificate' }),
  'that brings its certificate': async () => ({ x5c: ['MIIB'] }),
  'that has to be understood': async () => ({ crit: ['exp'], exp: 1 }),
  'whose payload is not encoded': async () => ({ b64: false, crit: ['b64'] }),
  'that is compressed': async () => ({ zip: 'DEF' }),
  'under ES256': async () => ({ alg: 'ES256' }),
  'under eddsa': async () => ({ alg: 'eddsa' }),
  'under a list of algorithms': async () => ({ alg: ['EdDSA'] }),
  'without an algorithm': async () => ({ alg: undefined }),
};

test.each(Object.entries(HEADERS))('refuses a token %s, though we signed it', async (_, parameters) => {
  expect(await allowed(await signedWith({}, await parameters()))).toBe(false);
});

describe('refuses a forged token', () => {
  test.each(['none', 'None', 'NONE', 'nOnE'])('under the algorithm %s', async (alg) => {
    const { header, payload, raw } = parts(token);
    const unsigned = await forge(hub, { header: { ...header, alg }, payload }, () => Buffer.alloc(0));
    expect(await allowed(unsigned)).toBe(false);
    expect(await allowed(`${unsigned}${raw.signature}`)).toBe(false);
  });

  test.each(['HS256', 'HS384', 'HS512'])('that is a MAC under our public key, by %s', async (alg) => {
    const { header, payload } = parts(token);
    const jwk = await publicKey();
    const { verifying } = await hub.runtime
      .keyRing()
      .then((ring) => ({ verifying: ring.verifying(jwk.kid) }));
    const spellings = [
      Buffer.from(jwk.x, 'base64url'),
      Buffer.from(jwk.x),
      Buffer.from(JSON.stringify(jwk)),
      Buffer.from(verifying?.export({ type: 'spki', format: 'pem' }) ?? ''),
      Buffer.from(verifying?.export({ type: 'spki', format: 'der' }) ?? ''),
    ];
    for (const key of spellings) {
      const mac = (data: Buffer) => createHmac(alg.replace('HS', 'sha'), key).update(data).digest();
      expect(await allowed(await forge(hub, { header: { ...header, alg }, payload }, mac))).toBe(false);
    }
  });

  test('signed with an unknown key, with or without that key in its header', async () => {
    const { header, payload } = parts(token);
    const jwk = stranger.publicKey.export({ format: 'jwk' });
    const names = [
      {},
      { jwk },
      { jwk, kid: 'mine' },
      { jku: 'https://evil.example/jwks' },
      { x5u: 'https://e' },
    ];
    for (const more of names) {
      expect(await allowed(await forge(hub, { header: { ...header, ...more }, payload }, byStranger))).toBe(
        false,
      );
    }
  });

  test('with changed claims, or with the signature of another token', async () => {
    const { payload, raw } = parts(token);
    const other = Buffer.from(JSON.stringify({ ...payload, broker_domain: 'north' })).toString('base64url');
    expect(await allowed(`${raw.header}.${other}.${raw.signature}`)).toBe(false);
    expect(await allowed(`${raw.header}.${raw.payload}.${'A'.repeat(86)}`)).toBe(false);
    expect(await allowed(`${raw.header}.${raw.payload}.`)).toBe(false);
  });

  test('of other master secrets; one of the previous master is valid until the next rotation', async () => {
    expect(await authorizerOf(hub.rotated(['another-master-secret-0123456789-0123456789']))(token)).toEqual({
      isAuthorized: false,
    });
    const overlap = hub.rotated([
      'another-master-secret-0123456789-0123456789',
      'a-master-secret-of-the-tests-0123456789',
    ]);
    expect((await authorizerOf(overlap)(token)).isAuthorized).toBe(true);
  });
});

describe('refuses a token in another spelling', () => {
  const spellings: Readonly<Record<string, (jws: string) => string>> = {
    'with padding': (jws) => `${jws}==`,
    'with a set bit behind the last byte': (jws) => {
      // The last of 86 characters carries two bits of the signature and four that must be zero.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      return jws.slice(0, -1) + alphabet[alphabet.indexOf(jws.slice(-1)) + 1];
    },
    'with a line break': (jws) => jws.replace('.', '.\n'),
    'with a fourth part': (jws) => `${jws}.AA`,
    'with two parts': (jws) => jws.split('.').slice(0, 2).join('.'),
    'with five parts': (jws) => `${jws}.AA.AA`,
    'with an empty header': (jws) => jws.slice(jws.indexOf('.')),
    'as JSON': (jws) => {
      const [header, payload, signature] = jws.split('.');
      return JSON.stringify({ protected: header, payload, signature });
    },
  };

  test.each(Object.entries(spellings))('%s', async (_, spell) => {
    expect(await allowed(spell(token))).toBe(false);
  });

  test('of the other base64 alphabet', async () => {
    // A payload whose encoding has both of the characters that differ.
    const jws = await signedWith({ note: '>>>???ÿÿÿ~~~' });
    expect(await allowed(jws)).toBe(true);
    expect(jws).toMatch(/[-_]/);
    expect(await allowed(jws.replaceAll('-', '+').replaceAll('_', '/'))).toBe(false);
  });

  const texts = (): Readonly<Record<string, (payload: string, header: string) => [string, string]>> => ({
    'with a claim twice': (payload, header) => [header, payload.replace('{', '{"sub":"somebody",')],
    'with a claim twice, once escaped': (payload, header) => [
      header,
      payload.replace('{', '{"broker_dom\\u0061in":"north",'),
    ],
    'with a claim twice inside another': (payload, header) => [
      header,
      payload.replace('{', '{"act":{"a":1,"a":2},'),
    ],
    'with a header parameter twice': (payload, header) => [header.replace('{', '{"alg":"none",'), payload],
    'whose payload is a list': (payload, header) => [header, `[${payload}]`],
    'whose payload is a text': (_, header) => [header, '"text"'],
    'whose payload is no JSON': (payload, header) => [header, payload.slice(1)],
    'with a byte order mark': (payload, header) => [header, `\ufeff${payload}`],
  });

  test.each(Object.entries(texts()))('%s', async (_, change) => {
    const { header, payload } = parts(token);
    const [changed, text] = change(JSON.stringify(payload), JSON.stringify(header));
    expect(await allowed(await forge(hub, { header: changed, payload: text }))).toBe(false);
  });

  test('that is no UTF-8', async () => {
    const { raw, payload } = parts(token);
    const bytes = Buffer.from(JSON.stringify({ ...payload, note: 'ÿ' }), 'latin1').toString('base64url');
    const { privateKey } = (await hub.runtime.keyRing()).signing;
    const signature = sign(null, Buffer.from(`${raw.header}.${bytes}`), privateKey).toString('base64url');
    expect(await allowed(`${raw.header}.${bytes}.${signature}`)).toBe(false);
  });

  test('of 10 KB, at once and with any content', async () => {
    expect(await allowed(await signedWith({ note: 'x'.repeat(4_000) }))).toBe(true);
    expect(await allowed(await signedWith({ note: 'x'.repeat(10_240) }))).toBe(false);
    const { header, payload } = parts(token);
    const inside = JSON.stringify(payload).slice(1);
    for (const text of [
      `{"n":${'['.repeat(2500)}${']'.repeat(2500)},${inside}`,
      `{"n":"${'\\\\"'.repeat(900)}`,
    ]) {
      expect(typeof (await allowed(await forge(hub, { header, payload: text })))).toBe('boolean');
    }
    expect(await allowed('a.'.repeat(5_000))).toBe(false);
  });
});

describe('refuses tokens of other kinds', () => {
  test('a user’s access, refresh and platform token, and the user_id', async () => {
    const { body } = await signUp(hub);
    const platform = await hub.call('POST /generate_token', { query: { user_id: body.user_id } });
    expect(platform.status).toBe(200);
    for (const other of [body.access_token, body.refresh_token, platform.body.token, body.user_id]) {
      expect(typeof other).toBe('string');
      expect(await allowed(other)).toBe(false);
    }
  });

  test('a partner token, and the broker’s secret', async () => {
    for (const partner of ['a', 'b'] as const) {
      expect(await allowed(await tokenOf(hub, desk, 'account-1', partner))).toBe(false);
    }
    expect(await allowed(desk.secret)).toBe(false);
  });

  test('and an integrator’s token is not accepted as one of those', async () => {
    const session = await hub.call('POST /verify_session', { headers: bearer(token) });
    expect(session.status).toBe(401);
    const entry = await hub.call('POST /partnerb/auth', { headers: bearer(token) });
    expect(entry.status).toBe(401);
    const rotation = await hub.call('POST /create_partnera_subdomain_secret', {
      query: { broker_name: desk.broker_name, email: 'desk@broker.example' },
      headers: bearer(token),
    });
    expect(rotation.status).toBe(401);
  });
});

test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Token x', 'Bearer a,Bearer b'])(
  'refuses the header %p',
  async (authorization) => {
    const authorize = createAuthorize(hub.runtime);
    expect(await authorize(authorizerEvent(authorization))).toEqual({ isAuthorized: false });
  },
);

test('needs no table, and logs only the truncated address for a refused token', async () => {
  hub.takeCalls();
  hub.log.length = 0;
  await allowed(token);
  await allowed(`${token}x`);
  expect(hub.takeCalls()).toEqual([]);
  const line = { message: 'refused', extra: { request_id: 'request-1', address: '198.51.100.0/24' } };
  for (const logged of hub.log) expect(logged).toMatchObject(line);
  expect(hub.log.length).toBeGreaterThan(0);
});

test('fails without details if its keys cannot be read', async () => {
  const runtime = {
    ...hub.runtime,
    keyRing: async () => {
      throw new Error(`the secret ${desk.secret}`);
    },
  };
  hub.log.length = 0;
  const deciding = createAuthorize(runtime)(authorizerEvent(`Bearer ${token}`));
  await expect(deciding).rejects.toThrow(/^the authorizer could not decide$/);
  expect(hub.log).toHaveLength(1);
  expect(JSON.stringify(hub.log)).not.toContain(desk.secret);
});
