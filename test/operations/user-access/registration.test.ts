import { describe, expect, test } from '@jest/globals';
import { approvedBroker, broker, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  BROKER,
  CLIENT_KEY,
  freshEmail,
  furnish,
  login,
  PASSWORD,
  register,
  registerUnproven,
  sentCode,
} from '../../support/people.ts';

const hub = await openHub(furnish);

/** Matches the name of a user who gave none. It holds nothing of the e-mail. */
const NEUTRAL = expect.stringMatching(/^Trader [1-9]\d{3}$/);

describe('registering a user', () => {
  test('returns the user without a session, under fresh identifiers', async () => {
    const email = freshEmail();
    const { status, body, cookies } = await register(hub, { email, name: '  Ada Lovelace ' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email,
      name: 'Ada Lovelace',
      email_verified: false,
      ph_verified: false,
      brokers: [],
      subscription: { plan: 'free', status: 'active', deploy_limit: 5, deploy_used: 0 },
    });
    expect(Buffer.from(body.user_id, 'base64url')).toHaveLength(16);
    expect(body.user_key).not.toContain(body.user_id);
    expect(cookies).toEqual([]);
    expect(body).not.toHaveProperty('access_token');
  });

  test('takes at most four calls', async () => {
    hub.takeCalls();
    await registerUnproven(hub, { broker_domain: BROKER.subdomain });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(4);
  });

  test('needs the key of a client application, and writes nothing without it', async () => {
    const email = freshEmail();
    const json = { email, password: PASSWORD, name: 'Ada' };
    const refused = await hub.call('POST /register_user', { query: { auth: `${CLIENT_KEY}x` }, json });
    expect([refused.status, refused.body.code]).toEqual([401, 'client_key_invalid']);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    expect((await login(hub, email)).status).toBe(401);
  });

  test.each([
    [{ email: 'nobody' }, ['body', 'email'], 'value_error.email'],
    [{ password: 'short' }, ['body', 'password'], 'value_error.any_str.min_length'],
    [{ name: 'a\u0000b' }, ['body', 'name'], 'value_error.control_characters'],
    [{ name: '   ' }, ['body', 'name'], 'value_error.any_str.min_length'],
    [{ ph_number: '12345' }, ['body', 'ph_number'], 'value_error.phone_number'],
    [{ ph_number: '+1999' }, ['body', 'ph_number'], 'value_error.phone_number'],
    [{ referral_code: 'NOBODYS' }, ['body', 'referral_code'], 'value_error.referral_code'],
  ])('refuses %j with 422', async (fault, loc, type) => {
    const { status, body } = await register(hub, fault);
    expect(status).toBe(422);
    expect(body.detail).toHaveLength(1);
    expect(body.detail[0]).toMatchObject({ loc, type });
  });

  test.each([
    ['   ', 1],
    ['n'.repeat(101), 100],
    ['n'.repeat(401), 100],
    ['n'.repeat(5000), 100],
  ])('names the limit of the length of %j', async (name, limit_value) => {
    expect((await register(hub, { name })).body.detail).toMatchObject([{ ctx: { limit_value } }]);
  });

  test('refuses a broker that does not exist', async () => {
    const { status, body } = await register(hub, { broker_domain: 'nowhere' });
    expect([status, body.code]).toEqual([404, 'broker_unknown']);
  });

  test('recognizes an e-mail in any case and Unicode spelling', async () => {
    const email = freshEmail();
    await register(hub, { email });
    const again = await register(hub, { email: email.toUpperCase() });
    expect([again.status, again.body.code]).toEqual([409, 'email_taken']);
    expect((await login(hub, `  ${email.toUpperCase()} `)).status).toBe(200);
  });

  test.each([' ', '\t', '\u00a0', '\n '])(
    'takes an e-mail with %j around it, as signing in does',
    async (blank) => {
      const email = freshEmail();
      const given = `${blank}${email}${blank}`;
      expect((await register(hub, { email: given })).body).toMatchObject({ email });
      expect(await login(hub, given)).toMatchObject({ status: 200, body: { email } });
      expect((await register(hub, { email })).body.code).toBe('email_taken');
      const other = freshEmail();
      const form = { email: `${blank}${other}${blank}`, password: PASSWORD };
      const entered = await hub.call('POST /register_login', { form });
      expect(entered.body).toMatchObject({ email: other, name: NEUTRAL, is_new_user: true });
      const linked = await hub.call('POST /register_user_broker', {
        form: {
          email: `${blank}${freshEmail()}${blank}`,
          password: PASSWORD,
          broker_domain: BROKER.subdomain,
        },
      });
      expect(linked.status).toBe(200);
    },
  );

  test('takes an address of RFC 5321, and both spellings of its domain as one', async () => {
    const local = `O'Brien.${freshEmail().split('@')[0]}+tag!x`;
    const [unicode, ascii] = [`${local}@Bücher.example`, `${local}@xn--bcher-kva.example`.toLowerCase()];
    expect((await register(hub, { email: unicode })).body).toMatchObject({ email: ascii });
    expect((await register(hub, { email: ascii })).body.code).toBe('email_taken');
    for (const email of [unicode, ascii, unicode.toUpperCase()]) {
      expect(await login(hub, email)).toMatchObject({ status: 200, body: { email: ascii } });
    }
    await hub.call('POST /send_otp_password_reset', { query: { email: unicode } });
    const otp = (await sentCode(hub, ascii)) ?? '';
    const query = { email: ascii, new_password: 'another password', otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    expect((await login(hub, unicode, 'another password')).status).toBe(200);
  });

  test('refuses names that hide characters, mix look-alike letters, or are reserved', async () => {
    for (const name of ['Ada\u200b', 'A\u200eda', 'Аdа', 'Support', 'SUPP0RT', 'Strategy Hub', 'Partner A']) {
      const { status, body } = await register(hub, { name });
      expect([name, status, body.detail?.[0]]).toEqual([
        name,
        422,
        { loc: ['body', 'name'], msg: expect.any(String), type: 'value_error.name' },
      ]);
    }
    expect(await register(hub, { name: 'Иван Петров' })).toMatchObject({ status: 200 });
  });

  test('derives no name from an e-mail', async () => {
    const form = { email: 'support@names.example', password: PASSWORD };
    expect((await hub.call('POST /register_login', { form })).body.name).toEqual(NEUTRAL);
  });

  test.each(['', ' ', '\u00a0', 'a b@example.com'])('refuses %j as an e-mail', async (email) => {
    expect(await register(hub, { email })).toMatchObject({ status: 422 });
  });

  test('of one e-mail at the same instant succeeds once', async () => {
    const email = freshEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(hub, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  test('counts users who register with a referral code', async () => {
    const { body: referrer } = await register(hub);
    const referred = await register(hub, { referral_code: referrer.referral_code.toLowerCase() });
    expect(referred.status).toBe(200);
  });
});

describe('registering and signing in at once', () => {
  const registerLogin = (form: Record<string, string>) => hub.call('POST /register_login', { form });

  test('creates a new user with a session, then signs the same user in', async () => {
    const email = freshEmail();
    const first = await registerLogin({ email, password: PASSWORD });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ is_new_user: true, token_type: 'bearer', name: NEUTRAL });
    const second = await registerLogin({ email, password: PASSWORD });
    expect(second.body).toMatchObject({ is_new_user: false, user_id: first.body.user_id });
    for (const { body } of [first, second]) {
      const verified = await hub.call('POST /verify_session', {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      expect(verified.status).toBe(200);
    }
  });

  test('registers once and signs the others in, of requests at the same instant', async () => {
    const form = { email: freshEmail(), password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 6 }, () => registerLogin(form)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(answers.filter(({ body }) => body.is_new_user)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.user_id)).size).toBe(1);
    const wrong = { ...form, email: freshEmail() };
    const mixed = await Promise.all([
      registerLogin(wrong),
      registerLogin({ ...wrong, password: 'another password' }),
    ]);
    expect(mixed.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('refuses another password', async () => {
    const email = freshEmail();
    await registerLogin({ email, password: PASSWORD });
    const { status, body } = await registerLogin({ email, password: 'another password' });
    expect([status, body.code]).toEqual([401, 'credentials_invalid']);
  });

  test('takes at most four calls, new or known', async () => {
    const form = { email: freshEmail(), password: PASSWORD, broker_domain: BROKER.subdomain };
    for (const _ of [1, 2]) {
      hub.takeCalls();
      await registerLogin(form);
      expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    }
  });
});

describe('users of a white-label broker', () => {
  const form = () => ({ email: freshEmail(), password: PASSWORD, broker_domain: 'NORTH', account_id: 'A-1' });
  const signIn = (email: string, broker_domain: string, password = PASSWORD) =>
    hub.call('POST /login_user_broker', { query: { email, password, broker_domain } });

  test('register with the broker and sign in under its domain', async () => {
    const person = form();
    const registered = await hub.call('POST /register_user_broker', { form: person });
    expect(registered.status).toBe(200);
    expect(registered.body).toMatchObject({
      broker_id: BROKER.broker_id,
      brokers: [{ broker_id: BROKER.broker_id, name: BROKER.name, connected: true, account_id: 'A-1' }],
    });
    hub.takeCalls();
    const signedIn = await signIn(person.email, BROKER.subdomain);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(signedIn.body.user_id).toBe(registered.body.user_id);
  });

  test('are not users of another broker, and get the same answer as unknown users', async () => {
    const { body: stranger } = await register(hub);
    const answers = await Promise.all([
      signIn(stranger.email, BROKER.subdomain),
      signIn(freshEmail(), BROKER.subdomain),
      signIn(stranger.email, BROKER.subdomain, 'wrong password'),
    ]);
    const [first] = answers.map(({ status, text }) => ({ status, text }));
    expect(first?.status).toBe(401);
    for (const { status, text } of answers) expect({ status, text }).toEqual(first);
  });
});

describe('the registrations of a network', () => {
  const sourceIp = '198.51.100.9';
  const enter = (more: Parameters<typeof hub.call>[1] = {}) =>
    hub.call('POST /register_login', {
      form: { email: freshEmail(), password: PASSWORD },
      sourceIp,
      ...more,
    });
  const accounts = async (count: number, ask: (index: number) => Promise<Response>): Promise<number> => {
    let made = 0;
    for (let index = 0; index < count; index += 1) if ((await ask(index)).status === 200) made += 1;
    return made;
  };

  test('are 100 an hour, from all its addresses', async () => {
    const made = await accounts(110, (index) => enter({ sourceIp: `198.51.100.${index}` }));
    expect(made).toBe(100);
    const refused = await enter();
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3600);
    // Other networks, this machine and who has an account are not held up.
    expect((await enter({ sourceIp: '203.0.113.9' })).status).toBe(200);
    expect((await enter({ sourceIp: '127.0.0.1' })).status).toBe(200);
    const email = freshEmail();
    await register(hub, { email });
    expect((await login(hub, email)).status).toBe(200);
    expect((await enter({ form: { email, password: PASSWORD } })).status).toBe(200);
    // Client applications vouch for theirs.
    const json = { email: freshEmail(), password: PASSWORD, name: 'Ada' };
    const vouched = await hub.call('POST /register_user', { query: { auth: CLIENT_KEY }, json, sourceIp });
    expect(vouched.status).toBe(200);
  });

  test('count for an approved broker whose token they carry, as many as its back end makes', async () => {
    const [approved, selfMade] = [await approvedBroker(hub), await broker(hub)];
    const made = await accounts(120, async (index) => {
      const partner_token = await tokenOf(hub, approved, `MANY-${index}`);
      return registerAtBroker(hub, approved.subdomain, { partner_token }, '192.0.2.77');
    });
    expect(made).toBe(120);
    // Nobody vouches for a broker that made itself, nor for an account without a token.
    const own = await accounts(101, async (index) => {
      const form = index % 2 === 0 ? {} : { partner_token: await tokenOf(hub, selfMade, `OWN-${index}`) };
      return registerAtBroker(hub, selfMade.subdomain, form, '192.0.2.78');
    });
    expect(own).toBe(100);
  });
});
