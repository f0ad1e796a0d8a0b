import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { runJob } from '../../../functions/jobs/handler.ts';
import { GrantRefused, partnerC, renewGrant } from '../../../shared/channels/partner-oauth.ts';
import { openGrant } from '../../../shared/channels/partner-oauth-connections.ts';
import { keys } from '../../../shared/data/keys.ts';
import { findConnection, findDueConnections } from '../../../shared/data/partner-c-connections.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startPartnerC, type TestPartner } from '../../support/partner-c.ts';
import { bearer, furnish, login, signUp } from '../../support/people.ts';
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

const access = (session?: Session) => hub.call('GET /partnerc_access', { headers: headersOf(session) });
const comeBack = (query: Record<string, string>, session?: Session) =>
  hub.call('GET /partnerc_auth_callback', { query, headers: headersOf(session) });
const disconnect = (user_id: string) => hub.call('POST /partnerc_disconnect', { query: { user_id } });
const claim = (user_id: string, connection_id: string) =>
  hub.call('POST /partnerc_connect', { query: { user_id, connection_id } });
const job = () => runJob(hub.runtime, { job: 'refresh-partner-tokens' });
const trader = async (): Promise<Session> => (await signUp(hub)).body;

/** Goes all the way to partner C's consent and answers with what the browser comes back with. */
const goThere = async (session?: Session, decision: 'give' | 'deny' = 'give') => {
  const { body } = await access(session);
  return partner.consent(body.authorization_url, decision);
};

const connect = async (): Promise<Session> => {
  const session = await trader();
  expect((await comeBack(await goThere(session), session)).status).toBe(200);
  return session;
};

const connectionOf = async ({ user_id }: Session) => {
  const connection = await findConnection(hub.runtime.store, user_id);
  if (!connection) throw new Error('the user has no connection');
  return connection;
};

const linkOf = async ({ user_id }: Session) =>
  hub.call('GET /get_connected_broker_details_v2', { query: { user_id, broker_id: '103' } });

describe('the way to partner C', () => {
  test('begins with the address of the consent, with PKCE and a state', async () => {
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

  test('leads back to a connection of the session’s user, whose tokens are sealed', async () => {
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
    const [item] = await hub.runtime.store.getMany([keys.partnerCConnection(session.user_id)]);
    const stored = Buffer.from(item?.sealed).toString('latin1');
    expect(stored).not.toContain(grant?.access_token);
    expect(stored).not.toContain(grant?.refresh_token);
    expect((await linkOf(session)).body).toMatchObject({ status: 'connected', permissions: body.scopes });
  });

  test('opens sealed tokens for their own connection alone', async () => {
    const connection = await connectionOf(await connect());
    await expect(openGrant(hub.runtime, { ...connection, connection_id: 'another' })).rejects.toThrow();
    const changed = Buffer.from(connection.sealed ?? []);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    await expect(openGrant(hub.runtime, { ...connection, sealed: changed })).rejects.toThrow();
  });

  test('makes at most three calls each way', async () => {
    const session = await trader();
    hub.takeCalls();
    const back = await goThere(session);
    expect(hub.takeCalls()).toEqual(['GetItem', 'PutItem']);
    await comeBack(back, session);
    expect(hub.takeCalls()).toEqual(['UpdateItem', 'GetItem', 'TransactWriteItems']);
    await disconnect(session.user_id);
    expect(hub.takeCalls()).toEqual(['UpdateItem', 'TransactWriteItems']);
  });

  test('survives a rotation of keys in between', async () => {
    const session = await trader();
    const back = await goThere(session);
    const { masters } = await hub.runtime.secrets();
    const rotated = hub.rotated(['second-master-secret-of-the-tests-01234', masters[0]]);
    const headers = headersOf(session);
    const answer = await rotated.call('GET /partnerc_auth_callback', { query: back, headers });
    expect(answer.status).toBe(200);
  });

  test('is closed where partner C is not set up', async () => {
    const { status, body } = await hub.with({ HUB_PARTNERC_ISSUER: '' }).call('GET /partnerc_access');
    expect([status, body.code]).toEqual([404, 'provider_unknown']);
  });

  test('is not open to a session that is over', async () => {
    const session = await trader();
    hub.advance(20 * MINUTE);
    expect((await access(session)).body.code).toBe('session_invalid');
  });

  test('leaves nothing of it in the log', async () => {
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

describe('coming back', () => {
  test('works once, also 20 times in parallel', async () => {
    const session = await trader();
    const back = await goThere(session);
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(back, session)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { status, body } = await comeBack(back, session);
    expect([status, body.code]).toEqual([401, 'state_invalid']);
  });

  test('is refused with a state of nobody, none, or one that is over', async () => {
    expect((await comeBack({ code: 'c', state: 'made-up' })).body.code).toBe('state_invalid');
    expect((await comeBack({ code: 'c' })).body.code).toBe('state_invalid');
    expect((await comeBack({})).body.code).toBe('state_invalid');
    const back = await goThere();
    hub.advance(10 * MINUTE);
    expect((await comeBack(back)).body.code).toBe('state_invalid');
  });

  test('is refused without the session that went, or with another one', async () => {
    const session = await trader();
    const other = await trader();
    for (const who of [undefined, other]) {
      const { status, body } = await comeBack(await goThere(session), who);
      expect([status, body.code]).toEqual([401, 'state_invalid']);
    }
    expect(await findConnection(hub.runtime.store, session.user_id)).toBeUndefined();
    expect(await findConnection(hub.runtime.store, other.user_id)).toBeUndefined();
  });

  test('does not give a connection to whoever is signed in where nobody was when it began', async () => {
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

  test('with a denied consent is a 403, and asking again works', async () => {
    const session = await trader();
    const { status, body } = await comeBack(await goThere(session, 'deny'), session);
    expect([status, body.code]).toEqual([403, 'consent_denied']);
    expect((await comeBack(await goThere(session), session)).status).toBe(200);
  });

  test('with partner C’s own trouble is a 502', async () => {
    const back = await goThere();
    const { status, body } = await comeBack({
      state: back.state ?? '',
      iss: partner.issuer,
      error: 'temporarily_unavailable',
    });
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  });

  test('with an expired code is refused, and beginning anew works', async () => {
    const session = await trader();
    partner.codeLifetime = 1;
    const back = await goThere(session);
    await sleep(2100);
    const { status, body } = await comeBack(back, session);
    expect([status, body.code]).toEqual([401, 'authorization_code_invalid']);
    partner.codeLifetime = 60;
    expect((await comeBack(await goThere(session), session)).status).toBe(200);
  });

  test('with a code that another journey got is refused: the proof is not its own', async () => {
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
      const started = performance.now();
      const { status, body } = await comeBack(back, session);
      expect([status, body.code]).toEqual([502, 'upstream_failed']);
      expect(performance.now() - started).toBeLessThan(4000);
      partner.trouble.clear();
      expect((await comeBack(back, session)).status).toBe(200);
    },
  );

  test.each([
    ['nonsense', json({ access_token: 7 })],
    ['no token', json({ token_type: 'bearer' })],
    ['that our client is wrong', json({ error: 'invalid_client' }, 401)],
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

  test('is ended after an hour, at partner C too', async () => {
    const { body } = await comeBack(await goThere());
    hub.advance(HOUR);
    partner.asked.length = 0;
    await job();
    expect(partner.asked).toContain('/token/revocation');
    const session = await trader();
    expect((await claim(session.user_id, body.connection_id)).body.code).toBe('connection_unknown');
  });
});

describe('the tokens', () => {
  test('are renewed before they end', async () => {
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

  test('are renewed later where partner C does not answer', async () => {
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

  test('are over where partner C refuses to renew them', async () => {
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

/** A revocation is answered by its status alone (RFC 7009): half a body is no failure. */
const UNANSWERED = Object.entries(FAILURES).filter(([how]) => how !== 'stops in the middle');

describe('disconnecting', () => {
  const isRevoked = async (session: Session, act: () => Promise<unknown>): Promise<boolean> => {
    const grant = await openGrant(hub.runtime, await connectionOf(session));
    const client = await partnerC(hub.runtime);
    if (!grant?.refresh_token || !client) throw new Error('there is no grant');
    await act();
    try {
      await renewGrant(client, grant.refresh_token);
      return false;
    } catch (error) {
      return error instanceof GrantRefused;
    }
  };

  test('revokes the tokens at partner C and forgets them here', async () => {
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
    const started = performance.now();
    const { status, body } = await disconnect(session.user_id);
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
    expect(performance.now() - started).toBeLessThan(4000);
    expect((await linkOf(session)).body.status).toBe('disconnected');
    partner.trouble.clear();
    expect((await disconnect(session.user_id)).status).toBe(200);
  });

  test('that partner C could not be told of is told by the job', async () => {
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

test('partner C that cannot be found is a 502 in time, and works when it is back', async () => {
  const down = await startUpstream(() => undefined);
  const elsewhere = hub.with({ HUB_PARTNERC_ISSUER: down.url });
  for (const answer of [...Object.values(FAILURES), json({ issuer: 'https://elsewhere.example' })]) {
    down.answer = answer;
    const started = performance.now();
    const { status, body } = await elsewhere.call('GET /partnerc_access');
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
    expect(performance.now() - started).toBeLessThan(4000);
  }
  down.answer = json({ issuer: down.url, authorization_endpoint: `${down.url}/consent` });
  expect((await elsewhere.call('GET /partnerc_access')).status).toBe(200);
  await down.close();
});
