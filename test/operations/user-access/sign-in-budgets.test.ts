import { describe, expect, test } from '@jest/globals';
import { networkOf } from '../../../shared/api/caller-network.ts';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { BROKER, freshEmail, furnish, PASSWORD, register, sentCode } from '../../support/people.ts';
import { soakable } from '../../support/soak.ts';

const QUARTER = 15 * 60_000;

const hub = await openHub(furnish);

let networks = 0;
/** Returns an address that no other test uses. */
const freshAddress = (): string => `198.51.${100 + Math.floor(++networks / 250)}.${networks % 250}`;

interface From {
  readonly sourceIp?: string;
  readonly device?: string | undefined;
}

const signIn = (
  email: string,
  password = PASSWORD,
  { sourceIp = freshAddress(), device }: From = {},
): Promise<Response> =>
  hub.call('POST /login', {
    form: { username: email, password },
    sourceIp,
    ...(device !== undefined && { cookies: [device] }),
  });

const deviceOf = ({ cookies }: Response): string =>
  cookies.find((cookie) => cookie.startsWith('__Host-device='))?.split(';')[0] ?? '';

const owner = async (): Promise<{ email: string; device: string }> => {
  const { body } = await register(hub);
  return { email: body.email, device: deviceOf(await signIn(body.email)) };
};

/** Uses up the budget of an e-mail from an unknown device. */
const lockOut = async (email: string): Promise<void> => {
  for (let n = 0; n < 5; n++) expect((await signIn(email, `guess ${n}`)).status).toBe(401);
  expect((await signIn(email)).status).toBe(429);
};

describe('a device that has signed in before', () => {
  test('is recognized by an HttpOnly cookie that does not name the user', async () => {
    const { body } = await register(hub);
    const { cookies } = await signIn(body.email);
    const cookie = cookies.find((one) => one.startsWith('__Host-device='));
    expect(cookie).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    for (const secret of [body.email, body.user_id]) expect(cookie).not.toContain(secret);
  });

  test('signs in while wrong passwords of others block all other devices', async () => {
    const { email, device } = await owner();
    await lockOut(email);
    hub.takeCalls();
    expect((await signIn(email, PASSWORD, { device })).status).toBe(200);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'GetItem', 'TransactWriteItems']);
    expect((await signIn(email)).status).toBe(429);
  });

  test('has its own five wrong passwords, separate from other devices', async () => {
    const { email, device } = await owner();
    const other = deviceOf(await signIn(email));
    for (let n = 0; n < 5; n++) expect((await signIn(email, 'typo', { device })).status).toBe(401);
    const stopped = await signIn(email, PASSWORD, { device });
    expect([stopped.status, stopped.body.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(stopped.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect((await signIn(email, PASSWORD, { device: other })).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    hub.advance(QUARTER);
    expect((await signIn(email, PASSWORD, { device })).status).toBe(200);
  });

  test('has five again after a right one', async () => {
    const { email, device } = await owner();
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) await signIn(email, 'typo', { device });
      expect((await signIn(email, PASSWORD, { device })).status).toBe(200);
    }
  });

  test('checks at most five of many parallel passwords', async () => {
    const guesses = soakable(20, 60);
    const { email, device } = await owner();
    const answers = await Promise.all(
      Array.from({ length: guesses }, (_, n) => signIn(email, `guess ${n}`, { device })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(guesses - 5);
  });

  test('stays known for several accounts', async () => {
    const [one, other] = [await owner(), await owner()];
    const both = deviceOf(await signIn(other.email, PASSWORD, { device: one.device }));
    for (const { email } of [one, other]) {
      await lockOut(email);
      expect((await signIn(email, PASSWORD, { device: both })).status).toBe(200);
    }
  });

  test('is not recognized by a cookie of another account, a changed one, or one of other keys', async () => {
    const { email, device } = await owner();
    const { device: others } = await owner();
    await lockOut(email);
    const [name = '', value = ''] = device.split('=');
    const [id = '', proof = ''] = value.split('.');
    const [day = '', mac = ''] = proof.split('-');
    const forged = [
      others,
      `${name}=${others.split('=')[1]?.split('.')[0]}.${proof}`,
      `${name}=${id}.${day}-${mac.slice(0, -2)}AA`,
      `${name}=${id}.${Number(day) + 1}-${mac}`,
      `${name}=${id}`,
      `${name}=`,
      `device=${value}`,
    ];
    for (const cookie of forged) expect((await signIn(email, PASSWORD, { device: cookie })).status).toBe(429);
    const elsewhere = await hub
      .rotated(['another master secret, 32 bytes long!'])
      .call('POST /login', { form: { username: email, password: PASSWORD }, cookies: [device] });
    expect(elsewhere.status).toBe(429);
  });

  test('is forgotten with a reset of the password', async () => {
    const { email, device } = await owner();
    await hub.call('POST /send_otp_password_reset', { query: { email } });
    const otp = (await sentCode(hub, email)) ?? '';
    const query = { email, new_password: 'quite another one', otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    for (let n = 0; n < 5; n++) await signIn(email, 'wrong', { device });
    expect((await signIn(email, 'quite another one')).status).toBe(429);
  });
});

describe('a network', () => {
  const exhaust = async (sourceIp: string): Promise<Response[]> => {
    const answers = [];
    for (let n = 0; n < 50; n++) answers.push(await signIn(freshEmail(), 'guess', { sourceIp }));
    return answers;
  };

  test('has fifty wrong passwords in a quarter of an hour, for any e-mails', async () => {
    const sourceIp = freshAddress();
    const { email, device } = await owner();
    const answers = await exhaust(sourceIp);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    for (const address of [email, freshEmail()]) {
      const stopped = await signIn(address, PASSWORD, { sourceIp });
      expect([stopped.status, stopped.body.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(stopped.headers['retry-after'])).toBeLessThanOrEqual(900);
    }
    expect((await signIn(email, PASSWORD, { sourceIp, device })).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    hub.advance(QUARTER);
    expect((await signIn(email, PASSWORD, { sourceIp })).status).toBe(200);
  });

  test('gets at most fifty answers to more parallel guesses', async () => {
    const guesses = soakable(65, 120);
    const sourceIp = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: guesses }, () => signIn(freshEmail(), 'guess', { sourceIp })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(50);
  });

  test('gets no budget back for a right password', async () => {
    const sourceIp = freshAddress();
    const { email } = await owner();
    for (let n = 0; n < 50; n++) {
      await signIn(freshEmail(), 'guess', { sourceIp });
      if (n % 10 === 0) expect((await signIn(email, PASSWORD, { sourceIp })).status).toBe(200);
    }
    expect((await signIn(email, PASSWORD, { sourceIp })).status).toBe(429);
  });

  test('is the /64 of an IPv6 address', async () => {
    await exhaust('2001:db8:1:2::1');
    const { email } = await owner();
    const from = async (sourceIp: string) => (await signIn(email, PASSWORD, { sourceIp })).status;
    expect(await from('2001:db8:1:2:ffff::9')).toBe(429);
    expect(await from('2001:db8:1:3::1')).toBe(200);
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:0db8:0001:0002:0003:0004:0005:0006', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('is stored as a keyed hash that expires', async () => {
    const sourceIp = '203.0.113.77';
    await signIn(freshEmail(), 'guess', { sourceIp });
    const table = await hub.tableText();
    expect(table).toContain('"pk":{"S":"BUDGET#');
    expect(table).not.toContain(sourceIp);
  });
});

describe('every check of a password', () => {
  const byBroker = (email: string, password: string, domain = BROKER.subdomain) =>
    hub.call('POST /login_user_broker', {
      query: { email, password, broker_domain: domain },
      sourceIp: freshAddress(),
    });
  const byRegistering = (email: string, password: string) =>
    hub.call('POST /register_login', { form: { email, password }, sourceIp: freshAddress() });

  test('uses one budget of the e-mail', async () => {
    const { body } = await register(hub, { broker_domain: BROKER.subdomain });
    const wrong = [
      await signIn(body.email, 'wrong'),
      await byBroker(body.email, 'wrong'),
      await byRegistering(body.email, 'wrong password'),
      await signIn(body.email, 'wrong'),
      // The right password, but of a user of another broker: answered like a wrong one.
      await byBroker(body.email, PASSWORD, 'elsewhere'),
    ];
    expect(wrong.map(({ status, text }) => [status, text])).toEqual(wrong.map(() => [401, wrong[0]?.text]));
    for (const answer of [
      await signIn(body.email),
      await byBroker(body.email, PASSWORD),
      await byRegistering(body.email, PASSWORD),
    ]) {
      expect(answer.status).toBe(429);
    }
  });

  test('does not block registrations from the same address', async () => {
    const sourceIp = freshAddress();
    for (let n = 0; n < 50; n++) await signIn(freshEmail(), 'wrong', { sourceIp });
    expect((await signIn(freshEmail(), 'wrong', { sourceIp })).status).toBe(429);
    const form = { email: freshEmail(), password: PASSWORD };
    const registered = await hub.call('POST /register_login', { form, sourceIp });
    expect(registered).toMatchObject({ status: 200, body: { is_new_user: true } });
    expect((await hub.call('POST /register_login', { form, sourceIp })).status).toBe(429);
  });

  test('makes the same calls for known and unknown e-mails, right and wrong passwords', async () => {
    const { body } = await register(hub, { broker_domain: BROKER.subdomain });
    const attempts = [
      () => signIn(body.email),
      () => signIn(body.email, 'wrong'),
      () => signIn(freshEmail(), 'wrong'),
      () => byBroker(body.email, PASSWORD),
      () => byBroker(body.email, PASSWORD, 'elsewhere'),
      () => byBroker(freshEmail(), PASSWORD),
    ];
    for (const attempt of attempts) {
      hub.takeCalls();
      await attempt();
      expect(hub.takeCalls()).toEqual(['BatchGetItem', 'GetItem', 'TransactWriteItems']);
    }
  });

  test('with an unknown e-mail does not prevent its registration', async () => {
    const email = freshEmail();
    await lockOut(email);
    const { status, body } = await byRegistering(email, PASSWORD);
    expect([status, body.is_new_user]).toEqual([200, true]);
    expect((await signIn(email)).status).toBe(200);
  });
});
