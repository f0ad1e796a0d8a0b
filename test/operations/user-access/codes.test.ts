import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  bearer,
  freshEmail,
  furnish,
  login,
  outbox,
  PASSWORD,
  register,
  registerUnproven,
  sentCode,
  signUp,
} from '../../support/people.ts';
import { settleSecured } from '../../support/secured.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { FAILURES, json, startUpstream, type Upstream } from '../../support/upstream.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NEW_PASSWORD = 'a new password';
const PHONE = '+14155552671';

let hub: TestHub;
let challenge: Upstream;
beforeAll(async () => {
  challenge = await startUpstream(json({ success: true }));
  hub = (await startHub()).with({ HUB_CHALLENGE_URL: `${challenge.url}/turnstile/v0/siteverify` });
  await furnish(hub);
});
afterAll(async () => {
  await hub.close();
  await challenge.close();
});

const sendReset = (email: string) => hub.call('POST /send_otp_password_reset', { query: { email } });
const reset = (email: string, otp: string | undefined, password = NEW_PASSWORD) =>
  hub.call('POST /reset_password', { query: { email, new_password: password, otp: otp ?? 'none was sent' } });
const wrong = (code: string | undefined) => String(((Number(code) - 100_000 + 1) % 900_000) + 100_000);

describe('resetting a password', () => {
  test('with the code from the mail sets it, verifies the e-mail and ends all sessions', async () => {
    const { body: user } = await signUp(hub);
    hub.takeCalls();
    expect((await sendReset(user.email)).status).toBe(200);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    const code = await sentCode(hub, user.email);
    expect(code).toMatch(/^[1-9]\d{5}$/);
    hub.takeCalls();
    expect((await reset(user.email, code)).status).toBe(200);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect((await hub.call('POST /verify_user', { headers: bearer(user.access_token) })).status).toBe(401);
    expect((await hub.call('POST /session/relogin', { headers: bearer(user.refresh_token) })).status).toBe(
      401,
    );
    expect((await login(hub, user.email)).status).toBe(401);
    expect((await login(hub, user.email, NEW_PASSWORD)).body).toMatchObject({ email_verified: true });
  });

  test.each<[string, (fields: Record<string, string>) => Parameters<TestHub['call']>[1]]>([
    ['a form', (form) => ({ form })],
    ['JSON', ({ otp, ...texts }) => ({ json: { ...texts, otp: Number(otp) } })],
  ])('takes the password and the code in a body: %s', async (_name, sent) => {
    const { body: user } = await register(hub);
    await sendReset(user.email);
    const otp = await sentCode(hub, user.email);
    const answer = await hub.call(
      'POST /reset_password',
      sent({ email: user.email, new_password: NEW_PASSWORD, otp: otp ?? '' }),
    );
    expect(answer.status).toBe(200);
    expect((await login(hub, user.email, NEW_PASSWORD)).status).toBe(200);
    expect(JSON.stringify(hub.log)).not.toContain(NEW_PASSWORD);
  });

  test('names missing parameters as those of the query, also for a body', async () => {
    const { status, body } = await hub.call('POST /reset_password', { json: { email: ['x'], otp: null } });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'query.email',
      'query.new_password',
      'query.otp',
    ]);
  });

  test('signs in a user who was locked out by failed attempts', async () => {
    const { body: user } = await register(hub);
    for (let attempt = 0; attempt < 6; attempt++) await login(hub, user.email, 'wrong');
    await sendReset(user.email);
    await reset(user.email, await sentCode(hub, user.email));
    expect((await login(hub, user.email, NEW_PASSWORD)).status).toBe(200);
  });

  test('gives the same answer for an unknown e-mail, with as many calls, and sends nothing', async () => {
    const { body: user } = await register(hub);
    const nobody = freshEmail();
    hub.takeCalls();
    const known = await sendReset(user.email);
    const callsForKnown = hub.takeCalls();
    const unknown = await sendReset(nobody);
    expect(hub.takeCalls()).toEqual(callsForKnown);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(await sentCode(hub, nobody)).toBeUndefined();
    expect((await reset(nobody, '123456')).text).toBe((await reset(user.email, '123456')).text);
  });

  test('accepts a code once', async () => {
    const { body: user } = await register(hub);
    await sendReset(user.email);
    const code = await sentCode(hub, user.email);
    await reset(user.email, code);
    const again = await reset(user.email, code, 'yet another password');
    expect([again.status, again.body.code]).toEqual([401, 'code_invalid']);
  });

  test('accepts a code once of 20 parallel uses', async () => {
    const { body: user } = await register(hub);
    await sendReset(user.email);
    const code = await sentCode(hub, user.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reset(user.email, code, `password ${n}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('accepts no code after ten minutes', async () => {
    const { body: user } = await register(hub);
    await sendReset(user.email);
    const code = await sentCode(hub, user.email);
    hub.advance(10 * MINUTE);
    expect((await reset(user.email, code)).status).toBe(401);
  });

  test('tries at most five of 100 parallel wrong codes, and then not even the right one', async () => {
    const { body: user } = await register(hub);
    await sendReset(user.email);
    const code = await sentCode(hub, user.email);
    const answers = await Promise.all(Array.from({ length: 100 }, () => reset(user.email, wrong(code))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await reset(user.email, code)).status).toBe(401);
    expect((await login(hub, user.email)).status).toBe(200);
  });

  test('refuses the code of another purpose or e-mail', async () => {
    const [{ body: one }, { body: other }] = [await register(hub), await register(hub)];
    await sendReset(one.email);
    await sendReset(other.email);
    expect((await reset(other.email, await sentCode(hub, one.email))).status).toBe(401);
  });

  test('sends at most one code in 30 seconds and five in an hour', async () => {
    const { body: user } = await register(hub);
    expect((await sendReset(user.email)).status).toBe(200);
    hub.advance(29 * SECOND);
    const tooSoon = await sendReset(user.email);
    expect([tooSoon.status, tooSoon.body.code, tooSoon.headers['retry-after']]).toEqual([
      429,
      'too_many_codes',
      '1',
    ]);
    for (let sent = 1; sent < 5; sent++) {
      hub.advance(30 * SECOND);
      expect((await sendReset(user.email)).status).toBe(200);
    }
    hub.advance(30 * SECOND);
    expect((await sendReset(user.email)).status).toBe(429);
    hub.advance(60 * MINUTE);
    expect((await sendReset(user.email)).status).toBe(200);
  });

  test('sends one code for 20 parallel requests', async () => {
    const { body: user } = await register(hub);
    const before = (await outbox(hub)).length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendReset(user.email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await outbox(hub)).length).toBe(before + 1);
  });

  test('refuses a short password before it costs a try', async () => {
    const { body: user } = await register(hub);
    await sendReset(user.email);
    const code = await sentCode(hub, user.email);
    for (let attempt = 0; attempt < 6; attempt++)
      expect((await reset(user.email, code, 'short')).status).toBe(422);
    expect((await reset(user.email, code)).status).toBe(200);
  });
});

describe('verifying a phone', () => {
  const send = (email: string, phone = PHONE, headers: Record<string, string> = {}) =>
    hub.call('POST /send_sms_otp', { query: { ph_number: phone, email, cf_token: 'solved' }, headers });
  const validate = (email: string, otp: string | undefined) =>
    hub.call('POST /validate_sms_otp', { query: { email, otp: otp ?? 'none' } });

  test('with the code sent to the number of the account marks it verified', async () => {
    const { body: user } = await signUp(hub, { ph_number: PHONE });
    hub.takeCalls();
    expect((await send(user.email, PHONE, bearer(user.access_token))).status).toBe(200);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(challenge.received.at(-1)).toMatchObject({
      method: 'POST',
      body: 'secret=challenge-secret&response=solved',
    });
    const { body } = await validate(user.email, await sentCode(hub, user.email, 'phone'));
    expect(body).toEqual({ ph_verified: true, ph_number: PHONE });
    const verified = await hub.call('POST /verify_user', { headers: bearer(user.access_token) });
    expect(verified.body).toMatchObject({ ph_verified: true, ph_number: PHONE });
    const events = await hub.call('GET /get_security_events', {
      query: { user_id: user.user_id },
      headers: bearer(user.access_token),
    });
    expect(events.body.items).toContainEqual(expect.objectContaining({ kind: 'phone_verified' }));
    await settleSecured(hub);
    const mailed = (await outbox(hub)).map(({ message }) => message);
    expect(mailed).toContainEqual(
      expect.objectContaining({ to: user.email, title: 'A phone number was verified' }),
    );
  });

  test('of another user sends nothing and gives the same answer', async () => {
    const { body: user } = await register(hub);
    const [other, nobody] = [await send(user.email, '+442071838750'), await send(freshEmail())];
    expect([other.status, other.text]).toEqual([nobody.status, nobody.text]);
    expect(await sentCode(hub, user.email, 'phone')).toBeUndefined();
  });

  test('that is new to the account needs the session of the account', async () => {
    const { body: user } = await signUp(hub);
    const { body: stranger } = await signUp(hub);
    await send(user.email, PHONE, bearer(stranger.access_token));
    expect(await sentCode(hub, user.email, 'phone')).toBeUndefined();
    hub.advance(MINUTE);
    await send(user.email, PHONE, bearer(user.access_token));
    expect((await validate(user.email, await sentCode(hub, user.email, 'phone'))).status).toBe(200);
  });

  test.each(['a reset', 'a change'])('ends with %s of the password', async (how) => {
    const { body: user } = await signUp(hub);
    const { body: thief } = await login(hub, user.email);
    await send(user.email, PHONE, bearer(thief.access_token));
    const code = await sentCode(hub, user.email, 'phone');
    expect(code).toBeDefined();
    if (how === 'a reset') {
      await sendReset(user.email);
      expect((await reset(user.email, await sentCode(hub, user.email))).status).toBe(200);
    } else {
      const changed = await hub.call('POST /change_password', {
        query: { user_id: user.user_id },
        json: { password: PASSWORD, new_password: 'a password of the owner' },
        headers: bearer(user.access_token),
      });
      expect(changed.status).toBe(200);
    }
    const tried = await validate(user.email, code);
    expect([tried.status, tried.body.code]).toEqual([401, 'code_invalid']);
  });

  test('of an unproven account sends nothing', async () => {
    const { body: user } = await registerUnproven(hub, { ph_number: PHONE });
    const { access_token } = (await login(hub, user.email)).body;
    const refused = await send(user.email, PHONE, bearer(access_token));
    expect([refused.status, refused.body.code]).toEqual([403, 'email_unproven']);
    expect((await send(user.email)).text).toBe((await send(freshEmail(), '+442071838750')).text);
    expect(await sentCode(hub, user.email, 'phone')).toBeUndefined();
  });

  test('tries at most five codes', async () => {
    const { body: user } = await signUp(hub, { ph_number: PHONE });
    await send(user.email, PHONE, bearer(user.access_token));
    const code = await sentCode(hub, user.email, 'phone');
    expect(code).toMatch(/^[1-9]\d{5}$/);
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await validate(user.email, wrong(code))).status).toBe(401);
    expect((await validate(user.email, code)).status).toBe(401);
  });

  test('is refused without a solved challenge', async () => {
    challenge.answer = json({ success: false, 'error-codes': ['timeout-or-duplicate'] });
    const { status, body } = await send(freshEmail());
    expect([status, body.code]).toEqual([403, 'challenge_refused']);
  });

  test.each([...Object.entries(FAILURES), ['answers nonsense', json({ success: 'maybe' })] as const])(
    'is a 502 in time when the challenge service %s',
    async (_how, answer) => {
      challenge.answer = answer;
      const { body: user } = await register(hub, { ph_number: PHONE });
      const { status, body } = await withShortLimits(() => send(user.email));
      expect([status, body.code]).toEqual([502, 'upstream_failed']);
      challenge.answer = json({ success: true });
      expect((await send(user.email)).status).toBe(200);
    },
  );
});

test('asking for an unsubscribe link gives the same answer for every e-mail, also twice', async () => {
  const { body: user } = await register(hub);
  const answers = [];
  for (const email of [user.email, user.email, freshEmail()]) {
    hub.takeCalls();
    answers.push((await hub.call('GET /remove_subscription', { query: { email } })).text);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
  }
  expect(new Set(answers).size).toBe(1);
  expect((await login(hub, user.email, PASSWORD)).status).toBe(200);
});
