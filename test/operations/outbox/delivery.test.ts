import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { takeDelivery } from '../../../shared/data/outbox/deliveries.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { deliverRecords } from '../../../shared/deliveries/batch.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { deliverBulk } from '../../support/functions/bulk-deliveries.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { bearer, furnish, outbox, register, sentCode, signUp } from '../../support/people.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { FAILURES, json, startUpstream, type Upstream } from '../../support/upstream.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const PHONE = '+14155552671';

let aws: Upstream;
let hub: TestHub;
const environment = { ...process.env };

beforeAll(async () => {
  aws = await startUpstream(json({ MessageId: 'm-1' }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_SESV2: aws.url,
    AWS_ENDPOINT_URL_SNS: aws.url,
  });
});
beforeEach(async () => {
  aws.answer = json({ MessageId: 'm-1' });
  aws.received.length = 0;
  hub = (await startHub()).with({
    HUB_CHALLENGE_URL: `${aws.url}/challenge`,
    HUB_ANALYTICS_URL: `${aws.url}/mp/collect`,
  });
  await furnish(hub);
});
afterEach(() => hub.close());
afterAll(async () => {
  process.env = environment;
  await aws.close();
});

const askForCode = async (): Promise<string> => {
  const { body } = await register(hub);
  await hub.call('POST /send_otp_password_reset', { query: { email: body.email } });
  return body.email;
};

/** Builds the records of the queue for the current outbox. */
const queued = async () => ({
  Records: (await outbox(hub)).map(({ delivery_id, attempts }, index) => ({
    messageId: String(index),
    body: JSON.stringify({ delivery_id, attempts }),
  })),
});

const sweep = () => runJob(hub.runtime, { job: 'sweep-deliveries' });
const sweepBulk = () => runJob(hub.runtime, { job: 'sweep-bulk' });
const mails = () => aws.received.filter(({ url }) => url.pathname === '/v2/email/outbound-emails');
const stored = async (id: string) => (await hub.runtime.store.getMany([keys.outbox(id)]))[0];

test('a mail is sent to SES once, with the code, and leaves no item', async () => {
  const email = await askForCode();
  const code = await sentCode(hub, email);
  const batch = await queued();
  expect(JSON.stringify(await outbox(hub))).not.toContain(code);
  expect(await deliverRecords(deliver, hub.runtime, batch)).toEqual({ batchItemFailures: [] });
  await deliverRecords(deliver, hub.runtime, batch);
  await sweep();
  expect(mails()).toHaveLength(1);
  const mail = JSON.parse(mails()[0]?.body ?? '');
  expect(mail.Destination.ToAddresses).toEqual([email]);
  expect(mail.Content.Simple.Body.Text.Data).toContain(code);
  expect(await outbox(hub)).toEqual([]);
});

test('a text message is sent to SNS', async () => {
  const { body: user } = await signUp(hub, { ph_number: PHONE });
  aws.answer = json({ success: true });
  await hub.call('POST /send_sms_otp', {
    query: { ph_number: PHONE, email: user.email, cf_token: 't' },
    headers: bearer(user.access_token),
  });
  const code = await sentCode(hub, user.email, 'phone');
  aws.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      '<PublishResponse><PublishResult><MessageId>m</MessageId></PublishResult></PublishResponse>',
    );
  };
  await deliverRecords(deliver, hub.runtime, await queued());
  const message = new URLSearchParams(aws.received.at(-1)?.body);
  expect(message.get('PhoneNumber')).toBe(PHONE);
  expect(message.get('Message')).toContain(code);
  expect(await outbox(hub)).toEqual([]);
});

test('a message that the stream did not deliver is sent by the job a minute later', async () => {
  await askForCode();
  await sweep();
  expect(mails()).toHaveLength(0);
  hub.advance(60 * SECOND);
  expect(await sweep()).toEqual({ done: 1, more: false });
  expect(mails()).toHaveLength(1);
});

test('a delivery that crashed after leasing the message is repeated under the same id', async () => {
  await askForCode();
  const [message] = await outbox(hub);
  await takeDelivery(
    hub.runtime.store,
    message?.delivery_id ?? '',
    message?.attempts ?? 0,
    hub.runtime.clock(),
  );
  await sweep();
  expect(mails()).toHaveLength(0);
  hub.advance(61 * SECOND);
  await sweep();
  expect(mails()).toHaveLength(1);
  expect(mails()[0]?.body).toContain(message?.delivery_id);
});

test('two simultaneous deliveries send one mail', async () => {
  await askForCode();
  const batch = await queued();
  await Promise.all(Array.from({ length: 10 }, () => deliverRecords(deliver, hub.runtime, batch)));
  expect(mails()).toHaveLength(1);
});

test('a failing service is retried with growing pauses for a day, then the message is a dead letter', async () => {
  aws.answer = json({ message: 'down' }, 500);
  await hub.call('POST /api/external_analysis', { json: { client_id: 'c', events: [{ name: 'opened' }] } });
  const [message] = await outbox(hub);
  const id = message?.delivery_id ?? '';
  const gaps: number[] = [];
  await deliverRecords(deliverBulk, hub.runtime, await queued());
  for (let due = (await outbox(hub))[0]; due; due = (await outbox(hub))[0]) {
    gaps.push(due.due_at - hub.runtime.clock().getTime());
    hub.advance(due.due_at - hub.runtime.clock().getTime());
    await sweepBulk();
  }
  expect(gaps.slice(0, 3)).toEqual([10 * SECOND, 20 * SECOND, 40 * SECOND]);
  expect(Math.max(...gaps)).toBe(HOUR);
  expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBeGreaterThan(24 * HOUR);
  expect(await stored(id)).toMatchObject({ due_kind: 'delivery_dead', reason: expect.any(String) });
  expect(hub.log.some(({ level, message: text }) => level === 'error' && text === 'delivery given up')).toBe(
    true,
  );
});

test('a refused message is a dead letter at once, and its log line names no recipient', async () => {
  const email = await askForCode();
  const [message] = await outbox(hub);
  aws.answer = (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json', 'x-amzn-errortype': 'MessageRejected' });
    response.end(JSON.stringify({ message: `Email address is not verified: ${email}` }));
  };
  await deliverRecords(deliver, hub.runtime, await queued());
  expect(await stored(message?.delivery_id ?? '')).toMatchObject({
    due_kind: 'delivery_dead',
    reason: 'MessageRejected',
  });
  expect(JSON.stringify(hub.log)).not.toContain(email);
});

test('an expired code is not sent', async () => {
  await askForCode();
  const [message] = await outbox(hub);
  hub.advance(10 * 60 * SECOND);
  await sweep();
  expect(mails()).toHaveLength(0);
  expect(await stored(message?.delivery_id ?? '')).toMatchObject({
    due_kind: 'delivery_dead',
    reason: 'the code is over',
  });
});

test('a message of an unknown kind waits for a version that knows it, and blocks no others', async () => {
  await askForCode();
  const [message] = await outbox(hub);
  const unknown = {
    ...(await stored(message?.delivery_id ?? '')),
    ...keys.outbox('unknown'),
    delivery_id: 'unknown',
    message: { kind: 'telegraph', wire: 7 },
    due_at: 1,
  };
  await hub.runtime.store.put(unknown);
  hub.advance(61 * SECOND);
  await hub.runtime.store.put({ ...unknown, created_at: hub.runtime.clock().getTime() });
  expect(await sweep()).toMatchObject({ done: 2 });
  expect(mails()).toHaveLength(1);
  for (let minute = 0; minute < 20; minute++) {
    hub.advance(61 * SECOND);
    expect(await sweep()).toMatchObject({ done: 1 });
  }
  expect(await stored('unknown')).toMatchObject({ attempts: 21, message: { kind: 'telegraph', wire: 7 } });
  expect(await stored('unknown')).not.toMatchObject({ due_kind: 'delivery_dead' });
  hub.advance(24 * HOUR);
  await sweep();
  expect(await stored('unknown')).toMatchObject({ due_kind: 'delivery_dead' });
});

test('an attempt that outlasts its lease does not change a message that was leased again', async () => {
  await askForCode();
  const batch = await queued();
  const { promise: stalled, resolve: fail } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  aws.answer = (_request, response) => {
    ask();
    stalled.then(() => response.writeHead(500).end());
  };
  const slow = deliverRecords(deliver, hub.runtime, batch);
  await asked;
  hub.advance(61 * SECOND);
  aws.answer = json({ MessageId: 'm-2' });
  await sweep();
  fail();
  expect(await slow).toEqual({ batchItemFailures: [] });
  expect(await outbox(hub)).toEqual([]);
});

test('a mail is sent to the account’s spelling of an address', async () => {
  const { body } = await register(hub, { email: `kate${Date.now()}@example.com` });
  const typed = ` ${body.email.replace('k', '\u212a').toUpperCase()}\r\n`;
  await hub.call('POST /send_otp_password_reset', { query: { email: typed } });
  await deliverRecords(deliver, hub.runtime, await queued());
  expect(JSON.parse(mails().at(-1)?.body ?? '').Destination.ToAddresses).toEqual([body.email]);
});

test('records that could not be delivered are reported as failed', async () => {
  const broken = {
    ...hub.runtime,
    store: Object.create(hub.runtime.store, { update: { value: () => Promise.reject(new Error('down')) } }),
  };
  await askForCode();
  expect(await deliverRecords(deliver, broken, await queued())).toEqual({
    batchItemFailures: [{ itemIdentifier: '0' }],
  });
});

describe('an analytics event', () => {
  const event = {
    client_id: 'c-1',
    events: [{ name: 'opened', params: { page: 'home' } }],
  };
  const send = (json: unknown) => hub.call('POST /api/external_analysis', { json });

  test('is forwarded at once with the server’s account', async () => {
    const { status, body } = await send(event);
    expect([status, body]).toEqual([200, { accepted: true, forwarded: true }]);
    const [received] = aws.received;
    expect(received?.url.search).toBe('?measurement_id=G-TEST&api_secret=analytics-secret');
    expect(JSON.parse(received?.body ?? '')).toEqual(event);
  });

  test('counts for the caller alone, under a pseudonym', async () => {
    const { user_id, access_token } = (await signUp(hub)).body;
    const other = (await signUp(hub)).body;
    const as = (named: string, token?: string) =>
      hub.call('POST /api/external_analysis', {
        json: { ...event, user_id: named },
        ...(token !== undefined && { headers: bearer(token) }),
      });
    for (const answer of [await as(user_id, access_token), await as('me', access_token), await as(user_id)]) {
      expect(answer.status).toBe(200);
    }
    const pseudonyms = aws.received.map(({ body }) => JSON.parse(body).user_id);
    expect(new Set(pseudonyms).size).toBe(1);
    expect(pseudonyms[0]).toEqual(expect.any(String));
    expect(JSON.stringify(aws.received.map(({ body }) => body))).not.toContain(user_id);
    aws.received.length = 0;
    expect((await as(user_id, other.access_token)).body.code).toBe('session_mismatch');
    expect((await as('somebody')).body.code).toBe('user_unknown');
    expect((await as('me')).body.code).toBe('session_required');
    expect((await as(user_id, 'forged')).body.code).toBe('session_invalid');
    expect(aws.received).toEqual([]);
  });

  // Only the status counts, as the protocol has no response body.
  const { 'stops in the middle': _answered, ...down } = FAILURES;

  test.each(Object.entries(down))('waits in the outbox when the service %s', async (_how, answer) => {
    aws.answer = answer;
    const { body } = await withShortLimits(() => send(event));
    expect(body).toEqual({ accepted: true, forwarded: false });
    aws.answer = json({});
    aws.received.length = 0;
    await deliverRecords(deliverBulk, hub.runtime, await queued());
    expect(JSON.parse(aws.received[0]?.body ?? '')).toMatchObject({ client_id: 'c-1' });
    expect(await outbox(hub)).toEqual([]);
  });

  test('that the service refuses is a 502', async () => {
    aws.answer = json({}, 400);
    const { status, body } = await send(event);
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  });

  test.each([
    [{ ...event, measurement_id: 'G-1' }, ['body', 'measurement_id']],
    [{ ...event, api_secret: 's' }, ['body', 'api_secret']],
    [{ ...event, events: [] }, ['body', 'events']],
    [{ ...event, events: Array(26).fill(event.events[0]) }, ['body', 'events']],
    [{ ...event, events: [{ name: 'x'.repeat(41) }] }, ['body', 'events', 0, 'name']],
    [
      {
        ...event,
        events: [
          { name: 'x', params: Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`p${n}`, n])) },
        ],
      },
      ['body', 'events', 0, 'params'],
    ],
    [{ ...event, user_properties: { big: 'x'.repeat(130_001) } }, ['body']],
  ])('beyond the protocol’s limits is refused (%#)', async (json, loc) => {
    const { status, body } = await send(json);
    expect([status, body.detail?.[0]?.loc]).toEqual([422, loc]);
    expect(aws.received).toEqual([]);
  });
});
