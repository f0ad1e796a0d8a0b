import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import {
  bearer,
  freshEmail,
  furnish,
  outbox,
  PASSWORD,
  register,
  sentCode,
  signUp,
} from '../../support/people.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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

let addresses = 0;
const freshAddress = (): string => `203.0.113.${++addresses}`;
let numbers = 0;
/** Returns a valid phone number that no other test uses. */
const freshPhone = (): string => `+1415555${String(2000 + ++numbers)}`;

interface From {
  readonly sourceIp?: string;
  readonly cookies?: readonly string[];
  readonly headers?: Record<string, string>;
}

const deviceOf = ({ cookies }: Response): string[] =>
  cookies.flatMap((cookie) => (cookie.startsWith('__Host-device=') ? [cookie.split(';')[0] ?? ''] : []));

const wrong = (code: string | undefined): string => String(((Number(code) - 99_999) % 900_000) + 100_000);

describe('a code for a password', () => {
  const ask = (email: string, from: From = {}) =>
    hub.call('POST /send_otp_password_reset', { query: { email }, ...from });
  const reset = (email: string, otp: string | undefined, from: From = {}) =>
    hub.call('POST /reset_password', {
      query: { email, new_password: 'a new password', otp: otp ?? 'none' },
      ...from,
    });
  const guess = async (email: string, times: number, from: From): Promise<void> => {
    const code = await sentCode(hub, email);
    for (let n = 0; n < times; n++) expect((await reset(email, wrong(code), from)).status).toBe(401);
  };

  test('keeps the tries of its requester, although others guess', async () => {
    const { body } = await register(hub);
    const me = { sourceIp: freshAddress() };
    await ask(body.email, me);
    const code = await sentCode(hub, body.email);
    for (let n = 0; n < 3; n++) await guess(body.email, 10, { sourceIp: freshAddress() });
    expect((await reset(body.email, code, { sourceIp: freshAddress() })).status).toBe(401);
    expect((await reset(body.email, code, me)).status).toBe(200);
  });

  test('keeps five tries for a device that has signed in before', async () => {
    const signedIn = await signUp(hub);
    const { email } = signedIn.body;
    const device = { cookies: deviceOf(signedIn), sourceIp: freshAddress() };
    await ask(email, { sourceIp: freshAddress() });
    const code = await sentCode(hub, email);
    await guess(email, 10, { sourceIp: freshAddress() });
    await guess(email, 4, device);
    expect((await reset(email, code, device)).status).toBe(200);
  });

  test('has five tries in all for others than its requester', async () => {
    const { body } = await register(hub);
    await ask(body.email, { sourceIp: freshAddress() });
    const code = await sentCode(hub, body.email);
    await guess(body.email, 4, { sourceIp: freshAddress() });
    expect((await reset(body.email, code, { sourceIp: freshAddress() })).status).toBe(200);
  });

  test('ends for its requester after five wrong guesses, although it is sent again', async () => {
    const { body } = await register(hub);
    const me = { sourceIp: freshAddress() };
    // Guesses before the request count, too.
    await ask(body.email, { sourceIp: freshAddress() });
    const code = await sentCode(hub, body.email);
    await guess(body.email, 3, me);
    for (let n = 0; n < 4; n++) {
      expect((await ask(body.email, me)).status).toBe(200);
      expect(await sentCode(hub, body.email)).toBe(code);
      if (n === 0) await guess(body.email, 2, me);
      expect((await reset(body.email, code, me)).status).toBe(401);
      hub.advance(31 * SECOND);
    }
  });

  test('that was replaced has no further tries', async () => {
    const { body } = await register(hub);
    const me = { sourceIp: freshAddress() };
    for (let n = 0; n < 4; n++) {
      await ask(body.email, me);
      hub.advance(9 * MINUTE);
    }
    const before = await sentCode(hub, body.email);
    await guess(body.email, 5, me);
    await ask(body.email, me);
    const after = await sentCode(hub, body.email);
    expect(after).not.toBe(before);
    expect((await reset(body.email, before, me)).status).toBe(401);
    expect((await reset(body.email, after, me)).status).toBe(200);
  });

  test('stays valid when another caller requests one', async () => {
    const { body } = await register(hub);
    const me = { sourceIp: freshAddress() };
    await ask(body.email, me);
    const code = await sentCode(hub, body.email);
    const stranger = { sourceIp: freshAddress() };
    for (let n = 0; n < 5; n++) {
      expect((await ask(body.email, stranger)).status).toBe(200);
      await guess(body.email, 5, stranger);
      hub.advance(31 * SECOND);
    }
    expect((await reset(body.email, code, me)).status).toBe(200);
  });

  test('is a new one after half an hour, and the previous one stays valid until it expires', async () => {
    const { body } = await register(hub);
    const me = { sourceIp: freshAddress() };
    const codes = new Set<string | undefined>();
    for (let n = 0; n < 5; n++) {
      expect((await ask(body.email, me)).status).toBe(200);
      codes.add(await sentCode(hub, body.email));
      hub.advance(8 * MINUTE);
    }
    expect(codes.size).toBe(2);
    const [before] = codes;
    const other = { sourceIp: freshAddress() };
    await ask(body.email, other);
    expect((await reset(body.email, before, me)).status).toBe(401);
    expect((await reset(body.email, [...codes][1], me)).status).toBe(200);
  });

  test('that was replaced is valid until it expires, and used up with the new one', async () => {
    const { body } = await register(hub);
    const me = { sourceIp: freshAddress() };
    for (let n = 0; n < 4; n++) {
      await ask(body.email, me);
      hub.advance(9 * MINUTE);
    }
    const before = await sentCode(hub, body.email);
    await ask(body.email, { sourceIp: freshAddress() });
    const after = await sentCode(hub, body.email);
    expect(after).not.toBe(before);
    expect((await reset(body.email, before, me)).status).toBe(200);
    expect((await reset(body.email, after, me)).status).toBe(401);
  });

  test('can be requested after others have used up their budget', async () => {
    const signedIn = await signUp(hub);
    const { email } = signedIn.body;
    const from = { sourceIp: freshAddress() };
    for (let n = 0; n < 5; n++) {
      expect((await ask(email, from)).status).toBe(200);
      hub.advance(31 * SECOND);
    }
    expect((await ask(email, from)).status).toBe(429);
    for (let n = 0; n < 5; n++) expect((await ask(email, { sourceIp: freshAddress() })).status).toBe(200);
    // Ten in an hour for all others, so a mailbox is not flooded from many addresses.
    const stopped = await ask(email, { sourceIp: freshAddress() });
    expect([stopped.status, stopped.body.code]).toEqual([429, 'too_many_codes']);
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await ask(email, { cookies: deviceOf(signedIn) })).status).toBe(200);
    hub.advance(HOUR);
    expect((await ask(email, from)).status).toBe(200);
  });

  test('can be requested thirty times an hour from an address, for any e-mails', async () => {
    const from = { sourceIp: freshAddress() };
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(freshEmail(), from)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect((await ask(freshEmail(), { sourceIp: freshAddress() })).status).toBe(200);
  });

  test('makes the same calls and answers for an unknown e-mail, also the second time', async () => {
    const { body } = await register(hub);
    const nobody = freshEmail();
    const seen = async (email: string) => {
      const from = { sourceIp: freshAddress() };
      const said: unknown[] = [];
      hub.takeCalls();
      for (let n = 0; n < 2; n++) {
        const { status, text } = await ask(email, from);
        said.push(status, text, hub.takeCalls());
        const { text: refused } = await reset(email, '123', from);
        said.push(refused, hub.takeCalls());
        hub.advance(31 * SECOND);
      }
      return said;
    };
    expect(await seen(nobody)).toEqual(await seen(body.email));
  });
});

describe('a code for a phone', () => {
  const ask = (email: string, phone: string, from: From = {}) =>
    hub.call('POST /send_sms_otp', { query: { ph_number: phone, email, cf_token: 'solved' }, ...from });
  const validate = (email: string, otp: string | undefined, from: From = {}) =>
    hub.call('POST /validate_sms_otp', { query: { email, otp: otp ?? 'none' }, ...from });
  const messagesTo = async (phone: string): Promise<number> =>
    (await outbox(hub)).filter(({ message }) => message?.kind === 'code_sms' && message.to === phone).length;

  const withPhone = async (): Promise<{ email: string; phone: string; headers: Record<string, string> }> => {
    const phone = freshPhone();
    const { body } = await signUp(hub, { ph_number: phone });
    return { email: body.email, phone, headers: bearer(body.access_token) };
  };
  const verified = async () => {
    const person = await withPhone();
    const { email, phone, headers } = person;
    await ask(email, phone, { headers, sourceIp: freshAddress() });
    expect((await validate(email, await sentCode(hub, email, 'phone'))).status).toBe(200);
    hub.advance(HOUR);
    return person;
  };

  test('is not sent to an unverified number without a session, and the answer does not show that', async () => {
    const { email, phone } = await withPhone();
    const from = { sourceIp: freshAddress() };
    hub.takeCalls();
    const known = await ask(email, phone, from);
    const calls = hub.takeCalls();
    const unknown = await ask(freshEmail(), phone, from);
    expect(hub.takeCalls()).toEqual(calls);
    expect(calls).toEqual(['BatchGetItem', 'GetItem', 'TransactWriteItems']);
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    expect(known.body.detail).toContain('needs the session');
    expect(await messagesTo(phone)).toBe(0);
  });

  test('is sent without a session to the number that was verified', async () => {
    const { email, phone } = await verified();
    const before = await messagesTo(phone);
    await ask(email, phone, { sourceIp: freshAddress() });
    expect(await messagesTo(phone)).toBe(before + 1);
  });

  test('is not sent for the session of another user, nor for a platform token', async () => {
    const { email, phone, headers } = await withPhone();
    const stranger = await withPhone();
    const { body: me } = await hub.call('POST /verify_user', { headers });
    const { body } = await hub.call('POST /generate_token', { query: { user_id: me.user_id }, headers });
    for (const token of [stranger.headers, bearer(body.token)]) {
      await ask(email, phone, { headers: token, sourceIp: freshAddress() });
    }
    expect(await messagesTo(phone)).toBe(0);
  });

  test('stays valid, with its tries, although others request and guess', async () => {
    const { email, phone, headers } = await withPhone();
    await ask(email, phone, { headers });
    const code = await sentCode(hub, email, 'phone');
    const from = { sourceIp: freshAddress() };
    for (const number of [phone, freshPhone(), freshPhone()]) {
      await ask(email, number, from);
      for (let n = 0; n < 6; n++) await validate(email, wrong(code), from);
      hub.advance(31 * SECOND);
    }
    expect((await validate(email, code, { headers, sourceIp: freshAddress() })).status).toBe(200);
  });

  test('verifies the number that it was sent to, not one that was requested later', async () => {
    const { email, phone, headers } = await withPhone();
    await ask(email, phone, { headers });
    const first = await sentCode(hub, email, 'phone');
    hub.advance(31 * SECOND);
    await ask(email, freshPhone(), { headers });
    expect((await validate(email, first, { headers })).body).toEqual({ ph_verified: true, ph_number: phone });
  });

  test('goes to a number five times an hour, from any number of accounts and addresses', async () => {
    const phone = freshPhone();
    const answers: Response[] = [];
    for (let n = 0; n < 7; n++) {
      const { body } = await signUp(hub);
      answers.push(
        await ask(body.email, phone, { headers: bearer(body.access_token), sourceIp: freshAddress() }),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await messagesTo(phone)).toBe(5);
  });

  test('goes to its owner, after others have used up their budget for the number', async () => {
    const { email, phone } = await verified();
    for (let n = 0; n < 6; n++) {
      const { body } = await signUp(hub);
      await ask(body.email, phone, { headers: bearer(body.access_token), sourceIp: freshAddress() });
      await ask(email, phone, { sourceIp: freshAddress() });
    }
    const before = await messagesTo(phone);
    const { body: session } = await hub.call('POST /login', {
      form: { username: email, password: PASSWORD },
      sourceIp: freshAddress(),
    });
    const asked = await ask(email, phone, {
      headers: bearer(session.access_token),
      sourceIp: freshAddress(),
    });
    expect(asked.status).toBe(200);
    expect(await messagesTo(phone)).toBe(before + 1);
  });

  test('without a session is answered alike if the number has received too many', async () => {
    const { email, phone } = await verified();
    const before = await messagesTo(phone);
    const seen = async (of: string) => {
      const said: unknown[] = [];
      for (let n = 0; n < 7; n++) {
        const { status, text } = await ask(of, phone, { sourceIp: freshAddress() });
        said.push(status, text);
      }
      return said;
    };
    expect(await seen(email)).toEqual(await seen(freshEmail()));
    expect(await messagesTo(phone)).toBe(before + 5);
  });

  test('can be requested twenty times an hour from an address, sent or not', async () => {
    const from = { sourceIp: freshAddress() };
    const answers: number[] = [];
    for (let n = 0; n < 22; n++) answers.push((await ask(freshEmail(), freshPhone(), from)).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(20);
    expect(answers.slice(20)).toEqual([429, 429]);
  });

  test('is refused with the cookie of a foreign page, for any e-mail', async () => {
    const { cookies, body } = await signUp(hub);
    const session = cookies.flatMap((one) =>
      one.startsWith('__Host-session=') ? [one.split(';')[0] ?? ''] : [],
    );
    const headers = { origin: 'https://evil.example' };
    for (const email of [body.email, freshEmail()]) {
      const { status, body: refused } = await ask(email, freshPhone(), { cookies: session, headers });
      expect([status, refused.code]).toEqual([403, 'cross_site_refused']);
    }
  });
});
