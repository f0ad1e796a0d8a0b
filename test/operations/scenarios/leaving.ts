import { describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { approvedBroker, linkAccount, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import type { Request, Response } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { bearer, freshEmail, outbox, PASSWORD, register } from '../../support/people.ts';
import { world } from './world.ts';

const MINUTE = 60_000;
const PHONE = '+4915112345678';

interface Person {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A request and the calls to the table that it made. */
interface Asked {
  readonly answer: Response;
  readonly calls: readonly string[];
}

const ask = async (routeKey: string, request: Request): Promise<Asked> => {
  world.hub.takeCalls();
  const answer = await world.hub.call(routeKey, request);
  return { answer, calls: world.hub.takeCalls() };
};

const shown = ({ answer: { status, body, cookies }, calls }: Asked) => ({ status, body, cookies, calls });

const leave = async ({ user_id, email, access_token }: Person): Promise<void> => {
  const { status } = await world.hub.call('POST /delete_account', {
    query: { user_id },
    json: { email, password: PASSWORD },
    headers: bearer(access_token),
  });
  expect(status).toBe(200);
};

const minute = async (): Promise<void> => {
  await runJob(world.hub.runtime, { job: 'delete-accounts' });
  world.hub.advance(MINUTE);
};

/** Runs a check right after the request, and after each minute until the account is gone. */
const whileLeaving = async (person: Person, check: (passed: number) => Promise<void>): Promise<void> => {
  await leave(person);
  const wanted = [keys.user(person.user_id), keys.credentials(person.email)];
  const stages = new Set<string>();
  for (let passed = 0; passed < 20; passed++) {
    const [user, credentials] = await world.hub.runtime.store.getMany(wanted, { consistent: true });
    if (!credentials) break;
    stages.add(user ? 'with the user' : 'without the user');
    // A code that is asked for leaves a record, which the walk comes back for.
    if (passed < 5) await check(passed);
    await minute();
  }
  expect([...stages]).toEqual(['with the user', 'without the user']);
  expect(await world.hub.runtime.store.getMany(wanted)).toEqual([undefined, undefined]);
};

describe('an account that is being deleted', () => {
  const WAYS: Readonly<Record<string, (email: string) => Request>> = {
    'POST /login': (username) => ({ form: { username, password: PASSWORD } }),
    'POST /login_user_broker': (email) => ({
      query: { email, password: PASSWORD, broker_domain: 'north' },
    }),
    'POST /send_otp_password_reset': (email) => ({ query: { email } }),
    'POST /send_sms_otp': (email) => ({ query: { email, ph_number: PHONE, cf_token: freshEmail() } }),
    'POST /reset_password': (email) => ({ query: { email, otp: '123456', new_password: 'a new password' } }),
    'POST /validate_sms_otp': (email) => ({ query: { email, otp: '123456' } }),
    'POST /delete_account': (email) => ({
      query: { user_id: 'me' },
      json: { email, password: PASSWORD },
    }),
  };

  test('is answered as an unknown one, in the same calls, in every way to sign in', async () => {
    const { email } = (await registerAtBroker(world.hub, 'north')).body;
    const form = { username: email, password: PASSWORD };
    const person = { ...(await world.hub.call('POST /login', { form })).body, email };
    const verified = { ph_number: PHONE, ph_verified: true };
    await world.hub.runtime.store.transact([{ key: keys.user(person.user_id), set: verified }]);
    const stranger = freshEmail();
    await whileLeaving(person, async (passed) => {
      for (const [index, [route, way]] of Object.entries(WAYS).entries()) {
        // The limits of codes count by address.
        const sourceIp = `198.51.100.${10 * passed + index}`;
        const sent = (await outbox(world.hub)).length;
        const [left, unknown] = [
          await ask(route, { ...way(email), sourceIp }),
          await ask(route, { ...way(stranger), sourceIp }),
        ];
        expect([route, shown(left)]).toEqual([route, shown(unknown)]);
        expect([route, (await outbox(world.hub)).length]).toEqual([route, sent]);
      }
    });
  });

  test('has no session but the one that asked, which is not renewed', async () => {
    const person = await world.person();
    const { user_id } = person;
    const form = { username: person.email, password: PASSWORD };
    const { body: elsewhere } = await world.hub.call('POST /login', { form });
    await whileLeaving(person, async () => {
      const verified = await world.hub.call('POST /verify_user', { headers: bearer(elsewhere.access_token) });
      expect([verified.status, verified.body.code]).toEqual([401, 'session_invalid']);
      for (const { refresh_token } of [person, elsewhere]) {
        const renewed = await world.hub.call('POST /session/relogin', {
          cookies: [`__Secure-refresh_token=${refresh_token}`],
        });
        const byBearer = await world.hub.call('POST /session/relogin', { headers: bearer(refresh_token) });
        const refused = [401, 'session_invalid'];
        expect([renewed, byBearer].map(({ status, body }) => [status, body.code])).toEqual([
          refused,
          refused,
        ]);
      }
      const named = await ask('POST /generate_token', { query: { user_id } });
      const nobody = await ask('POST /generate_token', { query: { user_id: 'nobody' } });
      expect(shown(named)).toEqual(shown(nobody));
      expect(named.answer.body.code).toBe('user_unknown');
    });
  });

  test('is not signed in by codes that were sent before', async () => {
    const person = await world.person();
    const { hub } = world;
    await hub.call('POST /send_otp_password_reset', { query: { email: person.email } });
    const otp = await world.code(person.email, 'password_reset');
    await leave(person);
    const query = { email: person.email, otp, new_password: 'a new password' };
    expect((await hub.call('POST /reset_password', { query })).body.code).toBe('code_invalid');
    const other = await world.person();
    await hub.call('POST /send_sms_otp', {
      query: { email: other.email, ph_number: PHONE, cf_token: freshEmail() },
      headers: bearer(other.access_token),
    });
    const sms = await world.code(other.email, 'phone');
    await leave(other);
    const validation = { query: { email: other.email, otp: sms } };
    expect((await hub.call('POST /validate_sms_otp', validation)).body.code).toBe('code_invalid');
  });

  test('is not signed in by an identity provider, by identity or by e-mail', async () => {
    const { hub } = world;
    const byIdentity = { ...(await world.person()) };
    const byEmail = { ...(await world.person()) };
    const enter = async (email: string) =>
      hub.call('POST /auth/idp', { json: { provider: 'idp', id_token: await world.idToken(email) } });
    expect((await enter(byIdentity.email)).status).toBe(200);
    await leave(byEmail);
    await whileLeaving(byIdentity, async () => {
      // The walk removes the identity before the e-mail.
      expect(['id_token_invalid', 'email_taken']).toContain((await enter(byIdentity.email)).body.code);
      expect((await enter(byEmail.email)).body.code).toBe('email_taken');
    });
  });

  test('is not signed in by a token of its broker', async () => {
    const { hub } = world;
    const broker = await approvedBroker(hub);
    const person = await world.person();
    const linking = await tokenOf(hub, broker, 'account-1');
    expect((await linkAccount(hub, person.email, broker.subdomain, linking)).status).toBe(200);
    const tokens = await Promise.all(
      Array.from({ length: 5 }, async () => ({
        a: await tokenOf(hub, broker, 'account-1', 'a'),
        b: await tokenOf(hub, broker, 'account-1', 'b'),
      })),
    );
    await whileLeaving(person, async () => {
      const { a, b } = tokens.pop() ?? { a: '', b: '' };
      const byA = await hub.call('POST /partnera_auth', { headers: bearer(a) });
      const byB = await hub.call('POST /partnerb/auth', { headers: bearer(b) });
      const linked = await linkAccount(hub, person.email, broker.subdomain, b);
      expect([byA, byB, linked].map(({ body: { code } }) => code)).toEqual([
        'partner_account_unlinked',
        'partner_account_unlinked',
        'credentials_invalid',
      ]);
    });
  });

  test('keeps its e-mail from a new registration until it is gone', async () => {
    const { hub } = world;
    const person = await world.person();
    const { email } = person;
    const registerLogin = () => hub.call('POST /register_login', { form: { email, password: PASSWORD } });
    await whileLeaving(person, async () => {
      expect((await register(hub, { email })).body.code).toBe('email_taken');
      expect((await registerAtBroker(hub, 'north', { email })).body.code).toBe('email_taken');
      expect((await registerLogin()).body.code).toBe('credentials_invalid');
    });
    const { status, body } = await registerLogin();
    expect([status, body.is_new_user]).toEqual([200, true]);
    expect(body.user_id).not.toBe(person.user_id);
  });
});
