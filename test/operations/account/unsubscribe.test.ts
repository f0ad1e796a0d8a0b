import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { KeyRing } from '../../../shared/auth/key-ring.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { PREFERENCE_GROUPS } from '../../../shared/domain/deployments/notification-preferences.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, outbox, PASSWORD, register } from '../../support/people.ts';
import { registerDevice, signal } from '../../support/push.ts';
import { deliverMails, headerOf, type SentMail, startSes, waitingMails } from '../../support/ses.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import type { Upstream } from '../../support/upstream.ts';

const hub = await openHub(furnishWithInstruments);
const environment = { ...process.env };
let ses: Upstream;

interface Person {
  readonly user_id: string;
  readonly email: string;
  readonly deployment_id: number;
}
let owner: Person;

const newOwner = async (): Promise<Person> => {
  const { user_id, email } = (await register(hub)).body;
  const { keygen } = (await build(hub, { user_id, symbol: 'AAPL' })).body;
  const { body } = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen },
    form: { channels: 'email' },
  });
  return { user_id, email, deployment_id: body.deployment_id };
};

beforeAll(async () => {
  ses = await startSes();
});
beforeEach(async () => {
  hub.advance(1000);
  await deliverMails(hub, ses);
  owner = await newOwner();
  await deliverMails(hub, ses);
});
afterAll(async () => {
  process.env = environment;
  await ses.close();
});

/** Raises a signal of a deployment, and returns the mails that left. */
const signalMails = async ({ deployment_id }: Person, title: string): Promise<SentMail[]> => {
  hub.advance(1000);
  await signal(hub, deployment_id, { title });
  return deliverMails(hub, ses);
};

/** Returns the unsubscribe link of a mail. */
const linkOf = (mail: SentMail | undefined): URL =>
  new URL(/^<(https?:.+)>$/.exec((mail && headerOf(mail, 'List-Unsubscribe')) ?? '')?.[1] ?? '');

const signalLink = async (person = owner): Promise<URL> =>
  linkOf((await signalMails(person, `Buy ${hub.runtime.clock().getTime()}`))[0]);

const queryOf = (link: URL) => Object.fromEntries(link.searchParams);

/** Headers of a browser. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FORM = { 'List-Unsubscribe': 'One-Click' };
const click = (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  hub.call('POST /unsubscribe', { query, form: FORM, headers });

const mailGroups = async ({ user_id }: Person): Promise<string[]> => {
  const { body } = await hub.call('GET /get_notification_preferences', { query: { user_id } });
  return body.groups.flatMap(({ group, email }: { group: string; email: boolean }) => (email ? [group] : []));
};
const ALL = [...PREFERENCE_GROUPS];
const NO_SIGNALS = ALL.filter((group) => group !== 'signals');

const notices = async ({ user_id }: Person): Promise<{ kind: string; title: string; data: unknown }[]> =>
  (await hub.call('GET /get_deployment_notifications', { query: { user_id } })).body.items.filter(
    ({ kind }: { kind: string }) => kind === 'mail_ended',
  );

/** Sends the mail of a notification of a group. */
const mailOf = async (message: object): Promise<SentMail | undefined> => {
  const mail = {
    kind: 'notification_mail',
    to: owner.email,
    title: 'News',
    body: 'Text.',
    ...message,
  } as const;
  await hub.runtime.store.transact([
    outboxWrite(`mail-${hub.runtime.random(8).toString('hex')}`, mail, hub.runtime.clock()),
  ]);
  return (await deliverMails(hub, ses))[0];
};

describe('a mail', () => {
  test('of a notification has a link that stops its kind with one click, also in its text', async () => {
    const [mail] = await signalMails(owner, 'Buy');
    const link = linkOf(mail);
    expect(link.pathname).toBe('/unsubscribe');
    expect(queryOf(link)).toEqual({ token: expect.stringMatching(/^[\w-]{32}$/), group: 'signals' });
    expect(mail && headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(mail?.Content.Simple.Body.Text.Data).toContain(String(link));
    expect(JSON.stringify(mail)).not.toContain(owner.user_id);
  });

  test('has the same token each time, and another one for another user', async () => {
    const first = queryOf(await signalLink()).token;
    expect(queryOf(await signalLink()).token).toBe(first);
    expect(queryOf(await signalLink(await newOwner())).token).not.toBe(first);
  });

  test('has another token after a rotation of the keys, and the earlier one stays valid', async () => {
    const link = await signalLink();
    const { runtime } = hub;
    const keyRing = async () => new KeyRing(['another master secret of the service, for tests only']);
    hub.advance(1000);
    await signal(hub, owner.deployment_id, { title: 'Rotated' });
    const [mail] = await deliverMails({ ...hub, runtime: { ...runtime, keyRing } }, ses);
    const next = linkOf(mail);
    expect(next).not.toEqual(link);
    await click(queryOf(link));
    expect(await mailGroups(owner)).toEqual(NO_SIGNALS);
    await hub.call('POST /set_notification_preferences', {
      query: { user_id: owner.user_id },
      json: { groups: { signals: { email: true } } },
    });
    await click(queryOf(next));
    expect(await mailGroups(owner)).toEqual(NO_SIGNALS);
  });

  test('leaves no token in the table', async () => {
    const { token = '' } = queryOf(await signalLink());
    expect(await hub.tableText()).not.toContain(token);
  });

  test('has one token, although two mails make it at the same moment', async () => {
    await signal(hub, owner.deployment_id, { title: 'One' });
    hub.advance(1000);
    await signal(hub, owner.deployment_id, { title: 'Two' });
    const links = (await deliverMails(hub, ses)).map(linkOf);
    expect(links).toHaveLength(2);
    expect(links[0]).toEqual(links[1]);
    if (links[0]) await click(queryOf(links[0]));
    expect(await mailGroups(owner)).toEqual(NO_SIGNALS);
  });

  test.each(['signals', 'fills', 'orders', 'status', 'risk'])('about %s has the link', async (group) => {
    expect(queryOf(linkOf(await mailOf({ user_id: owner.user_id, group })))).toMatchObject({ group });
  });

  test.each([
    ['about security', () => ({ user_id: owner.user_id, group: 'security' })],
    ['without a group', () => ({})],
    ['of a group that this version does not know', () => ({ user_id: owner.user_id, group: 'social' })],
  ])('%s has none', async (_, message) => {
    const mail = await mailOf(message());
    expect(mail?.Content.Simple.Body.Text.Data).toBe('Text.');
    expect(mail?.Content.Simple.Headers.map(({ Name }) => Name)).toEqual(['X-Delivery-Id']);
  });

  test('with a code, and one about the deletion of the account, have none', async () => {
    await hub.call('POST /send_otp_password_reset', { query: { email: owner.email } });
    const { access_token } = (await login(hub, owner.email)).body;
    await hub.call('POST /delete_account', {
      headers: bearer(access_token),
      query: { user_id: owner.user_id },
      json: { email: owner.email, password: PASSWORD },
    });
    const mails = await deliverMails(hub, ses);
    expect(mails.length).toBeGreaterThan(0);
    for (const mail of mails) expect(headerOf(mail, 'List-Unsubscribe')).toBeUndefined();
  });
});

describe('a click', () => {
  test('stops the mails of the kind at once, also those that wait, and tells the owner in the app', async () => {
    const link = await signalLink();
    await signal(hub, owner.deployment_id, { title: 'Waits' });
    expect(await click(queryOf(link))).toMatchObject({ status: 200 });
    expect(await deliverMails(hub, ses)).toEqual([]);
    expect(await waitingMails(hub)).toEqual([]);
    expect(await signalMails(owner, 'Later')).toEqual([]);
    expect(await mailGroups(owner)).toEqual(NO_SIGNALS);
    expect(await notices(owner)).toMatchObject([
      { title: 'Mail about signals is switched off', data: { groups: ['signals'] } },
    ]);
  });

  test('is answered with a page in a browser, and with JSON elsewhere', async () => {
    const query = queryOf(await signalLink());
    expect((await click(query)).body).toEqual({ group: 'signals', unsubscribed: true });
    const { text, headers } = await click(query, BROWSER);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<h1>Mail about signals is stopped</h1>');
  });

  test('needs no session, and heeds neither cookies nor the origin of a mail service', async () => {
    const link = await signalLink();
    const headers = { origin: 'https://mail.example', cookie: 'session=expired' };
    expect((await click(queryOf(link), headers)).status).toBe(200);
    expect(await mailGroups(owner)).toEqual(NO_SIGNALS);
  });

  test('may send its form as multipart/form-data', async () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await hub.call('POST /unsubscribe', { query: queryOf(await signalLink()), body, headers });
    expect(answer.status).toBe(200);
    expect(await mailGroups(owner)).toEqual(NO_SIGNALS);
  });

  test('is answered alike when it is repeated, and for an unknown token', async () => {
    const { token = '', group = '' } = queryOf(await signalLink());
    const answers = [];
    for (const one of [token, token, `${token.slice(0, -1)}!`, owner.user_id, '', 'x'.repeat(5000)]) {
      hub.takeCalls();
      const { status, text, headers } = await click({ token: one, group }, BROWSER);
      answers.push({ status, text, type: headers['content-type'], calls: hub.takeCalls() });
    }
    expect(answers[0]?.calls).toEqual(['GetItem', 'BatchGetItem', 'TransactWriteItems']);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await notices(owner)).toHaveLength(1);
  });

  test('on the link of a mail of another group leaves risk warnings on', async () => {
    const { token = '' } = queryOf(await signalLink());
    const answer = await click({ token, group: 'risk' }, BROWSER);
    expect(answer.text).toBe((await click({ token: 'unknown', group: 'risk' }, BROWSER)).text);
    for (const group of ['fills', 'orders', 'status']) await click({ token, group });
    expect(await mailGroups(owner)).toEqual(ALL);
    expect(await notices(owner)).toEqual([]);
  });

  const pushed = async () =>
    (await outbox(hub)).flatMap(({ message }) =>
      message?.kind === 'notification_push' && message.user_id === owner.user_id ? [message.note.title] : [],
    );

  test('that stops risk warnings is pushed to the owner, as a forwarded warning holds the token', async () => {
    const [signals, risk] = [
      queryOf(await signalLink()),
      queryOf(linkOf(await mailOf({ user_id: owner.user_id, group: 'risk' }))),
    ];
    await registerDevice(hub, owner.user_id, 'phone');
    await click(signals);
    expect(await pushed()).toEqual([]);
    await click(risk);
    expect(await pushed()).toEqual(['Mail about risk warnings is switched off']);
  });

  test('does not reach another user, security, or anything else of the account', async () => {
    const other = await newOwner();
    const { token = '' } = queryOf(await signalLink(other));
    await click({ token, group: 'signals' });
    expect(await mailGroups(owner)).toEqual(ALL);
    expect((await click({ token, group: 'security' })).status).toBe(422);
    expect(await mailGroups(other)).toEqual(NO_SIGNALS);
    const query = { user_id: token };
    expect((await hub.call('GET /get_notification_preferences', { query })).status).toBe(404);
    expect((await hub.call('POST /verify_user', { headers: bearer(token) })).status).toBe(401);
  });

  test('is undone by the owner, and works again later', async () => {
    const link = await signalLink();
    await click(queryOf(link));
    await hub.call('POST /set_notification_preferences', {
      query: { user_id: owner.user_id },
      json: { groups: { signals: { email: true } } },
    });
    expect(await signalMails(owner, 'On again')).toHaveLength(1);
    await click(queryOf(link));
    expect(await signalMails(owner, 'Off again')).toEqual([]);
  });

  test('keeps the preferences of a newer version', async () => {
    const link = await signalLink();
    const newer = { rev: 3, groups: { social: { push: false }, signals: { watch: false } } };
    await hub.runtime.store.transact([
      { key: keys.user(owner.user_id), set: { notification_preferences: newer } },
    ]);
    await click(queryOf(link));
    const [item] = await hub.runtime.store.getMany([keys.user(owner.user_id)], { consistent: true });
    expect(item?.notification_preferences).toEqual({
      rev: 4,
      groups: { social: { push: false }, signals: { watch: false, email: false } },
    });
  });
});

describe('the page of the link', () => {
  const open = (query: Readonly<Record<string, string>>) =>
    hub.call('GET /unsubscribe', { query, headers: BROWSER });

  test('changes nothing, as programs that check mails open it', async () => {
    const link = await signalLink();
    expect((await open(queryOf(link))).status).toBe(200);
    expect(await mailGroups(owner)).toEqual(ALL);
    expect(await notices(owner)).toEqual([]);
  });

  test('posts by a form, without any code, and does not repeat the token', async () => {
    const { token = '', group = '' } = queryOf(await signalLink());
    const { text, headers } = await open({ token, group });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(text).toContain('<form method="post">');
    expect(text).not.toMatch(/<script|style=|\son\w+=/);
    expect(text).not.toContain(token);
    expect((await open({ token: 'unknown', group })).text).toBe(text);
  });
});

describe('/remove_subscription', () => {
  const remove = (email = owner.email, sourceIp = '203.0.113.76') =>
    hub.call('GET /remove_subscription', { query: { email }, sourceIp });

  test('mails a link that stops all mails but warnings of limits and security, and changes nothing itself', async () => {
    expect((await remove()).body).toMatchObject({ unsubscribed: false });
    expect(await mailGroups(owner)).toEqual(ALL);
    const [mail, ...more] = await deliverMails(hub, ses);
    expect(more).toEqual([]);
    expect(mail?.Destination.ToAddresses).toEqual([owner.email]);
    const link = linkOf(mail);
    expect(mail?.Content.Simple.Body.Text.Data).toContain(String(link));
    expect(await notices(owner)).toEqual([]);
    expect((await click(queryOf(link))).body).toEqual({ group: 'all', unsubscribed: true });
    expect(await mailGroups(owner)).toEqual(['risk', 'security']);
    expect(await notices(owner)).toMatchObject([
      { title: 'Mail about signals, fills, orders, and the state of deployments is switched off' },
    ]);
    expect(await signalMails(owner, 'Later')).toEqual([]);
  });

  test('mails one link a day to an address, and none to one that refuses mail', async () => {
    const other = await newOwner();
    for (let n = 0; n < 3; n++) await remove();
    await Promise.all([remove(other.email), remove(other.email), remove(other.email)]);
    expect(await deliverMails(hub, ses)).toHaveLength(2);
    await hub.runtime.store.transact([
      { key: keys.credentials(owner.email), set: { mail_stopped: { reason: 'bounce', at: 1 } } },
    ]);
    hub.advance(24 * 3_600_000);
    await remove();
    await remove(other.email);
    expect((await deliverMails(hub, ses)).map(({ Destination }) => Destination.ToAddresses)).toEqual([
      [other.email],
    ]);
  });

  test('works thirty times an hour from an address, and counts registered and unknown e-mails alike', async () => {
    const from = (email: string) => remove(email, '203.0.113.77');
    await from(owner.email);
    await from(owner.email);
    for (let n = 0; n < 28; n++) expect((await from(`unknown-${n}@mail.example`)).status).toBe(200);
    const refused = await from((await newOwner()).email);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('unknown@mail.example')).text).toBe(refused.text);
    hub.advance(3_600_000);
    expect((await from(owner.email)).status).toBe(200);
  });
});
