import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Verdict } from '../../../functions/authorizer/authorize.ts';
import { broker, type TestBroker } from '../../support/brokers.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { accessOf, authorizerOf } from '../../support/integrators.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { FAILURES, json, startUpstream, type Upstream } from '../../support/upstream.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

let base: TestHub;
let hub: TestHub;
let upstream: Upstream;
let desk: TestBroker;
let first: Keys;
let second: Keys;
let published: JWK[];

const jwkOf = async ({ publicKey }: Keys, kid: string): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  use: 'sig',
});

beforeAll(async () => {
  [first, second] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  base = await startHub();
  desk = await broker(base);
});
afterAll(() => base.close());

let decide: (token: string) => Promise<Verdict>;
beforeEach(async () => {
  published = [await jwkOf(first, 'one')];
  upstream = await startUpstream((request, response) => json({ keys: published })(request, response));
  hub = base.with({
    HUB_TRUSTED_ISSUERS: JSON.stringify([
      {
        issuer: 'https://idp.example',
        jwks_uri: `${upstream.url}/jwks`,
        algorithms: ['ES256'],
        subjects: { 'desk-client': desk.subdomain },
      },
      {
        issuer: 'https://other.example',
        jwks_uri: 'http://127.0.0.1:1/jwks',
        algorithms: ['ES256'],
        subjects: { 'desk-client': 'another' },
      },
    ]),
  });
  decide = authorizerOf(hub);
});
afterEach(() => upstream.close());

const seconds = (): number => Math.floor(hub.runtime.clock().getTime() / 1000);

const issue = (
  claims: Record<string, unknown> = {},
  {
    kid = 'one',
    key = first.privateKey,
    alg = 'ES256',
    ...parameters
  }: Record<string, unknown> & {
    key?: Keys['privateKey'];
    kid?: string;
    alg?: string;
  } = {},
): Promise<string> =>
  new SignJWT({
    iss: 'https://idp.example',
    aud: 'broker',
    sub: 'desk-client',
    scope: 'openid broker:read',
    iat: seconds(),
    exp: seconds() + 600,
    ...claims,
  })
    .setProtectedHeader({ alg, kid, ...parameters })
    .sign(key);

const REFUSED = { isAuthorized: false };
const UNDECIDED = /the authorizer could not decide/;
const asked = (): number => upstream.received.length;

describe('a token of a trusted issuer', () => {
  test('is valid for the broker that is configured for its subject', async () => {
    const context = { broker: desk.subdomain, expires_at: seconds() + 600 + 30, scope: 'broker:read' };
    expect(await decide(await issue())).toEqual({ isAuthorized: true, context });
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt']) {
      expect(await decide(await issue({}, { typ }))).toEqual({ isAuthorized: true, context });
    }
    expect(asked()).toBe(1);
  });

  test.each(
    Object.entries({
      'for an unknown subject': () => issue({ sub: 'stranger' }),
      'for a subject that every object has': () => issue({ sub: 'constructor' }),
      'without a subject': () => issue({ sub: undefined }),
      'of an issuer that is not trusted': () => issue({ iss: 'https://idp.example/' }),
      'for another audience': () => issue({ aud: 'https://hub.example' }),
      'without the scope': () => issue({ scope: 'openid' }),
      'that is over': () => issue({ exp: seconds() - 31 }),
      'without an end': () => issue({ exp: undefined }),
      'that is not valid yet': () => issue({ nbf: seconds() + 31 }),
      'from the future': () => issue({ iat: seconds() + 31 }),
      'that is older than a day': () => issue({ iat: seconds() - 24 * 3600 - 31 }),
      'of another type': () => issue({}, { typ: 'logout+jwt' }),
      'with a key of its own': async () => issue({}, { jwk: await jwkOf(second, 'one') }),
      'by another key under the name of a known one': () => issue({}, { key: second.privateKey }),
    }),
  )('is refused %s', async (_, make) => {
    expect(await decide(await make())).toEqual(REFUSED);
  });

  test('is valid a little before and after its time, because clocks differ, and for at most a day', async () => {
    expect(await decide(await issue({ exp: seconds() - 29 }))).toMatchObject({ isAuthorized: true });
    expect(await decide(await issue({ nbf: seconds() + 29 }))).toMatchObject({ isAuthorized: true });
    expect(await decide(await issue({ exp: seconds() + 365 * 24 * 3600 }))).toMatchObject({
      context: { expires_at: seconds() + 24 * 3600 + 30 },
    });
  });

  test('is refused under an algorithm that the issuer does not use, with any published keys', async () => {
    const rsa = await generateKeyPair('RS256');
    published.push(await jwkOf(rsa, 'rsa'), {
      kty: 'oct',
      kid: 'mac',
      k: Buffer.from('secret').toString('base64url'),
    });
    expect(await decide(await issue({}, { kid: 'rsa', alg: 'RS256', key: rsa.privateKey }))).toEqual(REFUSED);
    const secret = new TextEncoder().encode('secret');
    const mac = await new SignJWT({
      iss: 'https://idp.example',
      aud: 'broker',
      sub: 'desk-client',
      scope: 'broker:read',
    })
      .setProtectedHeader({ alg: 'HS256', kid: 'mac' })
      .setIssuedAt(hub.runtime.clock())
      .setExpirationTime(seconds() + 60)
      .sign(secret);
    expect(await decide(mac)).toEqual(REFUSED);
  });

  test('cannot have the name of this service as its issuer', async () => {
    const ours = base.with({
      HUB_TRUSTED_ISSUERS: JSON.stringify([
        {
          issuer: 'https://hub.example',
          jwks_uri: `${upstream.url}/jwks`,
          algorithms: ['ES256'],
          subjects: { 'desk-client': desk.subdomain },
        },
      ]),
    });
    expect(await authorizerOf(ours)(await issue({ iss: 'https://hub.example' }))).toEqual(REFUSED);
    expect(asked()).toBe(0);
  });
});

describe('the keys of an issuer', () => {
  test('are read once by simultaneous requests, and again after ten minutes', async () => {
    const token = await issue({ exp: seconds() + 3600 });
    await Promise.all(Array.from({ length: 20 }, () => decide(token)));
    hub.advance(10 * MINUTE);
    await decide(token);
    expect(asked()).toBe(1);
    hub.advance(1000);
    await decide(token);
    expect(asked()).toBe(2);
  });

  test('that are new are found at once; tokens with unknown keys cause two reads a minute', async () => {
    await decide(await issue());
    hub.advance(31_000);
    published = [await jwkOf(second, 'two')];
    expect(await decide(await issue({}, { kid: 'two', key: second.privateKey }))).toMatchObject({
      isAuthorized: true,
    });
    expect(asked()).toBe(2);
    for (let n = 0; n < 20; n++)
      expect(await decide(await issue({}, { kid: `made-up-${n}` }))).toEqual(REFUSED);
    expect(asked()).toBe(2);
  });

  test('that were withdrawn are refused after ten minutes', async () => {
    const token = await issue({ exp: seconds() + 3600 });
    expect(await decide(token)).toMatchObject({ isAuthorized: true });
    published = [await jwkOf(second, 'two')];
    hub.advance(10 * MINUTE + 1000);
    expect(await decide(token)).toEqual(REFUSED);
  });

  const OUTAGES: typeof FAILURES = {
    ...FAILURES,
    'answers 404': json({ keys: [] }, 404),
    'answers no key set': json({ keys: 'none' }),
    'answers more than 64 KB': (_request, response) => {
      const keys = { keys: published, padding: 'x'.repeat(64 * 1024) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(keys));
    },
    'answers no JSON': (_request, response) => {
      response.end('<html>');
    },
    'answers without end': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"keys":[');
      const more = (): void => {
        if (!response.destroyed) response.write('{},'.repeat(10_000), more);
      };
      more();
    },
  };

  test.each(Object.entries(OUTAGES))('stay known while the issuer %s', async (_, fail) => {
    const known = await issue({ exp: seconds() + 20 * 3600 });
    expect(await decide(known)).toMatchObject({ isAuthorized: true });
    upstream.answer = fail;
    hub.advance(11 * MINUTE);
    expect(await withShortLimits(() => decide(known))).toMatchObject({ isAuthorized: true });
    // Only the issuer knows whether this one is valid, so it is not refused permanently.
    const unknown = await issue({}, { kid: 'two', key: second.privateKey });
    await expect(withShortLimits(() => decide(unknown))).rejects.toThrow(UNDECIDED);
    expect(asked()).toBe(2);
    hub.advance(12 * HOUR);
    expect(await decide(known)).toMatchObject({ isAuthorized: true });
    hub.advance(MINUTE);
    upstream.answer = (request, response) => json({ keys: published })(request, response);
    expect(await decide(await issue())).toMatchObject({ isAuthorized: true });
  });

  test('are trusted for at most a day after they were last read', async () => {
    const renew = () => issue({ exp: seconds() + 60 });
    expect(await decide(await renew())).toMatchObject({ isAuthorized: true });
    upstream.answer = json({}, 503);
    hub.advance(24 * HOUR - MINUTE);
    expect(await decide(await renew())).toMatchObject({ isAuthorized: true });
    hub.advance(2 * MINUTE);
    await expect(decide(await renew())).rejects.toThrow(UNDECIDED);
  });

  test('that could never be read refuse only this issuer’s tokens, and delay no others', async () => {
    upstream.answer = json({}, 503);
    const own = await accessOf(hub, desk);
    hub.log.length = 0;
    await expect(decide(await issue())).rejects.toThrow(UNDECIDED);
    await expect(decide(await issue())).rejects.toThrow(UNDECIDED);
    expect(asked()).toBe(1);
    expect(JSON.stringify(hub.log)).toContain('UpstreamDown');
    expect(JSON.stringify(hub.log)).not.toContain('desk-client');
    expect(await decide(own)).toMatchObject({ isAuthorized: true });
    await expect(decide(await issue({ iss: 'https://other.example' }))).rejects.toThrow(UNDECIDED);
    hub.advance(31_000);
    upstream.answer = json({ keys: published });
    expect(await decide(await issue())).toMatchObject({ isAuthorized: true });
  });

  test('are not read for tokens of this service, of unknown issuers or in another form', async () => {
    await decide(await accessOf(hub, desk));
    await decide(await issue({ iss: 'https://stranger.example' }));
    await decide(`${await issue()}=`);
    await decide(await issue({}, { jku: `${upstream.url}/jwks` }));
    expect(asked()).toBe(0);
  });
});

describe('the setting', () => {
  const good = {
    issuer: 'https://idp.example',
    jwks_uri: 'https://idp.example/jwks',
    algorithms: ['RS256'],
    subjects: { client: 'north' },
  };

  test.each(
    Object.entries({
      'no JSON': '[{',
      'no list': JSON.stringify(good),
      'an algorithm with a shared secret': JSON.stringify([{ ...good, algorithms: ['HS256'] }]),
      'the algorithm none': JSON.stringify([{ ...good, algorithms: ['none'] }]),
      'no algorithm': JSON.stringify([{ ...good, algorithms: [] }]),
      'keys without TLS': JSON.stringify([{ ...good, jwks_uri: 'http://idp.example/jwks' }]),
      'no subjects': JSON.stringify([{ ...good, subjects: undefined }]),
      'one issuer twice': JSON.stringify([good, good]),
    }),
  )('is refused with %s', (_, text) => {
    expect(() => authorizerOf(base.with({ HUB_TRUSTED_ISSUERS: text }))).toThrow(/HUB_TRUSTED_ISSUERS/);
  });
});
