import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { riskGrantWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { brokerTrail } from '../../../shared/data/switches/switch-trail.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { makeKey } from '../../support/api-keys.ts';
import { addPasskey, signInWithPasskey } from '../../support/authenticator.ts';
import { approvedBroker, registerAtBroker } from '../../support/brokers.ts';
import type { Request, Response } from '../../support/hub.ts';
import { accessOf, askForAccess, authorizerOf, readAs } from '../../support/integrators.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  bearer,
  freshEmail,
  login,
  PASSWORD,
  register,
  registerUnproven,
  sentCode,
  signUp,
  stepUp,
} from '../../support/people.ts';
import { devicesOf, registerDevice } from '../../support/push.ts';
import { settleSecured } from '../../support/secured.ts';
import { deliverMails, startSes } from '../../support/ses.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import type { Upstream } from '../../support/upstream.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const NEW_PASSWORD = 'a password of somebody else';

const hub = await openHub(furnishWithInstruments);
const environment = { ...process.env };
let ses: Upstream;
beforeAll(async () => {
  ses = await startSes();
});
beforeEach(async () => {
  hub.advance(HOUR);
  await deliverMails(hub, ses);
});
afterAll(async () => {
  process.env = environment;
  await ses.close();
});

interface Entered {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const owner = async (): Promise<Entered> => (await signUp(hub)).body;

const as = ({ user_id, access_token }: Entered, request: Request = {}): Request => ({
  ...request,
  query: { user_id },
  headers: bearer(access_token),
});

const resultOf = ({ status, body }: Response) => [status, body.code];

const ask = (who: Entered, email: string) => hub.call('POST /change_email', as(who, { json: { email } }));
const confirm = (who: Entered, email: string, code: string | undefined) =>
  hub.call('POST /confirm_email_change', as(who, { json: { email, code: code ?? 'none' } }));
const correct = (who: Entered, email: string, password = PASSWORD) =>
  hub.call('POST /correct_email', as(who, { json: { email, password } }));
const undo = (link: object) => hub.call('POST /undo_email_change', { json: link });
const enter = async (email: string, password = PASSWORD) => (await login(hub, email, password)).status;
const remove = (who: Entered, email: string, proof: object = { password: PASSWORD }) =>
  hub.call('POST /delete_account', as(who, { json: { email, ...proof } }));

/** Asks for another e-mail, and returns the code that was mailed to it. */
const codeFor = async (who: Entered, email: string): Promise<string | undefined> => {
  expect((await ask(who, email)).status).toBe(200);
  return sentCode(hub, email, 'email_change');
};

/** Gives somebody another e-mail. */
const change = async (who: Entered, email = freshEmail()): Promise<string> => {
  expect((await confirm(who, email, await codeFor(who, email))).status).toBe(200);
  return email;
};

const mailsTo = async (email: string): Promise<string[]> =>
  (await deliverMails(hub, ses))
    .filter(({ Destination }) => Destination.ToAddresses.includes(email))
    .map(({ Content }) => Content.Simple.Body.Text.Data);

const linkIn = (text = '') => {
  const [, page, fields] = /console#\/([\w-]+)\?(\S+)/.exec(text) ?? [];
  return { page, ...Object.fromEntries(new URLSearchParams(fields)) };
};

/** Returns the link that undoes a change, from the mail to the former e-mail. */
const undoLinkOf = async (former: string): Promise<{ email: string; token: string }> => {
  const [text, ...more] = await mailsTo(former);
  expect(more).toEqual([]);
  const { page, ...link } = linkIn(text);
  expect(page).toBe('undo-email');
  return { email: '', token: '', ...link };
};

const forged = (token: string): string => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;

describe('a change of the e-mail', () => {
  test('needs a step-up, and changes nothing before the code of the new e-mail', async () => {
    const { body: who } = await login(hub, (await register(hub)).body.email);
    const email = freshEmail();
    expect(resultOf(await ask(who, email))).toEqual([403, 'step_up_required']);
    await stepUp(hub, who.user_id);
    const { status, body } = await ask(who, email);
    expect([status, body]).toEqual([200, { sent_to: 'p***@example.com', expires_in: 600 }]);
    const code = await sentCode(hub, email, 'email_change');
    expect(code).toMatch(/^[1-9]\d{7}$/);
    expect(await hub.tableText()).not.toContain(String(code));
    expect(await enter(email)).toBe(401);
    expect(await enter(who.email)).toBe(200);
    expect(resultOf(await confirm(who, email, '10000000'))).toEqual([401, 'code_invalid']);
    // The code shows that somebody reads the mail to that address, and to no other.
    expect(resultOf(await confirm(who, freshEmail(), code))).toEqual([401, 'code_invalid']);
    const { page, ...link } = linkIn((await mailsTo(email))[0]);
    expect([page, link]).toEqual(['email', { email, code }]);
  });

  test('moves the sign-in, goes on with sessions, tells both addresses, and can be repeated', async () => {
    const who = await owner();
    const email = freshEmail();
    const code = await codeFor(who, email);
    await deliverMails(hub, ses);
    const first = await confirm(who, email.toUpperCase(), code);
    const undo_until = new Date(hub.runtime.clock().getTime() + 72 * HOUR).toISOString();
    expect([first.status, first.body]).toEqual([200, { email, undo_until }]);
    expect((await confirm(who, email, code)).body).toEqual(first.body);
    expect([await enter(who.email), await enter(email)]).toEqual([401, 200]);
    const seen = await hub.call('POST /verify_user', as(who));
    expect(seen.body).toMatchObject({ email, email_verified: true });
    const events = await hub.call('GET /get_security_events', as(who));
    expect(events.body.items).toContainEqual(expect.objectContaining({ kind: 'email_changed', count: 1 }));
    const mails = await deliverMails(hub, ses);
    expect(mails.map(({ Destination }) => Destination.ToAddresses)).toEqual(
      expect.arrayContaining([[who.email], [email]]),
    );
    expect(mails).toHaveLength(2);
    const toFormer = mails.find(({ Destination }) => Destination.ToAddresses[0] === who.email);
    const text = toFormer?.Content.Simple.Body.Text.Data ?? '';
    expect(text).toContain('changed to p***@example.com');
    expect(text).not.toContain(email);
    expect(await hub.tableText()).not.toContain(/token=(\S+)/.exec(text)?.[1]);
  });

  test('ends the codes of the former address, which others may read', async () => {
    const who = await owner();
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    const otp = await sentCode(hub, who.email);
    const email = await change(who);
    const query = { email: who.email, new_password: NEW_PASSWORD, otp: otp ?? '' };
    expect(resultOf(await hub.call('POST /reset_password', { query }))).toEqual([401, 'code_invalid']);
    hub.advance(31 * SECOND);
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    expect(await sentCode(hub, who.email)).toBe(otp);
    expect(await enter(email)).toBe(200);
  });

  test('is refused with a platform token, for the present e-mail, and for one that was never confirmed', async () => {
    const who = await owner();
    const { body } = await hub.call('POST /generate_token', as(who));
    const program = { ...who, access_token: body.token };
    expect(resultOf(await ask(program, freshEmail()))).toEqual([403, 'step_up_required']);
    expect(resultOf(await confirm(program, freshEmail(), '1'))).toEqual([403, 'platform_token_insufficient']);
    expect((await ask(who, who.email)).status).toBe(422);
    const stranger = (await login(hub, (await registerUnproven(hub)).body.email)).body;
    await stepUp(hub, stranger.user_id);
    expect(resultOf(await ask(stranger, freshEmail()))).toEqual([409, 'state_conflict']);
  });

  test('to the e-mail of another account is refused, and many such questions are counted', async () => {
    const who = await owner();
    const other = await owner();
    for (let n = 0; n < 5; n++) {
      expect(resultOf(await ask(who, other.email))).toEqual([409, 'email_taken']);
      hub.advance(31 * SECOND);
    }
    expect(resultOf(await ask(who, freshEmail()))).toEqual([429, 'too_many_codes']);
    expect(await mailsTo(other.email)).toEqual([]);
  });

  test('of two accounts to one address succeeds for one, and a registration in between wins', async () => {
    const [one, two] = [await owner(), await owner()];
    const email = freshEmail();
    const first = await codeFor(one, email);
    hub.advance(SECOND);
    const codes = [first, await codeFor(two, email)];
    const answers = await Promise.all([confirm(one, email, codes[0]), confirm(two, email, codes[1])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [winner, loser] = answers[0]?.status === 200 ? [one, two] : [two, one];
    expect((await login(hub, email)).body.user_id).toBe(winner.user_id);
    expect((await login(hub, loser.email)).body.user_id).toBe(loser.user_id);

    const third = await owner();
    const wanted = freshEmail();
    const code = await codeFor(third, wanted);
    await register(hub, { email: wanted });
    expect(resultOf(await confirm(third, wanted, code))).toEqual([409, 'email_taken']);
    expect((await login(hub, third.email)).body.user_id).toBe(third.user_id);
  });

  test('reserves the former e-mail for 72 hours against registrations and changes; then it is free', async () => {
    const who = await owner();
    await change(who);
    const taken = async () => [
      resultOf(await registerUnproven(hub, { email: who.email })),
      (await hub.call('POST /register_login', { form: { email: who.email, password: NEW_PASSWORD } })).status,
    ];
    expect(await taken()).toEqual([[409, 'email_taken'], 401]);
    const other = await owner();
    expect(resultOf(await ask(other, who.email))).toEqual([409, 'email_taken']);
    hub.advance(72 * HOUR - SECOND);
    expect(await taken()).toEqual([[409, 'email_taken'], 401]);
    hub.advance(SECOND);
    const { status, body } = await registerUnproven(hub, { email: who.email });
    expect([status, body.user_id === who.user_id]).toEqual([200, false]);
    expect((await login(hub, who.email)).body.user_id).toBe(body.user_id);
  });

  test('is found by brokers under the new e-mail only, and not under the former one of a new owner', async () => {
    const broker = await approvedBroker(hub);
    const { email: former, user_id } = (await registerAtBroker(hub, broker.subdomain)).body;
    const who = (await login(hub, former)).body;
    await stepUp(hub, user_id);
    const read = async (user_email: string) =>
      (await readAs(hub, await accessOf(hub, broker), 'GET /broker/get_user_strategies', { user_email }))
        .status;
    expect(await read(former)).toBe(200);
    expect(await read(former)).toBe(200);
    const email = await change(who);
    expect([await read(former), await read(email)]).toEqual([404, 200]);
    hub.advance(73 * HOUR);
    await register(hub, { email: former });
    expect([await read(former), await read(email)]).toEqual([404, 200]);
  });

  test('leaves no former e-mail behind when the account is deleted, not even in trails of brokers', async () => {
    const broker = await approvedBroker(hub);
    await hub.runtime.store.transact([riskGrantWrite(broker.subdomain, hub.runtime.clock())]);
    const { email: former, user_id } = (await registerAtBroker(hub, broker.subdomain)).body;
    const who = (await login(hub, former)).body;
    await stepUp(hub, user_id);
    const form = { grant_type: 'client_credentials', scope: 'broker:risk' };
    const { access_token } = (await askForAccess(hub, broker, { form })).body;
    const verdict = await authorizerOf(hub)(access_token);
    const thrown = await hub.call('POST /broker/kill_switch', {
      query: { user_email: former },
      headers: bearer(access_token),
      authorized: verdict.isAuthorized ? verdict.context : undefined,
      json: { action: 'throw', reason: 'Risk desk.' },
    });
    expect(thrown.status).toBe(200);
    const email = await change(who);
    hub.advance(73 * HOUR);
    const later = (await login(hub, email)).body;
    expect((await remove(later, email)).status).toBe(200);
    await deliverMails(hub, ses);
    for (let round = 0; round < 12; round++) {
      await runJob(hub.runtime, { job: 'delete-accounts' });
      hub.advance(HOUR);
    }
    const text = await hub.tableText();
    const trail = await hub.runtime.store.queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': brokerTrail(broker.broker_id).pk },
    });
    expect(JSON.stringify(trail)).toContain('deleted-');
    expect([user_id, email, former].filter((name) => text.includes(name))).toEqual([]);
  });

  test('cannot be shaken off: neither a second change nor a deletion is possible before the undo ends', async () => {
    const who = await owner();
    const email = await change(who);
    expect(resultOf(await ask(who, freshEmail()))).toEqual([409, 'state_conflict']);
    expect(resultOf(await remove(who, email))).toEqual([409, 'state_conflict']);
    hub.advance(72 * HOUR);
    const later = (await login(hub, email)).body;
    await stepUp(hub, who.user_id);
    expect((await ask(later, freshEmail())).status).toBe(200);
    expect((await remove(later, email)).status).toBe(200);
  });

  test('between the check and the write of another change or of a deletion refuses these', async () => {
    const who = await owner();
    const [first, second] = [freshEmail(), freshEmail()];
    const one = await codeFor(who, first);
    hub.advance(31 * SECOND);
    expect((await ask(who, second)).status).toBe(200);
    const two = await sentCode(hub, second, 'email_change');
    const answers = await Promise.all([confirm(who, first, one), confirm(who, second, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);

    const leaver = await owner();
    const to = freshEmail();
    const code = await codeFor(leaver, to);
    await hub.call('POST /send_otp_password_reset', { query: { email: leaver.email } });
    const otp = Number(await sentCode(hub, leaver.email));
    const { store } = hub.runtime;
    const spy = jest.spyOn(store, 'transact').mockImplementationOnce(async (writes) => {
      expect((await confirm(leaver, to, code)).status).toBe(200);
      return store.transact(writes);
    });
    const removed = await remove(leaver, leaver.email, { otp });
    spy.mockRestore();
    expect(resultOf(removed)).toEqual([409, 'changed_meanwhile']);
    expect(await enter(to)).toBe(200);
  });

  test('ends with the session that asks for it', async () => {
    const who = await owner();
    const email = freshEmail();
    const code = await codeFor(who, email);
    const { store } = hub.runtime;
    const other = (await login(hub, who.email)).body;
    const spy = jest.spyOn(store, 'transact').mockImplementationOnce(async (writes) => {
      await hub.call('POST /end_session', {
        query: { user_id: who.user_id, others: 'true' },
        headers: bearer(other.access_token),
      });
      return store.transact(writes);
    });
    const answer = await confirm(who, email, code);
    spy.mockRestore();
    expect(answer.status).toBe(401);
    expect([await enter(who.email), await enter(email)]).toEqual([200, 401]);
  });
});

describe('the link to the former e-mail', () => {
  test('gives the account back, and ends all that can sign in; what was there before goes on', async () => {
    const who = await owner();
    const former = who.email;
    const email = await change(who);
    const link = await undoLinkOf(former);
    const thief = (await login(hub, email)).body;
    const { body: platform } = await hub.call('POST /generate_token', as(thief));
    const { api_key } = await makeKey(hub, thief, ['read']);
    await registerDevice(hub, who.user_id, 'phone-of-the-thief');
    hub.advance(SECOND);

    expect((await undo(link)).body).toEqual({ email: former });
    for (const token of [who.access_token, thief.access_token, platform.token]) {
      const read = await hub.call('GET /get_sessions', as({ ...who, access_token: token }));
      expect(resultOf(read)).toEqual([401, 'session_invalid']);
    }
    const byKey = await hub.call('GET /get_kill_switch', as({ ...who, access_token: api_key }));
    expect(resultOf(byKey)).toEqual([401, 'api_key_invalid']);
    expect([await enter(email), await enter(former)]).toEqual([401, 401]);
    expect(await devicesOf(hub, who.user_id)).toEqual([]);
    await settleSecured(hub);
    expect((await mailsTo(former)).join('')).toContain('this address is that of your account again');

    await hub.call('POST /send_otp_password_reset', { query: { email: former } });
    const otp = (await sentCode(hub, former)) ?? '';
    const query = { email: former, new_password: NEW_PASSWORD, otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    const { body } = await login(hub, former, NEW_PASSWORD);
    expect(body).toMatchObject({ user_id: who.user_id, email: former, email_verified: true });
    expect((await registerUnproven(hub, { email })).status).toBe(200);
    expect((await findUser(hub.runtime.store, who.user_id))?.recovered_at).toBeDefined();
  });

  test('works after the thief set another password, by mail or in the settings', async () => {
    const who = await owner();
    const email = await change(who);
    const link = await undoLinkOf(who.email);
    await hub.call('POST /send_otp_password_reset', { query: { email } });
    const query = { email, new_password: NEW_PASSWORD, otp: (await sentCode(hub, email)) ?? '' };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    const thief = (await login(hub, email, NEW_PASSWORD)).body;
    await stepUp(hub, who.user_id);
    const json = { password: NEW_PASSWORD, new_password: `${NEW_PASSWORD} 2` };
    expect((await hub.call('POST /change_password', as(thief, { json }))).status).toBe(200);
    expect((await undo(link)).status).toBe(200);
    for (const password of [PASSWORD, NEW_PASSWORD, `${NEW_PASSWORD} 2`]) {
      expect([await enter(who.email, password), await enter(email, password)]).toEqual([401, 401]);
    }
  });

  test('can be opened again, and undoes no later change', async () => {
    const who = await owner();
    await change(who);
    const link = await undoLinkOf(who.email);
    expect((await undo(link)).status).toBe(200);
    expect((await undo(link)).body).toEqual({ email: who.email });
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    const query = {
      email: who.email,
      new_password: NEW_PASSWORD,
      otp: (await sentCode(hub, who.email)) ?? '',
    };
    await hub.call('POST /reset_password', { query });
    const again = (await login(hub, who.email, NEW_PASSWORD)).body;
    await stepUp(hub, who.user_id);
    hub.advance(31 * SECOND);
    const email = await change(again);
    expect(resultOf(await undo(link))).toEqual([401, 'code_invalid']);
    expect(await enter(email, NEW_PASSWORD)).toBe(200);
  });

  test('is refused after 72 hours, forged, for another address, and of another account', async () => {
    const [one, two] = [await owner(), await owner()];
    const changed = await change(one);
    const link = await undoLinkOf(one.email);
    await change(two);
    const tried = [
      { ...link, token: forged(link.token) },
      { ...link, token: '' },
      { ...link, token: link.token.replace(/^\w+/, 'zzzzzz') },
      { ...link, email: two.email },
      { ...link, email: changed },
      { ...link, email: freshEmail() },
    ];
    for (const bad of tried) expect(resultOf(await undo(bad))).toEqual([401, 'code_invalid']);
    hub.advance(72 * HOUR);
    expect(resultOf(await undo(link))).toEqual([401, 'code_invalid']);
    expect(await enter(changed)).toBe(200);
  });

  test('ends API keys and the passkeys of the thief, also one from before the change, and keeps older ones', async () => {
    const who = await owner();
    const own = await addPasskey(hub, who);
    hub.advance(73 * HOUR);
    Object.assign(who, (await signInWithPasskey(hub, own)).body);
    const stolen = await addPasskey(hub, who);
    await hub.call('POST /make_recovery_codes', as(who));
    await stepUp(hub, who.user_id);
    const { api_key } = await makeKey(hub, who, ['read']);
    await deliverMails(hub, ses);
    await change(who);
    const link = await undoLinkOf(who.email);
    expect((await signInWithPasskey(hub, stolen)).status).toBe(200);
    expect((await undo(link)).status).toBe(200);
    expect(resultOf(await signInWithPasskey(hub, stolen))).toEqual([401, 'passkey_refused']);
    const reading = await hub.call('GET /get_kill_switch', {
      query: { user_id: who.user_id },
      headers: bearer(api_key),
    });
    expect(resultOf(reading)).toEqual([401, 'api_key_invalid']);
    const back = (await signInWithPasskey(hub, own)).body;
    expect(back).toMatchObject({ user_id: who.user_id, email: link.email });
    const left = (await hub.call('GET /get_factors', as(back))).body;
    expect(left).toMatchObject({ passkeys: [{ passkey_id: own.id }], recovery_codes: 0, ways: ['passkey'] });
    expect(left.recovery_until).not.toBe(null);
  });

  test('ends identities that were linked since, also one that is linked at the same moment', async () => {
    const { store, clock } = hub.runtime;
    const who = await owner();
    const before = { issuer: 'https://idp.example', subject: who.user_id };
    const since = { ...before, subject: `${who.user_id}-thief` };
    const linkTo = (identity: typeof before) =>
      store.transact([
        {
          put: {
            ...keys.identity(identity.issuer, identity.subject),
            entity: 'identity',
            user_id: who.user_id,
          },
        },
        {
          key: keys.user(who.user_id),
          update: 'SET identities.#pk = :at',
          names: { '#pk': keys.identity(identity.issuer, identity.subject).pk },
          values: { ':at': clock().toISOString() },
        },
      ]);
    await linkTo(before);
    hub.advance(SECOND);
    await change(who);
    const link = await undoLinkOf(who.email);
    const spy = jest.spyOn(store, 'transact').mockImplementationOnce(async (writes) => {
      spy.mockRestore();
      await linkTo(since);
      return store.transact(writes);
    });
    expect(resultOf(await undo(link))).toEqual([409, 'changed_meanwhile']);
    expect((await undo(link)).status).toBe(200);
    const left = await store.getMany(
      [before, since].map(({ issuer, subject }) => keys.identity(issuer, subject)),
      { consistent: true },
    );
    expect(left.map((item) => item?.user_id)).toEqual([who.user_id, undefined]);
  });
});

describe('an e-mail that was never confirmed', () => {
  const typo = async (): Promise<Entered> => {
    const { body } = await registerUnproven(hub);
    return (await login(hub, body.email)).body;
  };

  test('is corrected with the password, and proven as after a registration', async () => {
    const who = await typo();
    const { page, ...link } = linkIn((await mailsTo(who.email))[0]);
    expect(page).toBe('confirm');
    const email = freshEmail();
    expect(resultOf(await correct(who, email, 'wrong password'))).toEqual([401, 'credentials_invalid']);
    expect((await correct(who, email)).body).toEqual({ sent_to: 'p***@example.com' });
    expect([await enter(who.email), await enter(email)]).toEqual([401, 200]);
    // The reader of the wrong mailbox gets nothing.
    const taking = await hub.call('POST /confirm_email_link', {
      json: { ...link, new_password: NEW_PASSWORD },
    });
    expect(resultOf(taking)).toEqual([401, 'code_invalid']);
    const code = await sentCode(hub, email, 'email_proof');
    expect((await hub.call('POST /confirm_email', as(who, { json: { code } }))).status).toBe(200);
    expect(resultOf(await correct(who, freshEmail()))).toEqual([409, 'state_conflict']);
  });

  test('is free at once for its owner, whom codes and races of the former user do not reach', async () => {
    const who = await typo();
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    const otp = (await sentCode(hub, who.email)) ?? '';
    const email = freshEmail();
    const { store } = hub.runtime;
    /** Corrects the e-mail, and lets its owner register it, between what a reset reads and what it writes. */
    const spy = jest.spyOn(store, 'transact').mockImplementationOnce(async (writes) => {
      spy.mockRestore();
      expect((await correct(who, email)).status).toBe(200);
      expect((await registerUnproven(hub, { email: who.email })).status).toBe(200);
      return store.transact(writes);
    });
    const query = { email: who.email, new_password: NEW_PASSWORD, otp };
    expect(resultOf(await hub.call('POST /reset_password', { query }))).toEqual([401, 'code_invalid']);
    expect([await enter(who.email), await enter(who.email, NEW_PASSWORD)]).toEqual([200, 401]);
    expect((await login(hub, email)).body.user_id).toBe(who.user_id);
  });

  test('is corrected five times a day, to a free address, with the limits of a registration', async () => {
    const who = await typo();
    const other = await owner();
    expect(resultOf(await correct(who, other.email))).toEqual([409, 'email_taken']);
    expect((await correct(who, who.email)).status).toBe(422);
    for (let n = 0; n < 5; n++) expect((await correct(who, freshEmail())).status).toBe(200);
    expect(resultOf(await correct(who, freshEmail()))).toEqual([429, 'rate_limited']);
  });
});
