import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Delivery, takeDelivery } from '../../../shared/data/outbox/deliveries.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { deliverRecords } from '../../../shared/deliveries/batch.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { deliverPush } from '../../../shared/deliveries/push/deliver-push.ts';
import { SECRETS, startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { outbox, sentCode } from '../../support/people.ts';
import {
  browserAt,
  checkAssertion,
  checkVapid,
  deployed,
  devicesOf,
  firebaseError,
  registerDevice,
  SERVICE_ACCOUNT,
  SIGNAL,
  signal,
  startFirebase,
  type TestFirebase,
} from '../../support/push.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, trader } from '../../support/trading.ts';
import { FAILURES, startUpstream, type Upstream } from '../../support/upstream.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The public key of the tests' VAPID key pair, which is the example of RFC 8291. */
const VAPID_PUBLIC =
  'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';

let base: TestHub;
let hub: TestHub;
let firebase: TestFirebase;
/** A web push service. */
let web: Upstream;

const created: Upstream['answer'] = (_request, response) => {
  response.writeHead(201, { location: '/message/1' }).end();
};
const answering =
  (status: number, headers: Record<string, string> = {}): Upstream['answer'] =>
  (_request, response) => {
    response.writeHead(status, headers).end('an answer with words of its own');
  };

/** OAuth's error. */
const tokenError =
  (error: string): Upstream['answer'] =>
  (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error, error_description: 'words of Google' }));
  };

beforeAll(async () => {
  firebase = await startFirebase();
  web = await startUpstream(created);
  base = await startHub();
  await furnishWithInstruments(base);
});
afterAll(async () => {
  await base.close();
  await Promise.all([firebase.upstream.close(), web.close()]);
});
beforeEach(() => {
  firebase.upstream.received.length = 0;
  firebase.assertions.length = 0;
  firebase.trouble = () => undefined;
  firebase.refuseToken = undefined;
  web.received.length = 0;
  web.answer = created;
  base.advance(SECOND);
  base.log.length = 0;
  hub = base
    .with({ ...firebase.environment, HUB_WEB_PUSH_REACH: 'loopback' })
    .withSecrets({ fcmServiceAccount: SERVICE_ACCOUNT });
});
afterEach(async () => {
  for (const { delivery_id } of await outbox(base)) await base.runtime.store.delete(keys.outbox(delivery_id));
});

/** Passes the newly written messages to both functions like their queues. */
const queued = async (target: TestHub, deliveries: readonly Delivery[]): Promise<void> => {
  const batch = (toDevices: boolean) => ({
    Records: deliveries
      .filter(({ message }) => (message?.kind === 'device_push') === toDevices)
      .map(({ delivery_id }) => ({
        messageId: delivery_id,
        body: JSON.stringify({ delivery_id, attempts: 0 }),
      })),
  });
  await Promise.all([
    deliverRecords(deliver, target.runtime, batch(false)),
    deliverRecords(deliverPush, target.runtime, batch(true)),
  ]);
};

/** Delivers the current outbox and the messages that this adds. */
const pump = async (target = hub): Promise<void> => {
  const seen = new Set<string>();
  for (;;) {
    const fresh = (await outbox(hub)).filter(({ delivery_id: id }) => !seen.has(id));
    if (fresh.length === 0) return;
    for (const { delivery_id: id } of fresh) seen.add(id);
    await queued(target, fresh);
  }
};
const sweep = async () => {
  await runJob(hub.runtime, { job: 'sweep-deliveries' });
  await runJob(hub.runtime, { job: 'sweep-pushes' });
};
const stored = async (id: string) => (await hub.runtime.store.getMany([keys.outbox(id)]))[0];
const tokens = () => firebase.sent().map(({ token }) => token);
const endpoint = (name: string): string => `${web.url}/send/${name}`;
const kinds = async () => (await outbox(hub)).map(({ message }) => message?.kind);

/** Creates a user with devices and a signal in the outbox. */
const pushTo = async (devices: readonly string[], more: Readonly<Record<string, unknown>> = {}) => {
  const owner = await deployed(hub);
  for (const device of devices) {
    expect((await registerDevice(hub, owner.user_id, device)).status).toBe(200);
    hub.advance(SECOND);
  }
  await signal(hub, owner.deployment_id, more);
  return owner;
};

/** Creates a user with one device and leaves the push to it in the outbox. */
const oneLeft = async () => {
  const left = await outbox(hub);
  expect(left).toHaveLength(1);
  const [delivery] = left;
  if (!delivery) throw new Error('nothing is left');
  return { ...delivery, waits: delivery.due_at - hub.runtime.clock().getTime() };
};

/** Returns the dead letter of a push to one device. */
const deadLetter = async (act: () => Promise<void>) => {
  await deliverFirst();
  const [device] = await outbox(hub);
  await act();
  return stored(device?.delivery_id ?? '');
};

/** Delivers the current outbox, without the messages that this adds. */
const deliverFirst = async (target = hub) => queued(target, await outbox(hub));

const overStore = (changed: Partial<Store>): TestHub => {
  const get = (store: Store, name: string) => {
    const found: unknown = Reflect.get(changed, name) ?? Reflect.get(store, name);
    return typeof found === 'function' ? found.bind(store) : found;
  };
  return hub.over(new Proxy(hub.runtime.store, { get: (store, name) => get(store, String(name)) }));
};

/** Returns a hub that crashes before it removes a message. */
const crashing = () => overStore({ delete: () => Promise.reject(new Error('crash')) });

describe('a signal', () => {
  test('goes to every device of its owner, and to no others', async () => {
    const other = await deployed(hub);
    await registerDevice(hub, other.user_id, 'phone-of-somebody-else');
    const laptop = browserAt(endpoint('laptop'));
    const { user_id, deployment_id } = await pushTo(['phone', 'tablet', laptop.pushKey]);
    await pump();
    expect(tokens().sort()).toEqual(['phone', 'tablet']);
    expect(web.received.map(({ url }) => url.pathname)).toEqual(['/send/laptop']);
    expect(await outbox(hub)).toEqual([]);

    const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
    const [{ notification_id, created_at }] = body.items;
    const data = {
      notification_id: String(notification_id),
      kind: 'signal_buy',
      deployment_type: 'notification',
      deployment_id: String(deployment_id),
      symbol: 'AAPL',
      created_at,
    };
    const [phone] = firebase.sent();
    expect(phone).toMatchObject({
      notification: { title: SIGNAL.title, body: SIGNAL.body },
      data: { ...data, delivery_id: expect.stringMatching(/^[\w-]{32}$/) },
      android: { priority: 'HIGH', ttl: '86400s' },
      apns: { headers: { 'apns-priority': '10' } },
    });
    const [received] = web.received;
    if (!received) throw new Error('the browser received nothing');
    expect(laptop.read(received)).toEqual({
      title: SIGNAL.title,
      body: SIGNAL.body,
      tag: received.headers.topic,
      data,
    });
    const everything = [...firebase.upstream.received, ...web.received].map((one) => JSON.stringify(one));
    expect(everything.join()).not.toContain(user_id);
  });

  test('goes to a browser encrypted and signed with the server’s key, by RFC 8030 and 8292', async () => {
    const laptop = browserAt(endpoint('headers'));
    await pushTo([laptop.pushKey]);
    await pump();
    const [{ method, headers, bytes } = { method: '', headers: {}, bytes: Buffer.alloc(0) }] = web.received;
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      ttl: '86400',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      'content-encoding': 'aes128gcm',
      'content-length': String(bytes.length),
    });
    expect(bytes.length).toBeLessThanOrEqual(4096);
    expect(bytes.toString('latin1')).not.toContain(SIGNAL.title);
    const now = hub.runtime.clock();
    const { payload, key } = await checkVapid(headers.authorization, web.url, now);
    expect(payload.sub).toBe('mailto:push@hub.example');
    expect((payload.exp ?? 0) - now.getTime() / 1000).toBeLessThanOrEqual(24 * 3600);
    expect(key).toBe(VAPID_PUBLIC);
  });

  test('is not pushed if its owner chose other channels, or has no device', async () => {
    const { user_id, deployment_id } = await deployed(hub);
    await signal(hub, deployment_id);
    expect(await outbox(hub)).toEqual([]);
    await registerDevice(hub, user_id, 'only-phone');
    await report(hub, 'Deployment Started', deployment_id);
    expect(await kinds()).toEqual(['notification_push']);
  });

  test('with long texts is shortened to the limit of push services', async () => {
    const laptop = browserAt(endpoint('long'));
    await pushTo(['phone-long', laptop.pushKey], { title: 'ü'.repeat(200), body: '🚀'.repeat(500) });
    await pump();
    const [received] = web.received;
    if (!received) throw new Error('the browser received nothing');
    expect(received.bytes.length).toBeLessThanOrEqual(4096);
    const { title, body } = laptop.read(received);
    expect(title).toBe('ü'.repeat(200));
    expect(body).toMatch(/^(🚀)+…?$/u);
    expect(Buffer.byteLength(firebase.upstream.received.at(-1)?.body ?? '')).toBeLessThan(4500);
  });

  test('is pushed once per device by ten simultaneous deliveries', async () => {
    await pushTo(['phone-once', 'tablet-once']);
    const first = await outbox(hub);
    await Promise.all(Array.from({ length: 10 }, () => queued(hub, first)));
    expect(await kinds()).toEqual(['device_push', 'device_push']);
    const second = await outbox(hub);
    await Promise.all(Array.from({ length: 10 }, () => queued(hub, second)));
    expect(tokens().sort()).toEqual(['phone-once', 'tablet-once']);
  });

  test('takes one call to read devices and one transaction, for any number of devices', async () => {
    await pushTo(Array.from({ length: 20 }, (_, index) => `many-${index}`));
    hub.takeCalls();
    await deliverFirst();
    // Without the test's own read of the outbox.
    expect(hub.takeCalls().filter((call) => call !== 'Scan')).toEqual([
      'UpdateItem',
      'GetItem',
      'BatchGetItem',
      'TransactWriteItems',
    ]);
    expect(await outbox(hub)).toHaveLength(20);
    await pump();
    expect(new Set(tokens()).size).toBe(20);
  });
});

test('a match of a scanner goes to the devices of its owner', async () => {
  const { user_id, keygen } = await deployed(hub);
  await registerDevice(hub, user_id, 'phone-scanner');
  const { body } = await hub.call('POST /deploy_scanner', {
    query: { keygen, universe_id: 'forex-majors' },
  });
  await report(hub, 'Scanner Matched', body.deployment_id, { matches: [{ symbol: 'EURUSD', price: 1.1 }] });
  for (const { delivery_id, message } of await outbox(hub)) {
    if (message?.kind === 'domain_event') await hub.runtime.store.delete(keys.outbox(delivery_id));
  }
  await pump();
  expect(firebase.sent()).toMatchObject([
    { token: 'phone-scanner', data: { kind: 'scanner_match', deployment_type: 'scanner' } },
  ]);
});

test('a report of an engine on a live deployment goes to the devices of its owner', async () => {
  const { user_id, keygen } = await trader(hub);
  await registerDevice(hub, user_id, 'phone-live');
  const { body } = await deployTrading(hub, keygen);
  for (const { delivery_id } of await outbox(hub)) await hub.runtime.store.delete(keys.outbox(delivery_id));
  await report(hub, 'Deployment Started', body.deployment_id);
  expect(await kinds()).toEqual(['live_entries']);
  await pump();
  expect(firebase.sent()).toMatchObject([
    { token: 'phone-live', data: { kind: 'deployment_started', deployment_type: 'live' } },
  ]);
  expect(await outbox(hub)).toEqual([]);
  const { body: list } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
  expect(list.total).toBe(1);
});

test('due pushes do not delay other messages', async () => {
  web.answer = answering(503);
  await pushTo([browserAt(endpoint('slow')).pushKey]);
  await pump();
  hub.advance(MINUTE);
  expect(await runJob(hub.runtime, { job: 'sweep-deliveries' })).toEqual({ done: 0, more: false });
  expect(await runJob(hub.runtime, { job: 'sweep-pushes' })).toEqual({ done: 1, more: false });
});

test('a message of low urgency wakes no device', async () => {
  const laptop = browserAt(endpoint('asleep'));
  const { user_id, deployment_id } = await deployed(hub);
  await registerDevice(hub, user_id, 'phone-asleep');
  await registerDevice(hub, user_id, laptop.pushKey);
  await report(hub, 'Deployment Started', deployment_id);
  await pump();
  expect(firebase.sent()).toMatchObject([{ android: { priority: 'NORMAL' } }]);
  expect(web.received[0]?.headers.urgency).toBe('normal');
});

describe('a crash', () => {
  const ids = async () => (await outbox(hub)).map(({ delivery_id }) => delivery_id).sort();

  test('before the devices are read is repaired a minute later', async () => {
    await pushTo(['phone-early', 'tablet-early']);
    const [parent] = await outbox(hub);
    await takeDelivery(hub.runtime.store, parent?.delivery_id ?? '', 0, hub.runtime.clock());
    await pump();
    hub.advance(61 * SECOND);
    await sweep();
    expect(await kinds()).toEqual(['device_push', 'device_push']);
    await pump();
    expect(tokens().sort()).toEqual(['phone-early', 'tablet-early']);
  });

  test('in the transaction leaves all of it or nothing', async () => {
    await pushTo(['phone-all', 'tablet-all']);
    const { store } = hub.runtime;
    await deliverFirst(overStore({ transact: () => Promise.reject(new Error('down')) }));
    expect(await kinds()).toEqual(['notification_push']);
    const halfway = overStore({
      transact: async (writes) => {
        await store.transact(writes);
        throw new Error('the answer was lost');
      },
    });
    hub.advance(MINUTE);
    await runJob(halfway.runtime, { job: 'sweep-deliveries' });
    expect(await kinds()).toEqual(['device_push', 'device_push']);
    await pump();
    expect(tokens().sort()).toEqual(['phone-all', 'tablet-all']);
  });

  test('after a push was sent repeats it under the same id', async () => {
    const laptop = browserAt(endpoint('twice'));
    await pushTo(['phone-twice', laptop.pushKey]);
    await deliverFirst();
    const before = await ids();
    await deliverFirst(crashing());
    expect(await ids()).toEqual(before);
    hub.advance(61 * SECOND);
    await sweep();
    expect(await outbox(hub)).toEqual([]);
    const [one, two] = firebase.sent();
    expect(two?.android).toMatchObject({
      notification: JSON.parse(JSON.stringify(one?.android)).notification,
    });
    expect(two?.apns).toMatchObject({
      headers: { 'apns-collapse-id': JSON.parse(JSON.stringify(one?.data)).delivery_id },
    });
    expect(new Set(web.received.map(({ headers }) => headers.topic)).size).toBe(1);
    expect(web.received).toHaveLength(2);
  });

  test('after an invalid registration was removed has the same result', async () => {
    firebase.trouble = () => firebaseError(404, 'NOT_FOUND', { errorCode: 'UNREGISTERED' });
    const { user_id } = await pushTo(['phone-dead-twice']);
    await deliverFirst();
    await deliverFirst(crashing());
    expect(await devicesOf(hub, user_id)).toEqual([]);
    hub.advance(61 * SECOND);
    await sweep();
    expect(await outbox(hub)).toEqual([]);
    expect(tokens()).toEqual(['phone-dead-twice']);
  });
});

describe('a registration', () => {
  const INVALID = { errorCode: 'INVALID_ARGUMENT' };
  test.each([
    ['is unregistered', firebaseError(404, 'NOT_FOUND', { errorCode: 'UNREGISTERED' })],
    ['is invalid', firebaseError(400, 'INVALID_ARGUMENT', { ...INVALID, field: 'message.token' })],
    [
      'is invalid, in words alone',
      firebaseError(400, 'INVALID_ARGUMENT', {
        ...INVALID,
        message: 'The registration token is not a valid FCM registration token',
      }),
    ],
  ])('that %s is removed, and the others get the message', async (_why, trouble) => {
    firebase.trouble = (token) => (token === 'gone' ? trouble : undefined);
    const { user_id, deployment_id } = await pushTo(['living-1', 'gone', 'living-2']);
    await pump();
    expect(await outbox(hub)).toEqual([]);
    expect(await devicesOf(hub, user_id)).toEqual(['living-2', 'living-1']);
    expect(tokens().sort()).toEqual(['gone', 'living-1', 'living-2']);
    await signal(hub, deployment_id, { side: 'sell' });
    await pump();
    expect(tokens()).toHaveLength(5);
    expect(hub.log.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  test.each([404, 410])('that a web push service answers %i is removed', async (status) => {
    const [gone, living] = [browserAt(endpoint('gone')), browserAt(endpoint('living'))];
    web.answer = (request, response) =>
      (request.url.pathname.endsWith('gone') ? answering(status) : created)(request, response);
    const { user_id } = await pushTo([gone.pushKey, living.pushKey]);
    await pump();
    expect(await outbox(hub)).toEqual([]);
    expect(await devicesOf(hub, user_id)).toEqual([living.pushKey]);
  });

  test('with invalid keys is removed, and nothing is sent', async () => {
    const key = JSON.stringify({
      endpoint: endpoint('keyless'),
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    });
    const { user_id } = await pushTo([key]);
    await pump();
    expect(web.received).toEqual([]);
    expect(await devicesOf(hub, user_id)).toEqual([]);
  });

  test.each([
    ['malformed', 400, 'INVALID_ARGUMENT', { errorCode: 'INVALID_ARGUMENT', field: 'message.data[0].value' }],
    ['too big', 400, 'INVALID_ARGUMENT', {}],
    ['of another sender', 403, 'PERMISSION_DENIED', { errorCode: 'SENDER_ID_MISMATCH' }],
    ['of an unknown project', 404, 'NOT_FOUND', {}],
  ])('stays if the message is %s, which becomes a dead letter', async (_why, status, code, more) => {
    firebase.trouble = () => firebaseError(status, code, more);
    const { user_id } = await pushTo(['phone-stays']);
    const letter = await deadLetter(pump);
    expect(letter).toMatchObject({
      due_kind: 'delivery_dead',
      reason: `Firebase answered ${status} ${'errorCode' in more ? more.errorCode : code}`,
    });
    expect(await devicesOf(hub, user_id)).toEqual(['phone-stays']);
  });

  test.each([400, 401, 403, 413, 302])('stays where a web push service answers %i', async (status) => {
    web.answer = answering(status, { location: `${web.url}/elsewhere` });
    const browser = browserAt(endpoint('refused'));
    const { user_id } = await pushTo([browser.pushKey]);
    expect(await deadLetter(pump)).toMatchObject({
      due_kind: 'delivery_dead',
      reason: `the web push service answered ${status}`,
    });
    expect(web.received.map(({ url }) => url.pathname)).toEqual(['/send/refused']);
    expect(await devicesOf(hub, user_id)).toEqual([browser.pushKey]);
  });

  test('that belongs to another user in the meantime gets no message of the previous one', async () => {
    const other = await deployed(hub);
    const { user_id } = await pushTo(['shared-phone']);
    await deliverFirst();
    await registerDevice(hub, other.user_id, 'shared-phone');
    await pump();
    expect(tokens()).toEqual([]);
    expect(await outbox(hub)).toEqual([]);
    expect(await devicesOf(hub, user_id)).toEqual([]);
    expect(await devicesOf(hub, other.user_id)).toEqual(['shared-phone']);
  });

  test('that a new password ended gets no message that was sent before', async () => {
    const { user_id } = await pushTo(['phone-of-a-thief']);
    await queued(hub, await outbox(hub));
    expect(await kinds()).toEqual(['device_push']);
    const before = await outbox(hub);
    const { email } = (await findUser(hub.runtime.store, user_id)) ?? { email: '' };
    await hub.call('POST /send_otp_password_reset', { query: { email } });
    const query = { email, new_password: 'a new password', otp: (await sentCode(hub, email)) ?? '' };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    await queued(hub, before);
    expect(tokens()).toEqual([]);
  });

  test('that changes its user while it is found invalid stays with the new user', async () => {
    const other = await deployed(hub);
    await pushTo(['contested-phone']);
    await deliverFirst();
    firebase.trouble = () => (request, response) => {
      registerDevice(hub, other.user_id, 'contested-phone').then(() =>
        firebaseError(404, 'NOT_FOUND', { errorCode: 'UNREGISTERED' })(request, response),
      );
    };
    await pump();
    expect(await devicesOf(hub, other.user_id)).toEqual(['contested-phone']);
  });
});

describe('access tokens', () => {
  test('are requested with an assertion of the service account, once for many messages', async () => {
    await pushTo(Array.from({ length: 10 }, (_, index) => `token-${index}`));
    await pump();
    expect(tokens()).toHaveLength(10);
    expect(firebase.assertions).toHaveLength(1);
    const audience = `${firebase.upstream.url}/token`;
    const payload = await checkAssertion(firebase.assertions[0] ?? '', audience, hub.runtime.clock());
    expect(payload.scope).toBe('https://www.googleapis.com/auth/firebase.messaging');
  });

  test('are kept until shortly before they end', async () => {
    const { deployment_id } = await pushTo(['phone-kept']);
    await pump();
    hub.advance(54 * MINUTE);
    await signal(hub, deployment_id, { side: 'sell' });
    await pump();
    expect(firebase.assertions).toHaveLength(1);
    hub.advance(2 * MINUTE);
    await signal(hub, deployment_id);
    await pump();
    expect(firebase.assertions).toHaveLength(2);
    expect(tokens()).toHaveLength(3);
  });

  test('that Firebase refuses are renewed, once', async () => {
    const { deployment_id } = await pushTo(['phone-renewed', 'tablet-renewed']);
    await pump();
    firebase.revoke();
    await signal(hub, deployment_id, { side: 'sell' });
    await pump();
    expect(await outbox(hub)).toEqual([]);
    expect(firebase.assertions).toHaveLength(2);

    firebase.trouble = () => firebaseError(401, 'UNAUTHENTICATED');
    firebase.upstream.received.length = 0;
    await registerDevice(hub, (await pushTo(['phone-refused'])).user_id, 'phone-refused');
    await pump();
    expect(firebase.sent()).toHaveLength(2);
    expect((await oneLeft()).waits).toBe(10 * SECOND);
  });

  test.each([
    ['is refused', tokenError('invalid_grant'), 'no access token for Firebase: invalid_grant'],
    ['cannot be had', answering(503), 'no access token for Firebase: OperationProcessingError'],
    [
      'is nonsense',
      answering(200, { 'content-type': 'application/json' }),
      expect.stringContaining('no access'),
    ],
  ])('one that %s is requested again with the next attempt', async (_how, refuse, reason) => {
    firebase.refuseToken = refuse;
    await pushTo(['phone-waits']);
    await pump();
    expect(tokens()).toEqual([]);
    const { delivery_id } = await oneLeft();
    expect((await stored(delivery_id))?.reason).toEqual(reason);
    firebase.refuseToken = undefined;
    hub.advance(11 * SECOND);
    await sweep();
    expect(tokens()).toEqual(['phone-waits']);
  });

  test.each([
    ['none is configured', '', /^delivery_dead$/, 'no Firebase service account is configured'],
    [
      'the configured service account is not a key file',
      '{"private_key"',
      /^delivery_push#\d$/,
      'the Firebase service account is not a valid key file',
    ],
  ])('if %s, the dead letter has a reason', async (_what, fcmServiceAccount, due_kind, reason) => {
    await pushTo(['phone-unconfigured']);
    const other = hub.withSecrets({ fcmServiceAccount });
    const left = await deadLetter(() => pump(other));
    expect(left).toMatchObject({ due_kind: expect.stringMatching(due_kind), reason });
    expect(tokens()).toEqual([]);
  });
});

describe('a push service that is overloaded', () => {
  const inTwoHours = () => new Date(hub.runtime.clock().getTime() + 2 * HOUR).toUTCString();

  test.each<[string, () => string | undefined, number]>([
    ['not how long', () => undefined, 10 * SECOND],
    ['in seconds', () => '600', 600 * SECOND],
    ['less than we wait anyway', () => '1', 10 * SECOND],
    ['by a date', inTwoHours, 2 * HOUR],
    ['for ever', () => '99999999999', 24 * HOUR],
    ['nonsense', () => 'soon', 10 * SECOND],
  ])('and answers %s gets no request for that time', async (_how, header, waits) => {
    firebase.trouble = () => (request, response) => {
      const more = { errorCode: 'QUOTA_EXCEEDED', retryAfter: header() };
      firebaseError(429, 'RESOURCE_EXHAUSTED', more)(request, response);
    };
    web.answer = (request, response) => {
      const retryAfter = header();
      answering(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter })(request, response);
    };
    await pushTo(['phone-busy', browserAt(endpoint('busy')).pushKey]);
    await pump();
    const left = await outbox(hub);
    expect(left).toHaveLength(2);
    const now = hub.runtime.clock().getTime();
    for (const { due_at } of left) expect(Math.abs(due_at - now - waits)).toBeLessThanOrEqual(SECOND);
    hub.advance(waits - 2 * SECOND);
    await sweep();
    expect(tokens()).toHaveLength(1);
    hub.advance(3 * SECOND);
    await sweep();
    expect([tokens().length, web.received.length]).toEqual([2, 2]);
  });

  test('for a day leaves a dead letter with the reason, and its messages for devices expire with the day', async () => {
    web.answer = answering(503);
    await pushTo([browserAt(endpoint('down')).pushKey]);
    await pump();
    const { delivery_id } = await oneLeft();
    const began = hub.runtime.clock().getTime();
    for (let due = (await outbox(hub))[0]; due; due = (await outbox(hub))[0]) {
      hub.advance(due.due_at - hub.runtime.clock().getTime());
      await sweep();
    }
    expect(hub.runtime.clock().getTime() - began).toBeGreaterThan(24 * HOUR);
    expect(await stored(delivery_id)).toMatchObject({
      due_kind: 'delivery_dead',
      reason: 'the web push service answered 503',
    });
    const ttls = web.received.map(({ headers }) => Number(headers.ttl));
    expect(ttls).toEqual([...ttls].sort((a, b) => b - a));
    expect(ttls.at(-1)).toBe(0);
    expect(new Set(web.received.map(({ headers }) => headers.topic)).size).toBe(1);
  });
});

// Only the status counts, as a web push service sends no body.
const { 'stops in the middle': brokenOff, 'redirects elsewhere': _refused, ...down } = FAILURES;

test.each(Object.entries(down))('a web push service that %s is tried again', async (_how, answer) => {
  web.answer = answer;
  await pushTo([browserAt(endpoint('failing')).pushKey]);
  await withShortLimits(() => pump());
  expect((await oneLeft()).waits).toBe(10 * SECOND);
  web.answer = created;
  hub.advance(11 * SECOND);
  await sweep();
  expect(await outbox(hub)).toEqual([]);
});

test.each(Object.entries({ ...down, 'stops in the middle': brokenOff }))(
  'a Firebase that %s is tried again',
  async (_how, answer) => {
    firebase.trouble = () => answer;
    await pushTo(['phone-failing']);
    await withShortLimits(() => pump());
    expect((await oneLeft()).waits).toBe(10 * SECOND);
    firebase.trouble = () => undefined;
    hub.advance(11 * SECOND);
    await sweep();
    expect(await outbox(hub)).toEqual([]);
  },
);

test('an endless answer of a web push service is not read', async () => {
  web.answer = (_request, response) => {
    response.writeHead(201);
    const flood = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', flood);
    flood();
  };
  await pushTo([browserAt(endpoint('flood')).pushKey]);
  await pump();
  expect(await outbox(hub)).toEqual([]);
});

test('an endless answer of Firebase is cut off', async () => {
  firebase.trouble = () => (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    const flood = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
    };
    response.on('drain', flood);
    flood();
  };
  await pushTo(['phone-flood']);
  await pump();
  expect((await stored((await oneLeft()).delivery_id))?.reason).toBe('UpstreamDown');
});

test('internal addresses are not called, and such a registration is removed', async () => {
  const public_ = hub.with({ HUB_WEB_PUSH_REACH: 'internet' });
  const internal = browserAt(endpoint('internal').replace('http:', 'https:'));
  const byName = browserAt(endpoint('internal').replace('http://127.0.0.1', 'https://localhost'));
  const plain = browserAt(endpoint('plain'));
  const { user_id } = await pushTo([internal.pushKey, byName.pushKey, plain.pushKey]);
  await pump(public_);
  expect(web.received).toEqual([]);
  expect(await devicesOf(hub, user_id)).toEqual([]);
  expect(await outbox(hub)).toEqual([]);
});

test('no log line contains a device, a token, a key or the text of a message', async () => {
  const laptop = browserAt(endpoint('private'));
  for (const status of [201, 410, 413, 429, 500]) {
    web.answer = answering(status);
    firebase.trouble = () =>
      status === 201 ? undefined : firebaseError(status, 'INTERNAL', { message: 'phone-private' });
    const { user_id } = await pushTo(['phone-private', laptop.pushKey]);
    await pump();
    const log = JSON.stringify(hub.log);
    for (const secret of [
      user_id,
      'phone-private',
      '/send/private',
      web.url,
      SIGNAL.title,
      'access-',
      'PRIVATE KEY',
      SECRETS.vapidPrivateKey,
      JSON.parse(laptop.pushKey).keys.auth,
    ]) {
      expect(log).not.toContain(secret);
    }
    if (status !== 201) expect(log).toContain('delivery_id');
  }
});

test('a web client gets the key to subscribe with', async () => {
  const { user_id } = await deployed(hub);
  const get = (target: TestHub) => target.call('GET /get_push_token_web', { query: { user_id } });
  expect((await get(hub)).body.vapid_public_key).toBe(VAPID_PUBLIC);
  expect((await get(hub.withSecrets({ vapidPrivateKey: '' }))).body.vapid_public_key).toBeNull();
});
