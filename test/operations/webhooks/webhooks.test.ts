import { afterEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { suspensionWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { endpointOf } from '../../../shared/data/webhooks/deliveries.ts';
import { asEndpoints, endpointsKey } from '../../../shared/data/webhooks/endpoints.ts';
import { findDueWebhooks } from '../../../shared/data/webhooks/find-deliveries.ts';
import { webhookWrites } from '../../../shared/data/webhooks/webhook-writes.ts';
import type { ChangeEvent } from '../../../shared/domain/changes/change-event.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { approvedBroker } from '../../support/brokers.ts';
import type { Response } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { accept, openWebhooks } from '../../support/open-webhooks.ts';
import { furnish, outbox, PASSWORD, signUp } from '../../support/people.ts';
import type { Received, Upstream } from '../../support/upstream.ts';
import {
  asBroker,
  asUser,
  type Caller,
  deliverNew,
  registerProven,
  webhooks,
} from '../../support/webhooks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const refuse =
  (status: number, headers: Record<string, string> = {}): Upstream['answer'] =>
  (_request, response) =>
    response.writeHead(status, headers).end();

const { hub, receiver } = await openWebhooks(async (own) => {
  // Receivers compare the time of a signature with their own.
  own.advance(Date.now() - own.runtime.clock().getTime());
  await furnish(own);
});
afterEach(() => {
  receiver.answer = accept;
  receiver.received.length = 0;
});
/** Returns a broker, whose token lasts for the whole test. */
const desk = async (): Promise<Caller> => asBroker(await approvedBroker(hub));

const person = async (): Promise<Caller> => asUser((await signUp(hub)).body);

let paths = 0;

/** Registers an endpoint at a path of its own at the receiver. */
const register = async (caller: Caller, more: object = {}): Promise<Response['body']> => {
  const json = { url: `${receiver.url}/hook-${++paths}`, ...more };
  return registerProven(hub, caller, json);
};

/** Returns the requests that the receiver got for an endpoint. */
const got = ({ url }: Response['body']): Received[] =>
  receiver.received.filter((one) => one.url.pathname === new URL(url).pathname);

const idsOf = (received: readonly Received[]): string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));

const list = async (caller: Caller): Promise<Response['body'][]> =>
  (await webhooks(hub, caller, 'GET get_webhooks')).body.webhooks;

const change = (caller: Caller, endpoint_id: string, json: object): Promise<Response> =>
  webhooks(hub, caller, 'POST update_webhook', { query: { endpoint_id }, json });

const on = (
  caller: Caller,
  route: string,
  endpoint_id: string,
  more: Record<string, string> = {},
): Promise<Response> => webhooks(hub, caller, route, { query: { endpoint_id, ...more } });

const deliveries = async (caller: Caller, endpoint_id: string): Promise<Response['body'][]> =>
  (await on(caller, 'GET get_webhook_deliveries', endpoint_id)).body.deliveries;

let events = 0;

/** Sends an event to the endpoints of an owner, as the change log does. */
const send = async (caller: Caller, more: Partial<ChangeEvent> = {}): Promise<ChangeEvent> => {
  const { store, clock, random } = hub.runtime;
  const event = {
    id: `event-${++events}`,
    type: 'order.filled',
    at: clock().toISOString(),
    deployment_id: 7,
    sequence: events,
    data: { order_id: 12 },
    ...more,
  };
  const [item] = await store.getMany([endpointsKey(caller.owner)], { consistent: true });
  const writes = webhookWrites(asEndpoints(item), event, { now: clock(), random });
  if (writes.length > 0) await store.transact(writes);
  return event;
};

const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });

const sweep = () => runJob(hub.runtime, { job: 'sweep-webhooks' });
const attend = () => runJob(hub.runtime, { job: 'attend-webhooks' });

const owners: [string, () => Promise<Caller>][] = [
  ['a user', person],
  ['a broker', desk],
];

describe.each(owners)('endpoints of %s', (_name, owner) => {
  test('are registered, listed, changed and removed', async () => {
    const caller = await owner();
    expect(await list(caller)).toEqual([]);
    const { secret, ...made } = await register(caller, { events: ['order.filled'], description: ' Desk ' });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(made).toEqual({
      endpoint_id: expect.any(String),
      url: expect.stringContaining('/hook-'),
      description: 'Desk',
      events: ['order.filled'],
      deployment_ids: null,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      secret_since: expect.any(String),
      previous_secret_until: null,
      created_at: expect.any(String),
    });
    expect(await list(caller)).toEqual([made]);
    const json = { url: `${receiver.url}/other`, events: [], deployment_ids: [7], enabled: false };
    const changed = (await change(caller, made.endpoint_id, json)).body;
    expect(changed).toMatchObject({
      url: `${receiver.url}/other`,
      events: [],
      deployment_ids: [7],
      description: 'Desk',
      status: 'disabled',
      disabled_reason: 'owner',
    });
    expect(await list(caller)).toEqual([changed]);
    const enabled = { deployment_ids: null, enabled: true };
    expect((await change(caller, made.endpoint_id, enabled)).body).toMatchObject({
      url: `${receiver.url}/other`,
      deployment_ids: null,
      // The address is another one.
      status: 'pending',
      disabled_reason: null,
    });
    expect((await on(caller, 'POST remove_webhook', made.endpoint_id)).body).toEqual({ removed: true });
    expect(await list(caller)).toEqual([]);
    expect(await hub.tableText()).not.toContain(`${receiver.url}/other`);
  });

  test('get a test event, whatever their filters are', async () => {
    const caller = await owner();
    const made = await register(caller, { events: ['order.filled'] });
    const { endpoint_id, secret } = made;
    const { body } = await on(caller, 'POST test_webhook', endpoint_id);
    expect(body).toMatchObject({ event_type: 'webhook.test', status: 'pending', attempts: 0 });
    await deliverNew(hub);
    const [received] = got(made);
    if (!received) throw new Error('nothing was received');
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': body.event_id,
    });
    expect(verified(secret, received)).toMatchObject({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { message: expect.any(String) },
    });
    expect(await deliveries(caller, endpoint_id)).toEqual([
      {
        ...body,
        status: 'delivered',
        attempts: 1,
        last_attempt_at: expect.any(String),
        http_status: 204,
        duration_ms: expect.any(Number),
        failure: null,
        settled_at: expect.any(String),
      },
    ]);
  });

  test('are unknown to another owner', async () => {
    const [caller, stranger] = [await owner(), await person()];
    const made = await register(caller);
    const { endpoint_id } = made;
    const { delivery_id } = (await on(caller, 'POST test_webhook', endpoint_id)).body;
    const requests: [string, Record<string, string>?][] = [
      ['POST remove_webhook'],
      ['POST rotate_webhook_secret'],
      ['POST test_webhook'],
      ['GET get_webhook_deliveries'],
      ['POST resend_webhook', { delivery_id }],
    ];
    for (const [route, more] of requests) {
      const answer = await on(stranger, route, endpoint_id, more);
      expect([route, answer.status, answer.body.code]).toEqual([route, 404, 'endpoint_unknown']);
    }
    expect((await change(stranger, endpoint_id, { enabled: false })).status).toBe(404);
    const own = await register(stranger);
    const resent = await on(stranger, 'POST resend_webhook', own.endpoint_id, { delivery_id });
    expect([resent.status, resent.body.code]).toEqual([404, 'delivery_unknown']);
    await deliverNew(hub);
    expect([got(made).length, got(own).length]).toEqual([1, 0]);
  });
});

describe('registering', () => {
  test('needs the session of the user, or the scope of the broker', async () => {
    const { headers: _, ...bare } = await person();
    const unsigned = await webhooks(hub, bare, 'GET get_webhooks');
    expect([unsigned.status, unsigned.body.code]).toEqual([401, 'session_required']);
    const broker = await approvedBroker(hub);
    const reader = asBroker(broker, 'broker:read broker:risk');
    const refused = await webhooks(hub, reader, 'GET get_webhooks');
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_insufficient']);
    await hub.runtime.store.transact([suspensionWrite(broker.subdomain, new Date())]);
    expect((await webhooks(hub, asBroker(broker), 'GET get_webhooks')).body.code).toBe('broker_suspended');
  });

  test('refuses addresses that are not public, not https, or hold a password', async () => {
    const caller = await person();
    const open = hub.with({ HUB_WEBHOOK_REACH: 'internet' });
    for (const url of [
      'http://example.com/hook',
      'https://127.0.0.1/hook',
      'https://[::1]/hook',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.7/hook',
      'https://user:password@example.com/hook',
      'https://example.com/hook#part',
      'ftp://example.com/hook',
      'example.com',
      `https://example.com/${'x'.repeat(600)}`,
    ]) {
      const { status } = await webhooks(open, caller, 'POST register_webhook', { json: { url } });
      expect([url, status]).toEqual([url, 422]);
    }
    expect(await list(caller)).toEqual([]);
  });

  test('refuses an eleventh endpoint, also if many are registered at once', async () => {
    const caller = await person();
    const json = { url: `${receiver.url}/hook` };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => webhooks(hub, caller, 'POST register_webhook', { json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 409, 409]);
    expect(await list(caller)).toHaveLength(10);
  });

  test('sends at most 60 events a minute by hand, over all endpoints', async () => {
    const caller = await person();
    const [one, other] = [await register(caller), await register(caller)];
    const minute = Math.floor(hub.runtime.clock().getTime() / MINUTE);
    const key = endpointsKey(caller.owner);
    await hub.runtime.store.transact([{ key, set: { manual: { minute, count: 59 } } }]);
    expect((await on(caller, 'POST test_webhook', one.endpoint_id)).status).toBe(200);
    const [{ delivery_id }] = await deliveries(caller, one.endpoint_id);
    for (const refused of [
      await on(caller, 'POST test_webhook', other.endpoint_id),
      await on(caller, 'POST resend_webhook', one.endpoint_id, { delivery_id }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await deliveries(caller, one.endpoint_id)).toHaveLength(1);
    hub.advance(MINUTE);
    expect((await on(caller, 'POST test_webhook', other.endpoint_id)).status).toBe(200);
  });

  test('is not set up or moved unseen by the user, as it stays after a password reset', async () => {
    const caller = await person();
    const news = async () =>
      (await webhooks(hub, caller, 'GET get_deployment_notifications')).body.items.map(
        ({ kind, severity, data }: Response['body']) => ({ kind, severity, data }),
      );
    const { endpoint_id, url } = await register(caller);
    const told = (change: string) => ({
      kind: 'webhook_registered',
      severity: 'warning',
      data: { endpoint_id, change },
    });
    expect(await news()).toEqual([told('registered')]);
    // The same address, and other choices.
    expect((await change(caller, endpoint_id, { url, description: 'mine' })).status).toBe(200);
    expect(await news()).toHaveLength(1);
    expect((await change(caller, endpoint_id, { url: `${receiver.url}/elsewhere` })).status).toBe(200);
    expect(await news()).toEqual([told('moved'), told('registered')]);
    const shown = await webhooks(hub, caller, 'GET get_deployment_notifications');
    expect(shown.text).not.toContain(receiver.url);
    const broker = await desk();
    const made = await register(broker);
    expect((await change(broker, made.endpoint_id, { url: `${receiver.url}/desk` })).status).toBe(200);
  });

  test('leaves at most 10 notices a day by mail, text message and push', async () => {
    const { body: user } = await signUp(hub);
    const caller = asUser(user);
    const mails = async () =>
      (await outbox(hub)).filter(
        ({ message }) => message?.kind === 'notification_mail' && message.user_id === user.user_id,
      ).length;
    const { endpoint_id } = await register(caller);
    expect(await mails()).toBe(1);
    for (let time = 0; time < 12; time++) {
      expect((await change(caller, endpoint_id, { url: `${receiver.url}/m-${time}` })).status).toBe(200);
    }
    expect(await mails()).toBe(10);
    expect((await webhooks(hub, caller, 'GET get_deployment_notifications')).body.total).toBe(13);
  });

  test('begins at most 20 replays a day, over all endpoints', async () => {
    const caller = await person();
    const [one, other] = [await register(caller), await register(caller)];
    const replay = ({ endpoint_id }: Response['body']) =>
      webhooks(hub, caller, 'POST replay_webhook', {
        query: { endpoint_id },
        json: { since: hub.runtime.clock().toISOString() },
      });
    const set = (day: string) =>
      hub.runtime.store.transact([{ key: endpointsKey(caller.owner), set: { replays: { day, count: 19 } } }]);
    const now = hub.runtime.clock();
    await set(now.toISOString().slice(0, 10));
    expect((await replay(one)).status).toBe(200);
    const refused = await replay(other);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBe(Math.ceil((DAY - (now.getTime() % DAY)) / 1000));
    expect((await on(caller, 'POST remove_webhook', one.endpoint_id)).status).toBe(200);
    expect((await replay(await register(caller))).status).toBe(429);
    await set(new Date(now.getTime() - DAY).toISOString().slice(0, 10));
    expect((await replay(other)).status).toBe(200);
    expect((await replay(other)).status).toBe(200);
  });

  test('walks over deployments only when listening begins', async () => {
    const caller = await person();
    const walks = async () =>
      (await outbox(hub)).filter(({ message }) => message?.kind === 'change_listeners').length;
    const before = await walks();
    for (let round = 0; round < 3; round++) {
      const { endpoint_id } = await register(caller);
      expect((await on(caller, 'POST remove_webhook', endpoint_id)).status).toBe(200);
    }
    expect(await walks()).toBe(before + 1);
  });

  test('shows secrets once, and stores and logs none', async () => {
    const caller = await person();
    const made = await register(caller);
    const { body: rotated } = await on(caller, 'POST rotate_webhook_secret', made.endpoint_id);
    await on(caller, 'POST test_webhook', made.endpoint_id);
    receiver.answer = refuse(500);
    await deliverNew(hub);
    const shown = JSON.stringify([await list(caller), await deliveries(caller, made.endpoint_id), hub.log]);
    for (const { secret } of [made, rotated]) {
      const bare = secret.slice('whsec_'.length);
      expect(`${shown} ${await hub.tableText()}`).not.toContain(bare);
      expect(await hub.tableText()).not.toContain(Buffer.from(bare, 'base64').toString('latin1'));
    }
    expect(JSON.stringify(hub.log)).not.toContain(receiver.url);
  });
});

/** Answers every challenge in a way, and takes all events. */
const answerChallenge =
  (answer: (challenge: string, body: string) => { status?: number; text: string }): Upstream['answer'] =>
  (request, response) => {
    const { type, data } = JSON.parse(request.body);
    if (type !== 'webhook.challenge') return accept(request, response);
    const { status = 200, text } = answer(data.challenge, request.body);
    return response.writeHead(status).end(text);
  };

describe('a new address', () => {
  const statusOf = async (caller: Caller): Promise<string[]> =>
    (await list(caller)).map(({ status }) => status);
  const registerNew = async (caller: Caller): Promise<Response['body']> => {
    const json = { url: `${receiver.url}/new-${++paths}` };
    return (await webhooks(hub, caller, 'POST register_webhook', { json })).body;
  };
  const typesAt = (made: Response['body']): string[] => got(made).map(({ body }) => JSON.parse(body).type);

  test.each(owners)('of %s gets no event before it has answered the challenge', async (_, owner) => {
    const caller = await owner();
    const made = await registerNew(caller);
    expect(made).toMatchObject({ status: 'pending', disabled_reason: null });
    await send(caller);
    expect(await deliverNew(hub)).toBe(1);
    expect(typesAt(made)).toEqual(['webhook.challenge']);
    const [challenge] = got(made);
    if (!challenge) throw new Error('nothing was received');
    expect(verified(made.secret, challenge)).toMatchObject({ data: { challenge: expect.any(String) } });
    expect(await statusOf(caller)).toEqual(['enabled']);
    expect(await deliveries(caller, made.endpoint_id)).toMatchObject([
      { event_type: 'webhook.challenge', status: 'delivered', http_status: 200 },
    ]);
    const { id } = await send(caller);
    await deliverNew(hub);
    expect(idsOf(got(made)).at(-1)).toBe(id);
  });

  test.each<[string, Parameters<typeof answerChallenge>[0]]>([
    ['with JSON', (challenge) => ({ text: JSON.stringify({ challenge }) })],
    ['with a line', (challenge) => ({ status: 201, text: `${challenge}\n` })],
  ])('may answer %s', async (_, answer) => {
    const caller = await person();
    await registerNew(caller);
    receiver.answer = answerChallenge(answer);
    await deliverNew(hub);
    expect(await statusOf(caller)).toEqual(['enabled']);
  });

  test.each<[string, Parameters<typeof answerChallenge>[0]]>([
    ['takes everything', () => ({ status: 204, text: '' })],
    ['echoes whole requests', (_challenge, body) => ({ text: body })],
    ['refuses, with the text', (challenge) => ({ status: 400, text: challenge })],
    ['answers with another text', (challenge) => ({ text: `x${challenge}` })],
    ['answers with more than that', (challenge) => ({ text: `${challenge}${' '.repeat(3000)}x` })],
    ['sends JSON with more', (challenge) => ({ text: JSON.stringify({ challenge, more: 1 }) })],
  ])('that %s stays pending, and is asked three times', async (_, answer) => {
    const caller = await desk();
    const made = await registerNew(caller);
    const { endpoint_id } = made;
    receiver.answer = answerChallenge(answer);
    await deliverNew(hub);
    for (let hour = 0; hour < 4; hour += 1) {
      hub.advance(HOUR);
      await sweep();
    }
    expect(await statusOf(caller)).toEqual(['pending']);
    expect(typesAt(made)).toEqual(Array(3).fill('webhook.challenge'));
    const [{ delivery_id }] = await deliveries(caller, endpoint_id);
    for (const refused of [
      await on(caller, 'POST resend_webhook', endpoint_id, { delivery_id }),
      await webhooks(hub, caller, 'POST replay_webhook', {
        query: { endpoint_id },
        json: { since: hub.runtime.clock().toISOString() },
      }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'endpoint_pending']);
    }
    // Switched off and on, it is asked again, and so by a test.
    await change(caller, endpoint_id, { enabled: false });
    expect((await change(caller, endpoint_id, { enabled: true })).body.status).toBe('pending');
    const again = await on(caller, 'POST test_webhook', endpoint_id);
    expect(again.body).toMatchObject({ event_type: 'webhook.challenge', status: 'pending' });
    receiver.answer = accept;
    await deliverNew(hub);
    expect(await statusOf(caller)).toEqual(['enabled']);
    hub.advance(-4 * HOUR);
  });

  test('of an endpoint that moves gets what waits once it has answered', async () => {
    const caller = await person();
    const made = await register(caller);
    await send(caller);
    const moved = { url: `${receiver.url}/moved-${++paths}` };
    expect((await change(caller, made.endpoint_id, moved)).body.status).toBe('pending');
    receiver.answer = answerChallenge(() => ({ status: 500, text: '' }));
    await send(caller);
    await deliverNew(hub);
    expect([typesAt(made), typesAt(moved)]).toEqual([[], ['webhook.challenge']]);
    receiver.answer = accept;
    hub.advance(MINUTE);
    await sweep();
    await attend();
    hub.advance(-MINUTE);
    expect(typesAt(moved)).toEqual(['webhook.challenge', 'webhook.challenge', 'order.filled']);
    expect(await statusOf(caller)).toEqual(['enabled']);
  });

  test('is not proved by the answer of the one before', async () => {
    const caller = await person();
    const made = await registerNew(caller);
    const elsewhere = { url: `${receiver.url}/elsewhere-${++paths}` };
    let moving: Promise<Response> | undefined;
    receiver.answer = (request, response) => {
      if (request.url.pathname !== new URL(made.url).pathname) return response.writeHead(204).end();
      moving ??= change(caller, made.endpoint_id, elsewhere);
      return moving.then(() => accept(request, response));
    };
    await deliverNew(hub);
    expect(await list(caller)).toMatchObject([{ ...elsewhere, status: 'pending' }]);
  });

  test('counts as an event by hand, so that nobody floods the address of somebody else', async () => {
    const caller = await person();
    const answers: number[] = [];
    for (let round = 0; round < 61; round += 1) {
      const json = { url: `${receiver.url}/flooded` };
      const { status, body } = await webhooks(hub, caller, 'POST register_webhook', { json });
      answers.push(status);
      if (status === 200) await on(caller, 'POST remove_webhook', body.endpoint_id);
    }
    expect(answers).toEqual([...Array(60).fill(200), 429]);
  });
});

describe('events', () => {
  test('reach the endpoints whose filters take them, with the same id', async () => {
    const caller = await person();
    const all = await register(caller);
    const fills = await register(caller, { events: ['order.filled'], deployment_ids: [7] });
    const others = await register(caller, { deployment_ids: [8] });
    const stranger = await register(await person());
    const filled = await send(caller);
    const closed = await send(caller, { type: 'trade.closed' });
    const done = await send(caller, { type: 'backtest.done', deployment_id: undefined });
    await deliverNew(hub);
    expect(idsOf(got(all)).sort()).toEqual([filled.id, closed.id, done.id].sort());
    expect(idsOf(got(fills))).toEqual([filled.id]);
    expect([...got(others), ...got(stranger)]).toEqual([]);
    expect(JSON.parse(got(fills)[0]?.body ?? '')).toEqual({
      type: 'order.filled',
      timestamp: filled.at,
      deployment_id: 7,
      sequence: filled.sequence,
      data: { order_id: 12 },
    });
  });

  test('are signed with both secrets for a day after a rotation', async () => {
    const caller = await person();
    const made = await register(caller);
    const { body: rotated } = await on(caller, 'POST rotate_webhook_secret', made.endpoint_id);
    expect(Date.parse(rotated.previous_secret_until) - Date.parse(rotated.secret_since)).toBe(DAY);
    await send(caller);
    await deliverNew(hub);
    const [during] = got(made);
    if (!during) throw new Error('nothing was received');
    for (const secret of [made.secret, rotated.secret]) verified(secret, during);
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, during)).toThrow();
    hub.advance(DAY);
    await send(caller);
    await deliverNew(hub);
    hub.advance(-DAY);
    expect(String(got(made).at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('are listed newest first, page by page, and sent again with the same id', async () => {
    const caller = await person();
    const made = await register(caller);
    const { endpoint_id } = made;
    const sent: string[] = [];
    for (let n = 0; n < 5; n++) {
      sent.push((await send(caller)).id);
      hub.advance(1000);
    }
    await deliverNew(hub);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const more: Record<string, string> = { limit: '2', ...(cursor !== null && { cursor }) };
      const { body } = await on(caller, 'GET get_webhook_deliveries', endpoint_id, more);
      for (const { event_id } of body.deliveries) seen.push(event_id);
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(sent.reverse());
    const [{ delivery_id, event_id }] = await deliveries(caller, endpoint_id);
    const { body: again } = await on(caller, 'POST resend_webhook', endpoint_id, { delivery_id });
    expect(again).toMatchObject({ event_id, status: 'pending' });
    expect(again.delivery_id).not.toBe(delivery_id);
    await deliverNew(hub);
    expect(idsOf(got(made)).filter((id) => id === event_id)).toHaveLength(2);
  });

  test('are listed without a damaged one at the end of a page, and the pages go on after it', async () => {
    const caller = await person();
    const { endpoint_id } = await register(caller);
    const sent: string[] = [];
    for (let n = 0; n < 4; n++) {
      sent.unshift((await send(caller)).id);
      hub.advance(1000);
    }
    await deliverNew(hub);
    const { store } = hub.runtime;
    const { pk } = keys.webhookDelivery(endpoint_id, '');
    const stored = await store.queryItems({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :delivery)',
      ExpressionAttributeValues: { ':pk': pk, ':delivery': 'DELIVERY#' },
      ScanIndexForward: false,
    });
    await store.put({ ...stored[1], attempts: 'x' });
    hub.log.length = 0;
    const { body: first } = await on(caller, 'GET get_webhook_deliveries', endpoint_id, { limit: '2' });
    const more = { limit: '2', cursor: first.next_cursor };
    const { body: second } = await on(caller, 'GET get_webhook_deliveries', endpoint_id, more);
    const seen = [first, second].map(({ deliveries: page }) =>
      page.map(({ event_id }: { event_id: string }) => event_id),
    );
    expect(seen).toEqual([sent.slice(0, 1), sent.slice(2)]);
    expect(second.next_cursor).toBeNull();
    expect(hub.log.map(({ message }) => message)).toContain('a record cannot be read');
  });

  test('of an endpoint that was removed, and of a broker that is suspended, are not sent', async () => {
    const [caller, broker] = [await person(), await approvedBroker(hub)];
    const [removed, suspended] = [await register(caller), await register(asBroker(broker))];
    await send(caller);
    await on(caller, 'POST remove_webhook', removed.endpoint_id);
    await send(caller);
    await on(asBroker(broker), 'POST test_webhook', suspended.endpoint_id);
    await hub.runtime.store.transact([suspensionWrite(broker.subdomain, new Date())]);
    expect(await deliverNew(hub)).toBeGreaterThan(1);
    expect([...got(removed), ...got(suspended)]).toEqual([]);
  });

  test('follow no redirect, and go to no name that leads to a private address', async () => {
    const caller = await person();
    const moved = await register(caller);
    receiver.answer = refuse(307, { location: `${receiver.url}/elsewhere` });
    await on(caller, 'POST test_webhook', moved.endpoint_id);
    await deliverNew(hub);
    expect(receiver.received.some(({ url }) => url.pathname === '/elsewhere')).toBe(false);
    expect(await deliveries(caller, moved.endpoint_id)).toMatchObject([
      { status: 'pending', http_status: 307 },
    ]);
    const named = await register(caller, { url: 'https://localhost/named' });
    await on(caller, 'POST test_webhook', named.endpoint_id);
    await deliverNew(hub.with({ HUB_WEBHOOK_REACH: 'internet' }));
    expect(await deliveries(caller, named.endpoint_id)).toMatchObject([
      { status: 'pending', http_status: null, failure: 'the address is not an allowed target' },
    ]);
  });
});

/** Advances the time to the next attempt at a delivery, and lets the jobs run. Returns false if none is left. */
const nextAttempt = async (caller: Caller, endpoint_id: string): Promise<boolean> => {
  const { store, clock } = hub.runtime;
  const due = (await findDueWebhooks(store, new Date(clock().getTime() + 30 * DAY), 1000)).find(
    ({ delivery_id }) => endpointOf(delivery_id) === endpoint_id,
  );
  if (due?.due_at === undefined) return false;
  hub.advance(Math.max(0, due.due_at - clock().getTime()));
  await sweep();
  await attend();
  return (await deliveries(caller, endpoint_id)).some(({ status }) => status === 'pending');
};

describe('an endpoint that fails', () => {
  test('gets an event again, later each time, until three days are over', async () => {
    const caller = await desk();
    const made = await register(caller);
    receiver.answer = refuse(500);
    const { id } = await send(caller);
    const from = hub.runtime.clock().getTime();
    await deliverNew(hub);
    expect(await deliveries(caller, made.endpoint_id)).toMatchObject([
      { status: 'pending', attempts: 1, http_status: 500, failure: 'answered 500' },
    ]);
    while (await nextAttempt(caller, made.endpoint_id));
    const lasted = hub.runtime.clock().getTime() - from;
    expect(new Set(idsOf(got(made)))).toEqual(new Set([id]));
    expect(got(made).length).toBeGreaterThan(8);
    expect(got(made).length).toBeLessThan(20);
    expect(lasted).toBeGreaterThan(2 * DAY);
    expect(lasted).toBeLessThanOrEqual(3 * DAY);
    expect(await deliveries(caller, made.endpoint_id)).toMatchObject([
      { status: 'failed', http_status: 500, attempts: got(made).length },
    ]);
    expect(await list(caller)).toMatchObject([{ status: 'enabled', failing_since: expect.any(String) }]);
  });

  test('is not asked before Retry-After', async () => {
    const caller = await desk();
    const made = await register(caller);
    receiver.answer = refuse(429, { 'retry-after': '7200' });
    await send(caller);
    await deliverNew(hub);
    receiver.answer = accept;
    hub.advance(119 * MINUTE);
    await sweep();
    expect(got(made)).toHaveLength(1);
    hub.advance(2 * MINUTE);
    await sweep();
    expect(got(made)).toHaveLength(2);
  });

  test('costs one attempt from time to time, however many events wait, and then gets all', async () => {
    const [caller, other] = [await desk(), await desk()];
    const made = await register(caller);
    const healthy = await register(other);
    const isHealthy = ({ url }: Received): boolean => healthy.url.endsWith(url.pathname);
    receiver.answer = (request, response) => (isHealthy(request) ? accept : refuse(503))(request, response);
    const sent: string[] = [];
    for (let n = 0; n < 12; n++) sent.push((await send(caller)).id);
    await deliverNew(hub);
    expect(got(made)).toHaveLength(5);
    const { id } = await send(other);
    await deliverNew(hub);
    expect(idsOf(got(healthy))).toEqual([id]);
    for (let minute = 0; minute < 20; minute++) {
      hub.advance(MINUTE);
      await attend();
    }
    const probes = got(made).length - 5;
    expect(probes).toBeGreaterThan(2);
    expect(probes).toBeLessThan(8);
    receiver.answer = accept;
    receiver.received.length = 0;
    hub.advance(2 * HOUR);
    await attend();
    while (await nextAttempt(caller, made.endpoint_id));
    hub.advance(2 * MINUTE);
    await attend();
    expect(idsOf(got(made)).sort()).toEqual(sent.sort());
    const statuses = (await deliveries(caller, made.endpoint_id)).map(({ status }) => status);
    expect(statuses).toEqual(Array(12).fill('delivered'));
    expect(await list(caller)).toMatchObject([{ failing_since: null }]);
    const { id: last } = await send(caller);
    await deliverNew(hub);
    expect(idsOf(got(made)).at(-1)).toBe(last);
  });

  test('is disabled by 410 at once, and its owner is notified', async () => {
    const caller = await person();
    const { endpoint_id } = await register(caller);
    receiver.answer = refuse(410);
    await send(caller);
    await deliverNew(hub);
    expect(await list(caller)).toMatchObject([
      { status: 'disabled', disabled_reason: 'gone', disabled_at: expect.any(String) },
    ]);
    const { body } = await webhooks(hub, caller, 'GET get_deployment_notifications');
    expect(body.items).toMatchObject([
      { kind: 'webhook_disabled', data: { endpoint_id, reason: 'gone' } },
      { kind: 'webhook_registered' },
    ]);
    expect(JSON.stringify(body)).not.toContain(receiver.url);
    await send(caller);
    expect(await deliverNew(hub)).toBe(0);
    const refused = await on(caller, 'POST test_webhook', endpoint_id);
    expect([refused.status, refused.body.code]).toEqual([409, 'endpoint_disabled']);
  });

  test('that is enabled and disabled again and again sends at most ten mails a day', async () => {
    const { body: user } = await signUp(hub);
    const caller = asUser(user);
    const { endpoint_id } = await register(caller);
    const day = hub.runtime.clock().toISOString().slice(0, 10);
    await hub.runtime.store.transact([
      { key: keys.user(user.user_id), set: { email_verified: true } },
      { key: endpointsKey(caller.owner), set: { notices: { day, count: 9 } } },
    ]);
    receiver.answer = refuse(410);
    for (let round = 0; round < 3; round++) {
      expect((await change(caller, endpoint_id, { enabled: true })).status).toBe(200);
      expect((await on(caller, 'POST test_webhook', endpoint_id)).status).toBe(200);
      await attend();
      await deliverNew(hub);
      await attend();
    }
    const { body } = await webhooks(hub, caller, 'GET get_deployment_notifications');
    const kinds = body.items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual([...Array(3).fill('webhook_disabled'), 'webhook_registered']);
    const mails = (await outbox(hub)).filter(
      ({ message }) =>
        message?.kind === 'notification_mail' && message.to === user.email && message.group === 'status',
    );
    expect(mails).toHaveLength(1);
  });

  test('is disabled after five days without a success, and goes on once it is enabled', async () => {
    const caller = await desk();
    const made = await register(caller);
    receiver.answer = refuse(500);
    for (let half = 0; half < 11; half++) {
      await send(caller);
      await deliverNew(hub);
      hub.advance(12 * HOUR);
      await sweep();
      await attend();
    }
    expect(await list(caller)).toMatchObject([{ status: 'disabled', disabled_reason: 'failing' }]);
    receiver.answer = accept;
    receiver.received.length = 0;
    hub.advance(HOUR);
    await sweep();
    await attend();
    expect(got(made)).toEqual([]);
    const waiting = (await deliveries(caller, made.endpoint_id)).filter(({ status }) => status === 'pending');
    expect(waiting.length).toBeGreaterThan(3);
    expect((await change(caller, made.endpoint_id, { enabled: true })).body.failing_since).toBeNull();
    await attend();
    while (await nextAttempt(caller, made.endpoint_id));
    expect(idsOf(got(made)).sort()).toEqual(waiting.map(({ event_id: id }) => id).sort());
    expect(await list(caller)).toMatchObject([{ status: 'enabled', failing_since: null }]);
  });

  test('gets an event again if it breaks the connection', async () => {
    const caller = await desk();
    const { endpoint_id } = await register(caller);
    receiver.answer = (_request, response) => response.destroy();
    await send(caller);
    await deliverNew(hub);
    expect(await deliveries(caller, endpoint_id)).toMatchObject([
      { status: 'pending', failure: 'not reached: ECONNRESET' },
    ]);
    receiver.answer = accept;
    hub.advance(MINUTE);
    await sweep();
    expect(await deliveries(caller, endpoint_id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });
});

test('every event arrives, with its id, whichever write the process dies at', async () => {
  const caller = await desk();
  const made = await register(caller);
  const { runtime } = hub;
  for (const fails of [false, true]) {
    for (const applied of [false, true]) {
      for (let write = 1; write <= 3; write++) {
        receiver.answer = fails ? refuse(500) : accept;
        const { id } = await send(caller);
        const dying = hub.over(new DyingStore(runtime.store, write, applied, 'single'));
        await deliverNew(dying).catch(() => undefined);
        receiver.answer = accept;
        for (let attempt = 0; attempt < 3; attempt++) {
          hub.advance(10 * MINUTE);
          await sweep();
          await attend();
        }
        expect(idsOf(got(made))).toContain(id);
      }
    }
  }
  const found = await deliveries(caller, made.endpoint_id);
  expect(found.map(({ status }) => status)).toEqual(Array(12).fill('delivered'));
});

test('endpoints, secrets and deliveries are removed with the account of their user', async () => {
  const { body: user } = await signUp(hub);
  const caller = asUser(user);
  const { endpoint_id } = await register(caller);
  await on(caller, 'POST test_webhook', endpoint_id);
  await deliverNew(hub);
  expect(await hub.tableText()).toContain(endpoint_id);
  const json = { email: user.email, password: PASSWORD };
  expect((await webhooks(hub, caller, 'POST delete_account', { json })).status).toBe(200);
  for (let minute = 0; minute < 8; minute++) {
    await runJob(hub.runtime, { job: 'delete-accounts' });
    hub.advance(MINUTE);
  }
  const text = await hub.tableText();
  expect([text.includes(endpoint_id), text.includes(user.user_id)]).toEqual([false, false]);
});
