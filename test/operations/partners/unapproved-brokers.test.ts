import { describe, expect, test } from '@jest/globals';
import {
  approve,
  approvedBroker,
  broker,
  enterByB,
  handshake,
  linkAccount,
  registerAtBroker,
  type TestBroker,
  tokenOf,
  validate,
} from '../../support/brokers.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, furnish, login, register } from '../../support/people.ts';

const HOUR = 3_600_000;

const hub = await openHub(furnish);

/** Registers a user who came from a broker with an account. */
const registered = async (at: TestBroker, account: string) => {
  const partner_token = await tokenOf(hub, at, account);
  const { status, body } = await registerAtBroker(hub, at.subdomain, { partner_token });
  expect(status).toBe(200);
  return body;
};

const enter = async (at: TestBroker, account: string) => enterByB(hub, await tokenOf(hub, at, account));

describe('a broker that no operator has approved', () => {
  test('cannot have an existing user link an account of its own', async () => {
    const theirs = await broker(hub);
    const { body: user } = await register(hub);
    const token = await tokenOf(hub, theirs, 'LURE');
    const linked = await linkAccount(hub, user.email, theirs.subdomain, token);
    expect([linked.status, linked.body.code]).toEqual([403, 'broker_unapproved']);
    expect((await enterByB(hub, token)).body.code).toBe('partner_account_unlinked');
    expect((await login(hub, user.email)).body.brokers).toEqual([]);
    expect((await validate(hub, token)).body.valid).toBe(true);
  });

  test('can after its approval, with the same token', async () => {
    const theirs = await broker(hub);
    const { body: user } = await register(hub);
    const token = await tokenOf(hub, theirs, 'ACC');
    await approve(hub, theirs);
    expect((await linkAccount(hub, user.email, theirs.subdomain, token)).status).toBe(200);
    expect((await enter(theirs, 'ACC')).body.user_id).toBe(user.user_id);
  });

  test('can test its integration with users whom it registers, for a day', async () => {
    const theirs = await broker(hub);
    const user = await registered(theirs, 'TRIAL');
    const entered = await enter(theirs, 'TRIAL');
    expect([entered.status, entered.body.user_id]).toEqual([200, user.user_id]);
    const byA = await handshake(hub, {}, await tokenOf(hub, theirs, 'TRIAL', 'a'));
    expect([byA.status, byA.body.session.user_id]).toEqual([200, user.user_id]);
    hub.advance(24 * HOUR);
    for (const late of [
      await enter(theirs, 'TRIAL'),
      await handshake(hub, {}, await tokenOf(hub, theirs, 'TRIAL', 'a')),
    ]) {
      expect([late.status, late.body.code]).toEqual([403, 'broker_unapproved']);
    }
    await approve(hub, theirs);
    expect((await enter(theirs, 'TRIAL')).status).toBe(200);
  });

  test('gets sessions that cannot be renewed', async () => {
    const theirs = await broker(hub);
    await registered(theirs, 'SHORT');
    const { body, cookies } = await enter(theirs, 'SHORT');
    expect(body.refresh_token).toBeNull();
    expect(cookies).toEqual([
      expect.stringMatching(/^__Host-session=ey/),
      expect.stringMatching(/^__Secure-refresh_token=; Max-Age=0; Path=\/session;/),
    ]);
    const verify = () => hub.call('POST /verify_user', { headers: bearer(body.access_token) });
    expect((await verify()).status).toBe(200);
    hub.advance(15 * 60_000);
    expect((await verify()).body.code).toBe('session_invalid');
  });

  test('whose approval was withdrawn no longer signs in users who linked themselves before', async () => {
    const theirs = await approvedBroker(hub);
    const { body: user } = await register(hub);
    hub.advance(1);
    await linkAccount(hub, user.email, theirs.subdomain, await tokenOf(hub, theirs, 'LINKED'));
    expect((await enter(theirs, 'LINKED')).status).toBe(200);
    await approve(hub, theirs, false);
    expect((await enter(theirs, 'LINKED')).body.code).toBe('broker_unapproved');
  });
});

describe('a user who leaves a broker', () => {
  const unlink = (broker_domain: string, token?: string) =>
    hub.call('POST /unlink_broker', {
      query: { broker_domain },
      headers: token === undefined ? {} : bearer(token),
    });

  test('is no longer signed in by its tokens, and all other sessions end', async () => {
    const theirs = await approvedBroker(hub);
    const user = await registered(theirs, 'LEFT');
    const { body: byBroker } = await enter(theirs, 'LEFT');
    const { body: mine } = await login(hub, user.email);
    const { body: platform } = await hub.call('POST /generate_token', {
      query: { user_id: user.user_id },
      headers: bearer(byBroker.access_token),
    });
    const left = await unlink(theirs.subdomain.toUpperCase(), mine.access_token);
    expect([left.status, left.body]).toEqual([200, { unlinked: true }]);
    expect((await enter(theirs, 'LEFT')).body.code).toBe('partner_account_unlinked');
    const sessionOf = (token: string) => hub.call('POST /verify_user', { headers: bearer(token) });
    expect((await sessionOf(mine.access_token)).body.brokers).toEqual([]);
    expect((await sessionOf(byBroker.access_token)).status).toBe(401);
    expect((await sessionOf(platform.token)).status).toBe(401);
    const renewed = (token: string) => hub.call('POST /session/relogin', { headers: bearer(token) });
    expect((await renewed(byBroker.refresh_token)).status).toBe(401);
    expect((await renewed(mine.refresh_token)).status).toBe(200);
    const again = await unlink(theirs.subdomain, (await login(hub, user.email)).body.access_token);
    expect([again.status, again.body.code]).toEqual([404, 'broker_unknown']);
  });

  test('releases the account for another user, and keeps the other brokers', async () => {
    const [theirs, other] = [await approvedBroker(hub), await approvedBroker(hub)];
    const user = await registered(theirs, 'NEXT');
    await linkAccount(hub, user.email, other.subdomain, await tokenOf(hub, other, 'KEPT'));
    const { body: mine } = await login(hub, user.email);
    hub.takeCalls();
    expect((await unlink(theirs.subdomain, mine.access_token)).status).toBe(200);
    // Reads once, ends the link, and notes the event in the user's list of security events.
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems', 'UpdateItem']);
    const events = await hub.call('GET /get_security_events', {
      query: { user_id: user.user_id },
      headers: bearer(mine.access_token),
    });
    expect(events.body.items).toContainEqual(expect.objectContaining({ kind: 'broker_unlinked', count: 1 }));
    expect((await registered(theirs, 'NEXT')).user_id).not.toBe(user.user_id);
    expect((await enter(other, 'KEPT')).body.user_id).toBe(user.user_id);
  });

  test('can have been linked without an account', async () => {
    const theirs = await broker(hub);
    const { body: user } = await registerAtBroker(hub, theirs.subdomain);
    const { body: mine } = await login(hub, user.email);
    expect((await unlink(theirs.subdomain, mine.access_token)).status).toBe(200);
  });

  test('needs a session, and cannot use a platform token', async () => {
    const theirs = await broker(hub);
    const user = await registered(theirs, 'MINE');
    expect((await unlink(theirs.subdomain)).body.code).toBe('session_required');
    const { body: platform } = await hub.call('POST /generate_token', { query: { user_id: user.user_id } });
    const byProgram = await unlink(theirs.subdomain, platform.token);
    expect([byProgram.status, byProgram.body.code]).toEqual([403, 'platform_token_insufficient']);
  });

  test.each(['unheard-of', '@partnerc', '', 'constructor', '__proto__'])(
    'does not leave %j',
    async (domain) => {
      const { body: user } = await register(hub);
      const { body: mine } = await login(hub, user.email);
      expect((await unlink(domain, mine.access_token)).body.code).toBe('broker_unknown');
    },
  );

  test('during a sign-in by the broker leaves no session of the broker', async () => {
    const theirs = await approvedBroker(hub);
    const user = await registered(theirs, 'RACE');
    const { body: mine } = await login(hub, user.email);
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(hub, theirs, 'RACE')));
    const [left, ...entered] = await Promise.all([
      unlink(theirs.subdomain, mine.access_token),
      ...tokens.map((token) => enterByB(hub, token)),
    ]);
    expect(left?.status).toBe(200);
    for (const { status, body } of entered) {
      if (status !== 200) continue;
      const held = await hub.call('POST /verify_user', { headers: bearer(body.access_token) });
      expect(held.status).toBe(401);
    }
  });
});
