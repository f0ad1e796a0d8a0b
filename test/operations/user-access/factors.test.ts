import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { generateSync } from 'otplib';
import { type Authenticator, authenticatorFor, passkeyOptions } from '../../support/authenticator.ts';
import type { Request, Response } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  bearer,
  login,
  loginSteppedUp,
  outbox,
  PASSWORD,
  register,
  sentCode,
  signUp,
} from '../../support/people.ts';
import { settleSecured } from '../../support/secured.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const environment = { ...process.env };
const kms = await startKms();
afterAll(async () => {
  process.env = environment;
  await kms.close();
});
const hub = await openHub(furnishWithInstruments);

interface Entered {
  readonly user_id: string;
  readonly email: string;
  readonly access_token: string;
}

const as = ({ user_id, access_token }: Entered, request: Request = {}): Request => ({
  ...request,
  query: { user_id, ...Object.fromEntries(Object.entries(request.query ?? {})) },
  headers: bearer(access_token),
});

const resultOf = ({ status, body }: Response) => [status, body.code];
const post = (who: Entered, path: string, json?: object) =>
  hub.call(`POST ${path}`, as(who, json ? { json } : {}));
const enter = async ({ email }: Pick<Entered, 'email'>): Promise<Entered> => (await login(hub, email)).body;
const stepUp = (who: Entered, json: object) => post(who, '/step_up', json);
/** Needs a step-up, and waits after a recovery. */
const reArm = (who: Entered) => post(who, '/kill_switch', { action: 're_arm', reason: 'All is well.' });
const factorsOf = async (who: Entered) => (await hub.call('GET /get_factors', as(who))).body;
const kindsOf = async (who: Entered): Promise<string[]> =>
  (await hub.call('GET /get_security_events', as(who))).body.items.map(({ kind }: { kind: string }) => kind);

const optionsFor = (purpose: Parameters<typeof passkeyOptions>[1], who?: Entered) =>
  passkeyOptions(hub, purpose, who);

/** Returns a user in a session that is stepped up. */
const owner = async (): Promise<Entered> => (await signUp(hub)).body;

const withPasskey = async (counts = true): Promise<{ who: Entered; key: Authenticator }> => {
  const who = await owner();
  const key = authenticatorFor(hub, { counts });
  const { options } = (await optionsFor('register', who)).body;
  const added = await post(who, '/add_passkey', { passkey: key.make(options), name: 'Laptop' });
  expect(added.body).toMatchObject({ passkeys: [{ passkey_id: key.id, name: 'Laptop' }], ways: ['passkey'] });
  return { who, key };
};

const signIn = (passkey: object) => hub.call('POST /sign_in_passkey', { json: { passkey } });
const fresh = async (key: Authenticator, deviation = {}) =>
  key.use((await optionsFor('sign_in')).body.options, deviation);

describe('a change of factors', () => {
  test('ends the step-ups of other sessions, which may be those of a thief', async () => {
    const { who, key } = await withPasskey();
    const other: Entered = (await signIn(await fresh(key))).body;
    expect((await reArm(other)).status).toBe(200);
    expect((await post(who, '/remove_passkey', { passkey_id: key.id })).status).toBe(200);
    expect((await reArm(who)).status).toBe(200);
    expect(resultOf(await reArm(other))).toEqual([403, 'step_up_required']);
    expect(resultOf(await post(other, '/add_totp'))).toEqual([403, 'step_up_required']);
  });

  test('refuses a proof without a factor that was checked before it', async () => {
    const who = await owner();
    const thief = await enter(who);
    const code = await mailedCode(thief);
    const { store } = hub.runtime;
    const key = authenticatorFor(hub);
    const { options } = (await optionsFor('register', who)).body;
    const spy = jest.spyOn(store, 'transact').mockImplementationOnce(async (writes) => {
      spy.mockRestore();
      expect((await post(who, '/add_passkey', { passkey: key.make(options) })).status).toBe(200);
      return store.transact(writes);
    });
    expect(resultOf(await stepUp(thief, { password: PASSWORD, code }))).toEqual([401, 'code_invalid']);
    expect(resultOf(await reArm(thief))).toEqual([403, 'step_up_required']);
  });
});

describe('a passkey', () => {
  test('signs in with no more calls than a password, in a session that is stepped up', async () => {
    const { who, key } = await withPasskey();
    const passkey = await fresh(key);
    hub.takeCalls();
    const entered = await signIn(passkey);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
    expect(entered.body).toMatchObject({ user_id: who.user_id, email: who.email, token_type: 'bearer' });
    expect((await reArm(entered.body)).status).toBe(200);
    expect(await kindsOf(entered.body)).toEqual(expect.arrayContaining(['signed_in', 'passkey_added']));
    hub.advance(10 * MINUTE);
    expect((await reArm(entered.body)).body).toMatchObject({ code: 'step_up_required', ways: ['passkey'] });
  });

  test.each([
    ['of another site', { origin: 'https://hub.attacker.example' }],
    ['for another site', { rpId: 'attacker.example' }],
    ['without a fingerprint or PIN', { verified: false }],
  ])('%s is refused', async (_title, deviation) => {
    const { key } = await withPasskey();
    expect(resultOf(await signIn(await fresh(key, deviation)))).toEqual([401, 'passkey_refused']);
    expect((await signIn(await fresh(key))).status).toBe(200);
  });

  test.each([[true], [false]])('is refused a second time, with a counter: %s', async (counts) => {
    const { key } = await withPasskey(counts);
    const passkey = await fresh(key);
    const results = await Promise.all([signIn(passkey), signIn(passkey)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(resultOf(await signIn(passkey))).toEqual([401, 'passkey_refused']);
  });

  test('whose counter goes back is refused, and its owner is notified', async () => {
    const { who, key } = await withPasskey();
    await signIn(await fresh(key));
    expect(resultOf(await signIn(await fresh(key, { counter: 1 })))).toEqual([401, 'passkey_refused']);
    expect(await kindsOf(who)).toContain('passkey_copied');
    await settleSecured(hub);
    expect((await outbox(hub)).map(({ message }) => message)).toContainEqual(
      expect.objectContaining({ to: who.email, title: 'A passkey may have been copied' }),
    );
    expect((await signIn(await fresh(key))).status).toBe(200);
  });

  test('answers only a challenge of its purpose and session, for five minutes', async () => {
    const { who, key } = await withPasskey();
    const other = await enter(who);
    const inOther = (await optionsFor('step_up', other)).body.options;
    expect(inOther.allowCredentials).toEqual([expect.objectContaining({ id: key.id })]);
    expect(resultOf(await stepUp(who, { passkey: key.use(inOther) }))).toEqual([401, 'passkey_refused']);
    expect(resultOf(await signIn(key.use(inOther)))).toEqual([401, 'passkey_refused']);
    expect(resultOf(await stepUp(other, { passkey: await fresh(key) }))).toEqual([401, 'passkey_refused']);
    const late = await fresh(key);
    hub.advance(5 * MINUTE);
    expect(resultOf(await signIn(late))).toEqual([401, 'passkey_refused']);
    const invented = key.use({ challenge: Buffer.alloc(52).toString('base64url') });
    expect(resultOf(await signIn(invented))).toEqual([401, 'passkey_refused']);
    expect(resultOf(await reArm(other))).toEqual([403, 'step_up_required']);
    const own = (await optionsFor('step_up', other)).body.options;
    expect((await stepUp(other, { passkey: key.use(own) })).status).toBe(200);
    expect((await reArm(other)).status).toBe(200);
  });

  test('of a user is of no use for another one, nor once it is removed', async () => {
    const { who, key } = await withPasskey();
    const { who: thief } = await withPasskey();
    const { options } = (await optionsFor('register', thief)).body;
    const stolen = await post(thief, '/add_passkey', { passkey: key.make(options) });
    expect(resultOf(stolen)).toEqual([409, 'changed_meanwhile']);
    const own = (await optionsFor('step_up', thief)).body.options;
    expect(resultOf(await stepUp(thief, { passkey: key.use(own) }))).toEqual([401, 'passkey_refused']);
    const removed = await post(who, '/remove_passkey', { passkey_id: key.id });
    expect(removed.body).toMatchObject({ passkeys: [], ways: ['password_and_code'] });
    expect(resultOf(await signIn(await fresh(key)))).toEqual([401, 'passkey_refused']);
  });

  test('is added only by a person who stepped up and proved the e-mail', async () => {
    const { body } = await register(hub);
    const stale = await enter(body);
    expect(resultOf(await optionsFor('register', stale))).toEqual([403, 'step_up_required']);
    expect(resultOf(await optionsFor('register'))).toEqual([401, 'session_required']);
    expect(resultOf(await optionsFor('step_up'))).toEqual([401, 'session_required']);
    const key = authenticatorFor(hub);
    const passkey = key.make({ challenge: 'none', user: { id: 'none' } });
    expect(resultOf(await post(stale, '/add_passkey', { passkey }))).toEqual([403, 'step_up_required']);
    expect(resultOf(await post(await owner(), '/add_passkey', { passkey }))).toEqual([
      401,
      'passkey_refused',
    ]);
  });
});

const codeOf = (secret: string): string =>
  generateSync({ secret, epoch: Math.floor(hub.runtime.clock().getTime() / 1000) });

const withTotp = async (): Promise<{ who: Entered; secret: string }> => {
  const who = await owner();
  const { secret, uri } = (await post(who, '/add_totp')).body;
  expect(uri).toContain(`secret=${secret}`);
  expect((await factorsOf(who)).totp_added_at).toBeNull();
  expect((await post(who, '/confirm_totp', { totp: codeOf(secret) })).body.ways).toEqual(['totp']);
  hub.advance(MINUTE);
  return { who, secret };
};

describe('an authenticator app', () => {
  test('steps up, with each code once', async () => {
    const { who, secret } = await withTotp();
    const session = await enter(who);
    expect((await reArm(session)).body).toMatchObject({ code: 'step_up_required', ways: ['totp'] });
    expect(resultOf(await stepUp(session, { code: '12345678', password: PASSWORD }))).toEqual([
      403,
      'step_up_required',
    ]);
    const totp = codeOf(secret);
    const results = await Promise.all([stepUp(session, { totp }), stepUp(session, { totp })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await reArm(session)).status).toBe(200);
    expect(resultOf(await stepUp(session, { totp }))).toEqual([401, 'code_invalid']);
    hub.advance(30_000);
    expect((await stepUp(session, { totp: codeOf(secret) })).status).toBe(200);
    expect(await hub.tableText()).not.toContain(secret);
  });

  test('steps up one of many sessions that send it at the same moment', async () => {
    const { who, secret } = await withTotp();
    const sessions = [who, await enter(who), await enter(who), await enter(who)];
    const winners = async (json: object) => {
      const answers = await Promise.all(sessions.map((session) => stepUp(session, json)));
      return answers.map(({ status }) => status).toSorted();
    };
    expect(await winners({ totp: codeOf(secret) })).toEqual([200, 401, 401, 401]);
    const { recovery_codes: codes } = (await post(who, '/make_recovery_codes')).body;
    expect(await winners({ recovery_code: codes[0] })).toEqual([200, 401, 401, 401]);
    expect((await factorsOf(who)).recovery_codes).toBe(9);
  });

  test('is guessed five times, also if all guesses arrive at the same moment', async () => {
    const { who, secret } = await withTotp();
    const thief = await enter(who);
    const guesses = Array.from({ length: 12 }, (_, n) => stepUp(thief, { totp: String(100_000 + n) }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect(resultOf(await stepUp(thief, { totp: codeOf(secret) }))).toEqual([429, 'too_many_attempts']);
  });

  test('may be a period early or late, and no more', async () => {
    const { who, secret } = await withTotp();
    const session = await enter(who);
    const early = codeOf(secret);
    hub.advance(MINUTE);
    expect(resultOf(await stepUp(session, { totp: early }))).toEqual([401, 'code_invalid']);
    const late = codeOf(secret);
    hub.advance(30_000);
    expect((await stepUp(session, { totp: late })).status).toBe(200);
  });

  test('is guessed five times in 15 minutes, and a thief of the password uses up no guess of the owner', async () => {
    const { who, secret } = await withTotp();
    const own = await enter(who);
    expect((await stepUp(own, { totp: codeOf(secret) })).status).toBe(200);
    const guess = (session: Entered, totp: string, sourceIp = '203.0.113.9') =>
      hub.call('POST /step_up', { ...as(session, { json: { totp } }), sourceIp });
    for (let n = 0; n < 5; n++) {
      const thief = await enter(who);
      expect(resultOf(await guess(thief, `00000${n}`))).toEqual([401, 'code_invalid']);
    }
    hub.advance(30_000);
    const thief = await enter(who);
    expect(resultOf(await guess(thief, codeOf(secret)))).toEqual([429, 'too_many_attempts']);
    // Another network, and a session that stepped up before.
    expect(resultOf(await guess(await enter(who), '000000', '198.51.100.1'))).toEqual([401, 'code_invalid']);
    for (let n = 0; n < 4; n++) await guess(own, `00000${n}`);
    expect((await guess(own, codeOf(secret))).status).toBe(200);
  });

  test('is guessed 30 times a day in one session, also by a thief of the cookie of one that stepped up', async () => {
    const { who, secret } = await withTotp();
    let session = (await login(hub, who.email)).body;
    expect((await stepUp(session, { totp: codeOf(secret) })).status).toBe(200);
    const renew = async () => {
      session = (await hub.call('POST /session/relogin', { headers: bearer(session.refresh_token) })).body;
    };
    // Begins a day, so that all windows are in it.
    hub.advance(24 * HOUR - (hub.runtime.clock().getTime() % (24 * HOUR)));
    for (let n = 0; n < 30; n++) {
      if (n % 5 === 0) {
        hub.advance(15 * MINUTE);
        await renew();
      }
      expect(resultOf(await stepUp(session, { totp: '000000' }))).toEqual([401, 'code_invalid']);
    }
    hub.advance(15 * MINUTE);
    await renew();
    expect(resultOf(await stepUp(session, { totp: codeOf(secret) }))).toEqual([429, 'too_many_attempts']);
    // The owner signs in again.
    expect((await stepUp(await enter(who), { totp: codeOf(secret) })).status).toBe(200);
  });

  test('is replaced by another one once that is confirmed, and ends with its removal', async () => {
    const { who, secret } = await withTotp();
    const next = (await post(who, '/add_totp')).body.secret;
    expect(resultOf(await post(who, '/confirm_totp', { totp: '000000' }))).toEqual([401, 'code_invalid']);
    expect((await stepUp(await enter(who), { totp: codeOf(secret) })).status).toBe(200);
    expect((await post(who, '/confirm_totp', { totp: codeOf(next) })).status).toBe(200);
    hub.advance(MINUTE);
    expect(resultOf(await stepUp(await enter(who), { totp: codeOf(secret) }))).toEqual([401, 'code_invalid']);
    expect((await stepUp(await enter(who), { totp: codeOf(next) })).status).toBe(200);
    expect((await post(who, '/remove_totp')).body.ways).toEqual(['password_and_code']);
    expect(resultOf(await post(who, '/remove_totp'))).toEqual([404, 'factor_unknown']);
  });
});

const withRecoveryCodes = async () => {
  const { who, key } = await withPasskey();
  const { recovery_codes: codes } = (await post(who, '/make_recovery_codes')).body;
  return { who, key, codes };
};

describe('recovery codes', () => {
  test('step up once each, the owner is notified, and real trading waits for a day', async () => {
    const { who, codes } = await withRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    expect(await hub.tableText()).not.toContain(codes[0]);
    const session = await enter(who);
    const sent = { recovery_code: ` ${codes[0].toUpperCase()} ` };
    const results = await Promise.all([stepUp(session, sent), stepUp(session, sent)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await factorsOf(session)).recovery_codes).toBe(9);
    expect(await kindsOf(session)).toContain('recovery_code_used');
    const waiting = await reArm(session);
    expect(waiting.status).toBe(409);
    const until = new Date(hub.runtime.clock().getTime() + 24 * HOUR).toISOString();
    expect(waiting.body).toMatchObject({ code: 'recovery_wait', until });
    const thrown = await post(session, '/kill_switch', { action: 'throw', reason: 'Who is this?' });
    expect(thrown.status).toBe(200);
    await settleSecured(hub);
    const messages = (await outbox(hub)).map(({ message }) => message);
    expect(messages).toContainEqual(
      expect.objectContaining({ to: who.email, title: 'A recovery code was used' }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ kind: 'notification_push', user_id: who.user_id }),
    );
    hub.advance(24 * HOUR);
    const later = (await loginSteppedUp(hub, who.email)).body;
    expect((await reArm(later)).status).toBe(200);
  });

  test('end with others that are made, and with the last factor', async () => {
    const { who, key, codes } = await withRecoveryCodes();
    const { recovery_codes: others } = (await post(who, '/make_recovery_codes')).body;
    const session = await enter(who);
    expect(resultOf(await stepUp(session, { recovery_code: codes[0] }))).toEqual([401, 'code_invalid']);
    expect((await stepUp(session, { recovery_code: others[0] })).status).toBe(200);
    const { body } = await post(who, '/remove_passkey', { passkey_id: key.id });
    expect(body).toMatchObject({ recovery_codes: 0, ways: ['password_and_code'] });
    expect(resultOf(await post(who, '/make_recovery_codes'))).toEqual([409, 'state_conflict']);
  });
});

const mailedCode = async (who: Entered): Promise<string | undefined> => {
  await post(who, '/send_step_up_code');
  return sentCode(hub, who.email, 'step_up');
};

describe('a recovery', () => {
  test('by a reset of the password keeps the factors, and real trading waits for a day', async () => {
    const { who, key } = await withPasskey();
    await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
    const otp = (await sentCode(hub, who.email)) ?? '';
    const reset = { email: who.email, new_password: 'a password of the thief', otp };
    expect((await hub.call('POST /reset_password', { query: reset })).status).toBe(200);
    expect(resultOf(await reArm(who))).toEqual([401, 'session_invalid']);
    const thief: Entered = (await login(hub, who.email, 'a password of the thief')).body;
    const code = await mailedCode(thief);
    const plain = { password: 'a password of the thief', code };
    expect((await stepUp(thief, plain)).body).toMatchObject({ code: 'step_up_required', ways: ['passkey'] });
    const entered = await signIn(await fresh(key));
    expect(resultOf(await reArm(entered.body))).toEqual([409, 'recovery_wait']);
  });

  test('by a reset ends the factors that a thief of the mailbox added after a reset before', async () => {
    const who = await owner();
    hub.advance(HOUR);
    const resetTo = async (new_password: string) => {
      await hub.call('POST /send_otp_password_reset', { query: { email: who.email } });
      const otp = (await sentCode(hub, who.email)) ?? '';
      return hub.call('POST /reset_password', { query: { email: who.email, new_password, otp } });
    };
    expect((await resetTo('a password of the thief')).status).toBe(200);
    const thief: Entered = (await login(hub, who.email, 'a password of the thief')).body;
    const code = await mailedCode(thief);
    expect((await stepUp(thief, { password: 'a password of the thief', code })).status).toBe(200);
    const stolen = authenticatorFor(hub);
    const { options } = (await optionsFor('register', thief)).body;
    expect((await post(thief, '/add_passkey', { passkey: stolen.make(options) })).status).toBe(200);
    const { recovery_codes: spare } = (await post(thief, '/make_recovery_codes')).body;
    expect((await stepUp(thief, { recovery_code: spare[0] })).status).toBe(200);
    hub.advance(70 * HOUR);
    expect((await resetTo('again of the owner')).status).toBe(200);
    expect(resultOf(await signIn(await fresh(stolen)))).toEqual([401, 'passkey_refused']);
    const back: Entered = (await login(hub, who.email, 'again of the owner')).body;
    expect(await factorsOf(back)).toMatchObject({ passkeys: [], ways: ['password_and_code'] });
    const proof = { password: 'again of the owner', code: await mailedCode(back) };
    expect((await stepUp(back, proof)).status).toBe(200);
    const own = authenticatorFor(hub);
    const register = (await optionsFor('register', back)).body.options;
    const added = await post(back, '/add_passkey', { passkey: own.make(register) });
    expect(added.body).toMatchObject({ passkeys: [{ passkey_id: own.id }], recovery_codes: 0 });
  });

  test('of lost factors takes effect after a day, and real trading a day later', async () => {
    const { who, key } = await withPasskey();
    const session = await enter(who);
    const code = await mailedCode(session);
    const asked = await post(session, '/remove_lost_factors', { password: PASSWORD, code });
    const factors_end_at = new Date(hub.runtime.clock().getTime() + 24 * HOUR).toISOString();
    expect(asked.body).toEqual({ factors_end_at });
    expect(await factorsOf(session)).toMatchObject({ factors_end_at, ways: ['passkey'] });
    hub.advance(24 * HOUR);
    const later = (await loginSteppedUp(hub, who.email)).body;
    expect(await factorsOf(later)).toMatchObject({ passkeys: [], ways: ['password_and_code'] });
    expect(resultOf(await signIn(await fresh(key)))).toEqual([401, 'passkey_refused']);
    expect(resultOf(await reArm(later))).toEqual([409, 'recovery_wait']);
    const next = authenticatorFor(hub);
    const { options } = (await optionsFor('register', later)).body;
    expect((await post(later, '/add_passkey', { passkey: next.make(options) })).body.passkeys).toHaveLength(
      1,
    );
    expect(resultOf(await reArm(later))).toEqual([409, 'recovery_wait']);
    hub.advance(24 * HOUR);
    const settled = await signIn(await fresh(next));
    expect((await reArm(settled.body)).status).toBe(200);
  });

  test('of lost factors ends by a factor, or in any session', async () => {
    const { who, key } = await withPasskey();
    const ask = async (session: Entered) =>
      post(session, '/remove_lost_factors', { password: PASSWORD, code: await mailedCode(session) });
    const thief = await enter(who);
    expect((await ask(thief)).status).toBe(200);
    const entered: Entered = (await signIn(await fresh(key))).body;
    expect(await factorsOf(entered)).toMatchObject({ factors_end_at: null, ways: ['passkey'] });
    hub.advance(MINUTE);
    expect((await ask(thief)).status).toBe(200);
    expect((await post(who, '/keep_factors')).body).toEqual({ kept: true });
    expect((await factorsOf(thief)).factors_end_at).toBeNull();
    hub.advance(MINUTE);
    expect((await ask(thief)).status).toBe(200);
    const { options } = (await optionsFor('step_up', entered)).body;
    expect((await stepUp(entered, { passkey: key.use(options) })).status).toBe(200);
    expect((await factorsOf(thief)).factors_end_at).toBeNull();
    expect(await kindsOf(who)).toEqual(expect.arrayContaining(['factor_removal_asked', 'factors_kept']));
  });

  test('is told at every address', async () => {
    const { who } = await withPasskey();
    await hub.runtime.store.transact([
      {
        key: { pk: `USER#${who.user_id}`, sk: 'USER' },
        set: { ph_number: '+14155552671', ph_verified: true },
      },
    ]);
    const code = await mailedCode(who);
    await post(who, '/remove_lost_factors', { password: PASSWORD, code });
    await settleSecured(hub);
    const title = 'Your second factors will be removed';
    const messages = (await outbox(hub)).map(({ message }) => message);
    expect(messages).toContainEqual(
      expect.objectContaining({ kind: 'notification_mail', to: who.email, title }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ kind: 'notification_sms', to: '+14155552671', title }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ kind: 'notification_push', note: expect.objectContaining({ title }) }),
    );
  });
});

test('an account with a factor is deleted only after a step-up', async () => {
  const { who } = await withPasskey();
  const stale = await enter(who);
  const json = { email: who.email, password: PASSWORD };
  expect(resultOf(await post(stale, '/delete_account', json))).toEqual([403, 'step_up_required']);
  expect((await post(who, '/delete_account', json)).status).toBe(200);
});
