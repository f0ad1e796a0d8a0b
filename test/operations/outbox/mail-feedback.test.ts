import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { takeFeedback } from '../../support/functions/mail-feedback.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { bearer, furnish, login, outbox, sentCode, signUp } from '../../support/people.ts';
import { deliverMails } from '../../support/ses.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const HOUR = 3_600_000;

let aws: Upstream;
let hub: TestHub;
let owner: { readonly user_id: string; readonly email: string; readonly access_token: string };
const environment = { ...process.env };

beforeAll(async () => {
  aws = await startUpstream(json({ MessageId: 'm-1' }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_SESV2: aws.url,
  });
});
beforeEach(async () => {
  aws.received.length = 0;
  hub = await startHub();
  await furnish(hub);
  owner = (await signUp(hub)).body;
});
afterEach(() => hub.close());
afterAll(async () => {
  process.env = environment;
  await aws.close();
});

const now = () => hub.runtime.clock();
const mail = (sentAt: Date) => ({ timestamp: sentAt.toISOString(), messageId: 'm-1', tags: {} });

const bounce = (to = owner.email, bounceType = 'Permanent', sentAt = now()) => ({
  'detail-type': 'Email Bounced',
  source: 'aws.ses',
  detail: {
    eventType: 'Bounce',
    mail: mail(sentAt),
    bounce: { bounceType, bounceSubType: 'General', bouncedRecipients: [{ emailAddress: to }] },
  },
});
const complaint = (complaintFeedbackType?: string) => ({
  'detail-type': 'Email Complaint Received',
  source: 'aws.ses',
  detail: {
    mail: mail(now()),
    complaint: {
      complainedRecipients: [{ emailAddress: owner.email }],
      ...(complaintFeedbackType !== undefined && { complaintFeedbackType }),
    },
  },
});
const take = (event: unknown) => takeFeedback(hub.runtime, event);

const notices = async (): Promise<{ kind: string; data: unknown; body: string }[]> =>
  (await hub.call('GET /get_deployment_notifications', { query: { user_id: owner.user_id } })).body.items;
const isVerified = async () => (await findUser(hub.runtime.store, owner.user_id))?.email_verified;

/** Tries to deliver the mails of the outbox. Returns the recipients of those that left. */
const deliver = async (): Promise<string[]> =>
  (await deliverMails(hub, aws)).flatMap(({ Destination }) => Destination.ToAddresses);
const putNotificationMail = async () => {
  const message = { kind: 'notification_mail', to: owner.email, title: 'Bought', body: '1 AAPL' } as const;
  await hub.runtime.store.transact([outboxWrite('notification-1', message, now())]);
};
const askForCode = (headers: Readonly<Record<string, string>> = {}) =>
  hub.call('POST /send_otp_password_reset', { query: { email: owner.email }, headers });

describe.each([
  ['a permanent bounce', () => bounce(), 'bounce'],
  [
    'a bounce whose recipient has a name and capitals',
    () => bounce(`Ada <${owner.email.toUpperCase()}>`),
    'bounce',
  ],
  ['a complaint', () => complaint('abuse'), 'complaint'],
  ['a complaint without a type', () => complaint(), 'complaint'],
])('%s', (_, event, reason) => {
  test('stops mail to the address, and notifies its owner once in the app', async () => {
    const repeated = event();
    await take(repeated);
    await take(repeated);
    expect(await notices()).toMatchObject([{ kind: 'mail_stopped', data: { reason } }]);
    expect(JSON.stringify(await notices())).not.toContain(owner.email);
    expect(await isVerified()).toBe(false);
    expect(await outbox(hub)).toEqual([]);
    await putNotificationMail();
    expect(await deliver()).toEqual([]);
    const [refused] = await hub.runtime.store.getMany([keys.outbox('notification-1')]);
    expect(refused).toMatchObject({
      due_kind: 'delivery_dead',
      reason: `mail to the address is stopped after a ${reason}`,
    });
  });
});

test.each([
  ['a bounce that may pass', () => bounce(owner.email, 'Transient')],
  ['a report that a mail is no spam', () => complaint('not-spam')],
  ['a bounce of an unknown address', () => bounce('nobody@example.com')],
])('%s stops nothing', async (_, event) => {
  await take(event());
  expect(await notices()).toEqual([]);
  expect(await isVerified()).toBe(true);
  await putNotificationMail();
  expect(await deliver()).toEqual([owner.email]);
});

test.each([
  [
    'without a recipient',
    { 'detail-type': 'Email Bounced', detail: { mail: mail(new Date(0)), bounce: {} } },
  ],
  ['of another type', { 'detail-type': 'Email Opened', detail: {} }],
])('an event %s is refused for good', async (_, event) => {
  await expect(take(event)).rejects.toMatchObject({ name: 'ZodError' });
});

test('a code that a stranger requested before the bounce is not sent, and none is written after it', async () => {
  await askForCode();
  await take(bounce());
  expect(await deliver()).toEqual([]);
  hub.advance(HOUR);
  expect(await askForCode()).toMatchObject({ status: 200 });
  expect(await sentCode(hub, owner.email)).toBeUndefined();
});

test('a code that the owner requests gets through, and lets mail through again', async () => {
  await take(bounce());
  const late = bounce();
  hub.advance(HOUR);
  const { access_token } = (await login(hub, owner.email)).body;
  await askForCode(bearer(access_token));
  const otp = (await sentCode(hub, owner.email)) ?? '';
  expect(await deliver()).toEqual([owner.email]);
  const query = { email: owner.email, new_password: 'another password', otp };
  expect(await hub.call('POST /reset_password', { query })).toMatchObject({ status: 200 });
  expect(await isVerified()).toBe(true);
  await putNotificationMail();
  expect(await deliver()).toEqual([owner.email]);

  await take(late);
  expect(await isVerified()).toBe(true);
  expect(await notices()).toHaveLength(1);
  hub.advance(HOUR);
  await take(bounce());
  expect(await isVerified()).toBe(false);
  expect(await notices()).toHaveLength(2);
});
