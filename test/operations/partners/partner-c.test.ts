import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openGrant } from '../../../shared/auth/partner-connections.ts';
import { GrantRefusedError, partnerC, renewGrant } from '../../../shared/channels/partner-oauth.ts';
import { findConnection, findDueConnections } from '../../../shared/data/partner-c/connections.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { startPartnerC, type TestPartner, type Visitor } from '../../support/partner-c.ts';
import { bearer, furnish, login, signUp } from '../../support/people.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { FAILURES, json, startUpstream } from '../../support/upstream.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let partner: TestPartner;
let hub: TestHub;
const environment = { ...process.env };

beforeAll(async () => {
  partner = await startPartnerC();
  hub = (await startHub()).with(partner.environment);
  await furnish(hub);
});
afterEach(() => {
  partner.trouble.clear();
  partner.codeLifetime = 60;
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await partner.close();
});

interface Session {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const headersOf = (session?: Session) => (session ? bearer(session.access_token) : {});

/** The cookies of the browser that the tests share. */
let jar: string[] = [];

const access = async (session?: Session) => {
  const answer = await hub.call('GET /partnerc_access', { headers: headersOf(session), cookies: jar });
  if (answer.cookies.length > 0) jar = answer.cookies.map((cookie) => cookie.split(';', 1).join(''));
  return answer;
};
const comeBack = (query: Record<string, string>, session?: Session, cookies: string[] = jar) =>
  hub.call('GET /partnerc_auth_callback', { query, headers: headersOf(session), cookies });
const disconnect = (user_id: string) => hub.call('POST /partnerc_disconnect', { query: { user_id } });
const claim = (user_id: string, connection_id: string) =>
  hub.call('POST /partnerc_connect', { query: { user_id, connection_id } });
const job = () => runJob(hub.runtime, { job: 'refresh-partner-tokens' });
const trader = async (): Promise<Session> => (await signUp(hub)).body;

/** Follows the redirects to partner C's consent, and returns the parameters of the callback. */
const goThere = async (session?: Session, decision: 'give' | 'deny' = 'give', visitor: Visitor = {}) => {
  const { body } = await access(session);
  return partner.consent(body.authorization_url, decision, visitor);
};

const connect = async (visitor?: Visitor): Promise<Session> => {
  const session = await trader();
  expect((await comeBack(await goThere(session, 'give', visitor), session)).status).toBe(200);
  return session;
};

const connectionOf = async ({ user_id }: Session) => {
  const connection = await findConnection(hub.runtime.store, user_id);
  if (!connection) throw new Error('the user has no connection');
  return connection;
};

const linkOf = async ({ user_id }: Session) =>
  hub.call('GET /get_connected_broker_details_v2', { query: { user_id, broker_id: '103' } });

describe('the connection flow of partner C', () => {
  test('starts with the address of the consent, with PKCE and a state', async () => {
    const { status, body } = await access();
    const address = new URL(body.authorization_url);
    expect([status, body.bound, address.origin]).toEqual([200, false, partner.issuer]);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'hub-client',
      response_type: 'code',
      redirect_uri: 'https://hub.example/partnerc_auth_callback',
      scope: 'openid offline_access',
      state: body.state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  test('ends with a connection of the session’s user, whose tokens are sealed', async () => {
    const session = await trader();
    const { status, body } = await comeBack(await goThere(session), session);
    expect([status, body]).toEqual([
      200,
      {
        connected: true,
        connection_id: null,
        scopes: ['openid', 'offline_access'],
        connected_at: expect.any(String),
        token_expires_at: expect.any(String),
        renewable: true,
      },
    ]);
    const connection = await connectionOf(session);
    const grant = await openGrant(hub.runtime, connection);
    expect(grant?.access_token).toMatch(/./);
    const stored = await hub.tableText();
    expect(stored).not.toContain(grant?.access_token);
    expect(stored).not.toContain(grant?.refresh_token);
    expect((await linkOf(session)).body).toMatchObject({ status: 'connected', permissions: body.scopes });
  });

  test('opens sealed tokens only for their own connection', async () => {
    const connection = await connectionOf(await connect());
    await expect(openGrant(hub.runtime, { ...connection, connection_id: 'another' })).rejects.toThrow();
    const changed = Buffer.from(connection.sealed ?? []);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    await expect(openGrant(hub.runtime, { ...connection, sealed: changed })).rejects.toThrow();
  });

  test('makes at most three calls in each request', async () => {
    const session = await trader();
    hub.takeCalls();
    const back = await goThere(session);
    expect(hub.takeCalls()).toEqual(['GetItem', 'PutItem']);
    await comeBack(back, session);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'UpdateItem', 'TransactWriteItems']);
    await disconnect(session.user_id);
    expect(hub.takeCalls()).toEqual(['GetItem', 'UpdateItem', 'TransactWriteItems']);
  });

  test('continues after a rotation of keys', async () => {
    const session = await trader();
    const back = await goThere(session);
    const { masters } = await hub.runtime.secrets();
    const rotated = hub.rotated(['second-master-secret-of-the-tests-01234', masters[0]]);
    const headers = headersOf(session);
    const answer = await rotated.call('GET /partnerc_auth_callback', { query: back, headers });
    expect(answer.status).toBe(200);
  });

  test('is unavailable if partner C is not configured', async () => {
    const { status, body } = await hub.with({ HUB_PARTNERC_ISSUER: '' }).call('GET /partnerc_access');
    expect([status, body.code]).toEqual([404, 'provider_unknown']);
  });

  test('is refused to an expired session', async () => {
    const session = await trader();
    hub.advance(20 * MINUTE);
    expect((await access(session)).body.code).toBe('session_invalid');
  });

  test('logs none of its values', async () => {
    hub.log.length = 0;
    const session = await trader();
    const back = await goThere(session);
    await comeBack(back, session);
    await comeBack(back, session);
    const logged = JSON.stringify(hub.log);
    const grant = await openGrant(hub.runtime, await connectionOf(session));
    for (const secret of [
      back.code,
      back.state,
      grant?.access_token,
      grant?.refresh_token,
      session.user_id,
    ]) {
      expect(secret).toBeDefined();
      expect(logged).not.toContain(secret);
    }
  });
});

/** Tells whether partner C refuses a refresh token. */
const isOver = async (refreshToken: string | undefined): Promise<boolean> => {
  const client = await partnerC(hub.runtime);
  if (refreshToken === undefined || !client) throw new Error('there is no grant');
  try {
    await renewGrant(client, refreshToken);
    return false;
  } catch (error) {
    return error instanceof GrantRefusedError;
  }
};

const refreshTokenOf = async (session: Session) =>
  (await openGrant(hub.runtime, await connectionOf(session)))?.refresh_token;

/** Returns a store that cannot write connections. */
const failingStore = (): Store => {
  const { store } = hub.runtime;
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'transact') return () => Promise.reject(new Error('the table is away'));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};

describe('the callback', () => {
  test('works once, also 20 times in parallel', async () => {
    const session = await trader();
    const back = await goThere(session);
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(back, session)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { status, body } = await comeBack(back, session);
    expect([status, body.code]).toEqual([401, 'state_invalid']);
  });

  test('is refused with an unknown state, without one, or with an expired one', async () => {
    expect((await comeBack({ code: 'c', state: 'made-up' })).body.code).toBe('state_invalid');
    expect((await comeBack({ code: 'c' })).body.code).toBe('state_invalid');
    expect((await comeBack({})).body.code).toBe('state_invalid');
    const back = await goThere();
    hub.advance(10 * MINUTE);
    expect((await comeBack(back)).body.code).toBe('state_invalid');
  });

  test('is refused without the session that started, or with another one', async () => {
    const session = await trader();
    const other = await trader();
    for (const who of [undefined, other]) {
      const { status, body } = await comeBack(await goThere(session), who);
      expect([status, body.code]).toEqual([401, 'state_invalid']);
    }
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
    expect(await findConnection(hub.runtime.store, other.user_id)).toBeUndefined();
  });

  test('by another user does not use up the state of the session that started', async () => {
    const session = await trader();
    const back = await goThere(session);
    expect((await comeBack(back)).body.code).toBe('state_invalid');
    expect((await comeBack(back, await trader())).body.code).toBe('state_invalid');
    const over = { ...session, access_token: 'over' };
    expect((await comeBack(back, over)).body.code).toBe('session_invalid');
    expect((await comeBack(back, session)).status).toBe(200);
  });

  test('without a session works only in the browser that started', async () => {
    jar = [];
    const begun = await access();
    expect(begun.cookies).toEqual([
      expect.stringMatching(
        /^__Host-partnerc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const back = await partner.consent(begun.body.authorization_url);
    for (const cookies of [[], ['__Host-partnerc='], [`__Host-partnerc=${'A'.repeat(43)}`]]) {
      const { status, body } = await comeBack(back, undefined, cookies);
      expect([status, body.code]).toEqual([401, 'state_invalid']);
    }
    const [item] = await hub.runtime.store.getMany([keys.partnerCState(back.state ?? '')]);
    expect(JSON.stringify(item)).not.toContain(jar[0]?.split('=')[1]);
    // A second flow in the same browser does not disturb the first.
    const second = await goThere();
    expect((await comeBack(back)).status).toBe(200);
    expect((await comeBack(second)).status).toBe(200);
  });

  test.each([
    ['stored', () => hub.over(failingStore())],
    ['sealed', () => hub.with({ HUB_DATA_KEY_ID: 'alias/unknown' })],
  ])('whose tokens cannot be %s revokes them at partner C', async (_how, broken) => {
    const session = await trader();
    const back = await goThere(session);
    partner.asked.length = 0;
    const answer = await broken().call('GET /partnerc_auth_callback', {
      query: back,
      headers: headersOf(session),
    });
    expect(answer.status).toBe(500);
    expect(partner.asked).toContain('/token/revocation');
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
  });

  test('whose tokens cannot be stored ends in time, also if partner C does not answer', async () => {
    const session = await trader();
    const back = await goThere(session);
    partner.trouble.set('/token/revocation', () => undefined);
    hub.log.length = 0;
    const answer = await withShortLimits(() =>
      hub
        .over(failingStore())
        .call('GET /partnerc_auth_callback', { query: back, headers: headersOf(session) }),
    );
    expect(answer.status).toBe(500);
    expect(hub.log.map(({ message }) => message)).toContain('tokens of partner C were left behind');
  });

  test('does not give a connection to a session that did not exist when the flow started', async () => {
    const victim = await trader();
    const { body } = await comeBack(await goThere(), victim);
    expect(body.connection_id).toEqual(expect.any(String));
    expect(await findConnection(hub.runtime.store, victim.user_id)).toBeUndefined();
  });

  test('from another issuer is refused (RFC 9207)', async () => {
    const back = await goThere();
    const mixed = await comeBack({ ...back, iss: 'https://elsewhere.example' });
    expect([mixed.status, mixed.body.code]).toEqual([401, 'state_invalid']);
    const { iss: _iss, ...without } = await goThere();
    expect((await comeBack(without)).body.code).toBe('state_invalid');
  });

  test('with a denied consent is a 403, and a second attempt works', async () => {
    const session = await trader();
    const { status, body } = await comeBack(await goThere(session, 'deny'), session);
    expect([status, body.code]).toEqual([403, 'consent_denied']);
    expect((await comeBack(await goThere(session), session)).status).toBe(200);
  });

  test('with an error of partner C is a 502', async () => {
    const back = await goThere();
    const { status, body } = await comeBack({
      state: back.state ?? '',
      iss: partner.issuer,
      error: 'temporarily_unavailable',
    });
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  });

  test('with an expired code is refused, and a second attempt works', async () => {
    const session = await trader();
    partner.codeLifetime = 1;
    const back = await goThere(session);
    await sleep(1100);
    const { status, body } = await comeBack(back, session);
    expect([status, body.code]).toEqual([401, 'authorization_code_invalid']);
    partner.codeLifetime = 60;
    expect((await comeBack(await goThere(session), session)).status).toBe(200);
  });

  test('with a code of another flow is refused, as its PKCE verifier differs', async () => {
    const theirs = await goThere();
    const ours = await goThere();
    const { body } = await comeBack({ ...ours, code: theirs.code ?? '' });
    expect(body.code).toBe('authorization_code_invalid');
  });

  test.each(Object.entries(FAILURES))(
    'is a 502 in time when the token endpoint %s, and opening it again works',
    async (_how, answer) => {
      const session = await trader();
      const back = await goThere(session);
      partner.trouble.set('/token', answer);
      const { status, body } = await withShortLimits(() => comeBack(back, session));
      expect([status, body.code]).toEqual([502, 'upstream_failed']);
      partner.trouble.clear();
      expect((await comeBack(back, session)).status).toBe(200);
    },
  );

  test.each([
    ['nonsense', json({ access_token: 7 })],
    ['no token', json({ token_type: 'bearer' })],
    ['that our client is wrong', json({ error: 'invalid_client' }, 401)],
    [
      'with another address',
      (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    ],
  ])('is a 502 when the token endpoint answers %s', async (_what, answer) => {
    const back = await goThere();
    partner.trouble.set('/token', answer);
    const { status, body } = await comeBack(back);
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  });
});

describe('a connection without a session', () => {
  test('is taken over by the user who holds its id, once', async () => {
    const session = await trader();
    const other = await trader();
    const { body } = await comeBack(await goThere());
    expect((await claim(session.user_id, body.connection_id)).body).toMatchObject({
      connected: true,
      connection_id: null,
    });
    expect((await claim(other.user_id, body.connection_id)).body.code).toBe('connection_unknown');
    expect((await openGrant(hub.runtime, await connectionOf(session)))?.access_token).toMatch(/./);
  });

  test('is ended after an hour, also at partner C', async () => {
    const { body } = await comeBack(await goThere());
    hub.advance(HOUR);
    partner.asked.length = 0;
    await job();
    expect(partner.asked).toContain('/token/revocation');
    const session = await trader();
    expect((await claim(session.user_id, body.connection_id)).body.code).toBe('connection_unknown');
  });
});

describe('a connection that is being ended', () => {
  test('cannot be taken over at the same time', async () => {
    const session = await trader();
    const { body } = await comeBack(await goThere());
    hub.advance(HOUR - 1);
    const claims: Promise<Response>[] = [];
    partner.trouble.set('/token/revocation', (_request, response) => {
      claims.push(claim(session.user_id, body.connection_id));
      claims[0]?.then(() => response.writeHead(200).end());
    });
    hub.advance(1);
    await job();
    expect(claims).toHaveLength(1);
    expect((await claims[0])?.body.code).toBe('connection_unknown');
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
  });

  test('cannot be taken over before partner C has confirmed the end', async () => {
    const session = await trader();
    const { body } = await comeBack(await goThere());
    hub.advance(HOUR);
    partner.trouble.set('/token/revocation', json({}, 503));
    await job();
    partner.trouble.clear();
    expect((await claim(session.user_id, body.connection_id)).body.code).toBe('connection_unknown');
  });

  test('is either taken over or ended if both happen at once', async () => {
    const session = await trader();
    const { body } = await comeBack(await goThere());
    hub.advance(HOUR - 1);
    const early = claim(session.user_id, body.connection_id);
    hub.advance(1);
    const [claimed] = await Promise.all([early, job()]);
    if (claimed?.status !== 200) return;
    expect(await isOver(await refreshTokenOf(session))).toBe(false);
  });
});

describe('connecting again', () => {
  const again = async (session: Session, visitor: Visitor = {}) =>
    expect((await comeBack(await goThere(session, 'give', visitor), session)).status).toBe(200);

  test('as another trader ends the previous connection at partner C', async () => {
    const session = await connect();
    const old = await refreshTokenOf(session);
    await again(session, { login: 'another' });
    const present = await refreshTokenOf(session);
    expect(present).not.toBe(old);
    await job();
    expect(await isOver(old)).toBe(true);
    expect(await isOver(present)).toBe(false);
    expect((await linkOf(session)).body.status).toBe('connected');
  });

  test('as the same trader keeps the shared consent until the last connection ends', async () => {
    const visitor = { jar: new Map<string, string>() };
    const session = await connect(visitor);
    const old = await refreshTokenOf(session);
    await again(session, visitor);
    await again(session, visitor);
    await job();
    hub.advance(51 * MINUTE);
    await job();
    const renewed = await connectionOf(session);
    expect(renewed.status).toBe('connected');
    expect(Date.parse(renewed.token_expires_at ?? '')).toBeGreaterThan(
      hub.runtime.clock().getTime() + 50 * MINUTE,
    );
    expect((await disconnect(session.user_id)).status).toBe(200);
    await job();
    expect(await isOver(old)).toBe(true);
  });

  test('as the same trader under another consent ends all consents with the last connection', async () => {
    const session = await connect();
    const old = await refreshTokenOf(session);
    await again(session);
    await job();
    await disconnect(session.user_id);
    await job();
    expect(await isOver(old)).toBe(true);
    expect(await job()).toMatchObject({ done: 0 });
  });

  test('as another trader also ends the consents of the previous trader', async () => {
    const session = await connect();
    const first = await refreshTokenOf(session);
    await again(session);
    const second = await refreshTokenOf(session);
    await again(session, { login: 'another' });
    await job();
    expect([await isOver(first), await isOver(second)]).toEqual([true, true]);
    expect(await isOver(await refreshTokenOf(session))).toBe(false);
  });

  test('by taking over another connection ends the previous one', async () => {
    const session = await connect();
    const old = await refreshTokenOf(session);
    const { body } = await comeBack(await goThere(undefined, 'give', { login: 'another' }));
    expect((await claim(session.user_id, body.connection_id)).status).toBe(200);
    await job();
    expect(await isOver(old)).toBe(true);
    expect(await isOver(await refreshTokenOf(session))).toBe(false);
  });

  test('while the previous one waits for its end does not prevent that end', async () => {
    const session = await connect();
    const old = await refreshTokenOf(session);
    partner.trouble.set('/token/revocation', json({}, 503));
    expect((await disconnect(session.user_id)).status).toBe(502);
    partner.trouble.clear();
    await again(session, { login: 'another' });
    await job();
    expect(await isOver(old)).toBe(true);
    expect((await linkOf(session)).body.status).toBe('connected');
  });

  test('during a renewal of the tokens leaves none of the old ones', async () => {
    const session = await connect();
    hub.advance(51 * MINUTE);
    const { body: later } = await login(hub, session.email);
    const back = await goThere(later, 'give', { login: 'another' });
    let answered: Promise<Response> | undefined;
    partner.trouble.set('/token', (_request, response) => {
      partner.trouble.clear();
      answered = comeBack(back, later);
      answered.then(() =>
        json({ access_token: 'x', token_type: 'bearer', refresh_token: 'y' })(_request, response),
      );
    });
    await job();
    expect((await answered)?.status).toBe(200);
    const ended: string[] = [];
    partner.trouble.set('/token/revocation', (request, response) => {
      ended.push(request.url.pathname);
      response.writeHead(200).end();
    });
    hub.advance(2 * MINUTE);
    await job();
    expect(ended).toHaveLength(1);
    expect((await connectionOf(later)).status).toBe('connected');
    expect(await job()).toMatchObject({ done: 0 });
  });

  test('twice at once leaves one connection, and ends the other', async () => {
    const session = await connect();
    const backs = [
      await goThere(session, 'give', { login: 'b' }),
      await goThere(session, 'give', { login: 'c' }),
    ];
    const answers = await Promise.all(backs.map((back) => comeBack(back, session)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    partner.asked.length = 0;
    await job();
    expect(partner.asked.filter((path) => path === '/token/revocation')).toHaveLength(2);
    expect(await isOver(await refreshTokenOf(session))).toBe(false);
  });
});

describe('the tokens', () => {
  test('in a response of more than 64 KB are not read', async () => {
    const client = await partnerC(hub.runtime);
    if (!client) throw new Error('partner C is not set up');
    const tokens = { access_token: 'a', token_type: 'bearer' };
    partner.trouble.set('/token', json(tokens));
    expect((await renewGrant(client, 'refresh')).access_token).toBe('a');
    partner.trouble.set('/token', json({ ...tokens, padding: 'x'.repeat(65_536) }));
    await expect(renewGrant(client, 'refresh')).rejects.toMatchObject({ name: 'UpstreamDown' });
  });

  test('are renewed before they expire', async () => {
    const session = await connect();
    const before = await connectionOf(session);
    expect(await job()).toMatchObject({ done: 0 });
    hub.advance(51 * MINUTE);
    await job();
    const after = await connectionOf(session);
    const grants = [await openGrant(hub.runtime, before), await openGrant(hub.runtime, after)];
    expect(grants[1]?.access_token).not.toBe(grants[0]?.access_token);
    expect(Date.parse(after.token_expires_at ?? '')).toBeGreaterThan(
      hub.runtime.clock().getTime() + 50 * MINUTE,
    );
    expect((await linkOf(session)).body.token_expires_at).toBe(after.token_expires_at);
    expect(await job()).toMatchObject({ done: 0 });
  });

  test('are renewed once by two runs at the same time', async () => {
    await connect();
    hub.advance(51 * MINUTE);
    const due = await findDueConnections(hub.runtime.store, hub.runtime.clock(), 50);
    expect(due.length).toBeGreaterThan(0);
    partner.asked.length = 0;
    await Promise.all([job(), job()]);
    const asked = partner.asked.filter((path) => path !== '/.well-known/openid-configuration');
    expect(asked).toHaveLength(due.length);
  });

  test('are renewed later if partner C does not answer', async () => {
    const session = await connect();
    hub.advance(51 * MINUTE);
    partner.trouble.set('/token', json({}, 503));
    await job();
    expect((await connectionOf(session)).status).toBe('connected');
    partner.trouble.clear();
    hub.advance(5 * MINUTE);
    await job();
    expect(Date.parse((await connectionOf(session)).token_expires_at ?? '')).toBeGreaterThan(
      hub.runtime.clock().getTime() + 50 * MINUTE,
    );
  });

  test('are dropped if partner C refuses to renew them', async () => {
    const session = await connect();
    partner.trouble.set('/token', json({ error: 'invalid_grant' }, 400));
    hub.advance(51 * MINUTE);
    await job();
    const expired = await connectionOf(session);
    expect([expired.status, expired.sealed]).toEqual(['expired', undefined]);
    expect((await linkOf(session)).body.status).toBe('expired');
    expect(await job()).toMatchObject({ done: 0 });
    partner.trouble.clear();
    const { body: later } = await login(hub, session.email);
    expect((await comeBack(await goThere(later), later)).status).toBe(200);
    expect((await linkOf(session)).body.status).toBe('connected');
  });
});

/** Only the status of a revocation counts (RFC 7009), so a partial body is no failure. */
const UNANSWERED = Object.entries(FAILURES).filter(([how]) => how !== 'stops in the middle');

describe('disconnecting', () => {
  const isRevoked = async (session: Session, act: () => Promise<unknown>): Promise<boolean> => {
    const refreshToken = await refreshTokenOf(session);
    await act();
    return isOver(refreshToken);
  };

  test('revokes the tokens at partner C and deletes them here', async () => {
    const session = await connect();
    const revoked = await isRevoked(session, async () => {
      expect((await disconnect(session.user_id)).body).toEqual({ disconnected: true });
    });
    expect(revoked).toBe(true);
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
    expect((await linkOf(session)).status).toBe(404);
    const again = await disconnect(session.user_id);
    expect([again.status, again.body.code]).toEqual([404, 'connection_unknown']);
  });

  test.each(UNANSWERED)('is a 502 in time when partner C %s; again works', async (_how, answer) => {
    const session = await connect();
    partner.trouble.set('/token/revocation', answer);
    const { status, body } = await withShortLimits(() => disconnect(session.user_id));
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
    expect((await linkOf(session)).body.status).toBe('disconnected');
    partner.trouble.clear();
    expect((await disconnect(session.user_id)).status).toBe(200);
  });

  test('that partner C has not confirmed is repeated by the job', async () => {
    const session = await connect();
    const revoked = await isRevoked(session, async () => {
      partner.trouble.set('/token/revocation', json({}, 503));
      await disconnect(session.user_id);
      partner.trouble.clear();
      hub.advance(2 * MINUTE);
      await job();
    });
    expect(revoked).toBe(true);
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
  });

  test('while the tokens are being renewed leaves none of them', async () => {
    const session = await connect();
    hub.advance(51 * MINUTE);
    await Promise.all([job(), disconnect(session.user_id)]);
    hub.advance(2 * MINUTE);
    await job();
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
  });
});

test('an unreachable partner C is a 502 in time, and works when it is back', async () => {
  const down = await startUpstream(() => undefined);
  const elsewhere = hub.with({ HUB_PARTNERC_ISSUER: down.url });
  for (const answer of [...Object.values(FAILURES), json({ issuer: 'https://elsewhere.example' })]) {
    down.answer = answer;
    const { status, body } = await withShortLimits(() => elsewhere.call('GET /partnerc_access'));
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  }
  down.answer = json({ issuer: down.url, authorization_endpoint: `${down.url}/consent` });
  expect((await elsewhere.call('GET /partnerc_access')).status).toBe(200);
  await down.close();
});
