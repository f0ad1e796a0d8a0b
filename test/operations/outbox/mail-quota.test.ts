import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { furnish, signUp } from '../../support/people.ts';
import { startSes } from '../../support/ses.ts';
import { json, type Upstream } from '../../support/upstream.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOTIFICATION = 'notification-1';
/** Writes of one transaction. */
const MOST_WRITES = 100;

let ses: Upstream;
let hub: TestHub;
let owner: { readonly user_id: string; readonly email: string };
const environment = { ...process.env };

beforeAll(async () => {
  ses = await startSes();
});
beforeEach(async () => {
  hub = await startHub();
  await furnish(hub);
  owner = (await signUp(hub)).body;
  ses.answer = json({ MessageId: 'm-1' });
  ses.received.length = 0;
});
afterEach(() => hub.close());
afterAll(async () => {
  process.env = environment;
  await ses.close();
});

const ACCOUNT = '/v2/email/account';
const sendsWith = (answer: Upstream['answer'], account: Upstream['answer'] = json({})): void => {
  ses.answer = (request, response) =>
    (request.url.pathname === ACCOUNT ? account : answer)(request, response);
};
const refusing =
  (type: string, message: string, status = 429): Upstream['answer'] =>
  (_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
      .end(JSON.stringify({ message }));
  };
const quota = (max: number, sent: number) =>
  json({ SendQuota: { Max24HourSend: max, SentLast24Hours: sent } });

const notify = () =>
  hub.runtime.store.transact([
    outboxWrite(
      NOTIFICATION,
      { kind: 'notification_mail', to: owner.email, title: 'Bought', body: '1 AAPL' },
      hub.runtime.clock(),
    ),
  ]);
const askForCode = () => hub.call('POST /send_otp_password_reset', { query: { email: owner.email } });

/** Lets time pass and the job run, and returns the subjects of the mails that SES was asked to send. */
const after = async (ms: number): Promise<string[]> => {
  hub.advance(ms);
  ses.received.length = 0;
  await runJob(hub.runtime, { job: 'sweep-deliveries' });
  await runJob(hub.runtime, { job: 'sweep-bulk' });
  return ses.received.flatMap(({ url, body }) =>
    url.pathname === ACCOUNT ? [] : [JSON.parse(body).Content.Simple.Subject.Data],
  );
};
const waiting = async () => (await hub.runtime.store.getMany([keys.outbox(NOTIFICATION)]))[0];

test.each([
  ['TooManyRequestsException', 'Daily message quota exceeded', 429],
  ['LimitExceededException', 'Too many', 400],
  ['ThrottlingException', 'Daily message quota exceeded.', 400],
  ['BadRequestException', 'Maximum sending rate exceeded.', 400],
  ['SendingPausedException', 'Sending is paused', 400],
])(
  'a notification that SES refuses with %s (%s) waits longer than a day and is sent',
  async (type, message, status) => {
    await notify();
    sendsWith(refusing(type, message, status));
    expect(await after(2 * MINUTE)).toEqual(['Bought']);
    expect(await waiting()).toMatchObject({ reason: expect.stringContaining('SES takes no mail for now') });
    for (let hour = 0; hour < 30; hour += 2) await after(2 * HOUR);
    expect(await waiting()).not.toMatchObject({ due_kind: 'delivery_dead' });
    sendsWith(json({ MessageId: 'm-1' }));
    expect(await after(2 * HOUR)).toEqual(['Bought']);
    expect(await waiting()).toBeUndefined();
  },
);

test('a notification that finds no room for two days is given up', async () => {
  await notify();
  sendsWith(refusing('TooManyRequestsException', 'Daily message quota exceeded'));
  for (let hour = 0; hour < 52; hour += 2) await after(2 * HOUR);
  expect(await waiting()).toMatchObject({ due_kind: 'delivery_dead' });
});

test('a code that SES refuses for its rate is tried again every minute while it is valid', async () => {
  await askForCode();
  sendsWith(refusing('TooManyRequestsException', 'Maximum sending rate exceeded'));
  for (let minute = 0; minute < 8; minute++) {
    expect(await after(minute === 0 ? 2 * MINUTE : MINUTE)).toEqual(['Your code for a new password']);
  }
});

test('the last tenth of the daily quota is kept for codes', async () => {
  await notify();
  await askForCode();
  sendsWith(json({ MessageId: 'm-1' }), quota(1_000, 900));
  expect(await after(2 * MINUTE)).toEqual(['Your code for a new password']);
  expect(await waiting()).toMatchObject({ reason: 'the rest of the daily quota of mails is for codes' });
  sendsWith(json({ MessageId: 'm-1' }), quota(1_000, 899));
  expect(await after(16 * MINUTE)).toEqual(['Bought']);
});

test.each(['security', 'risk'])(
  'a user gets 200 mails a day about %s, as nothing else limits them',
  async (group) => {
    const write = async (first: number, count: number): Promise<void> => {
      const { store, clock } = hub.runtime;
      const { user_id, email: to } = owner;
      const mail = { kind: 'notification_mail', user_id, group, to, title: 'News', body: 'Text' } as const;
      const writes = Array.from({ length: count }, (_, n) => outboxWrite(`news-${first + n}`, mail, clock()));
      for (let n = 0; n < count; n += MOST_WRITES) await store.transact(writes.slice(n, n + MOST_WRITES));
    };
    await write(0, 190);
    expect(await after(2 * MINUTE)).toHaveLength(190);
    for (let n = 190; n < 212; n++) {
      await write(n, 1);
      await after(2 * MINUTE);
    }
    await write(212, 2);
    await notify();
    expect(await after(2 * MINUTE)).toEqual(['Bought']);
    hub.advance(24 * HOUR);
    await write(214, 1);
    expect(await after(2 * MINUTE)).toEqual(['News']);
  },
);

test.each([
  ['has no limit', quota(-1, 5_000_000)],
  ['cannot be read', refusing('InternalServiceErrorException', 'out of order', 500)],
])('mails are sent if the quota %s', async (_, account) => {
  await notify();
  sendsWith(json({ MessageId: 'm-1' }), account);
  expect(await after(2 * MINUTE)).toEqual(['Bought']);
});

test('the quota is read once a minute', async () => {
  for (let n = 0; n < 3; n++) {
    await hub.runtime.store.transact([
      outboxWrite(
        `more-${n}`,
        { kind: 'notification_mail', to: owner.email, title: `News ${n}`, body: 'Text' },
        hub.runtime.clock(),
      ),
    ]);
  }
  expect(await after(2 * MINUTE)).toHaveLength(3);
  expect(ses.received.filter(({ url }) => url.pathname === ACCOUNT)).toHaveLength(1);
});
