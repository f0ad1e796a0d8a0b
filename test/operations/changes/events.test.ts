import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { brokerLog } from '../../../shared/data/changes/change-log.ts';
import { userLog } from '../../../shared/data/changes/listeners.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { approvedBroker, linkAccount, tokenOf } from '../../support/brokers.ts';
import { carryAll, moveAll } from '../../support/changes.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { bearer, freshEmail, register, registerUnproven, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, deployTrading, reportOrder } from '../../support/trading.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

const read = (
  user_id: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
  sourceIp = '127.0.0.1',
) => hub.call('GET /events', { query: { user_id, ...query }, headers, sourceIp });

/** Returns a user who listens, with a deployment. */
const listening = async () => {
  const owner = await deployedTrader(hub);
  const { body } = await read(owner.user_id);
  await carryAll(hub);
  return { ...owner, start: body.next as string };
};

const fill = async (id: number, order: string): Promise<void> => {
  await reportOrder(hub, id, { client_order_id: order });
  await moveAll(hub);
};

/** Returns the requests that wait for events. */
const waits = async (): Promise<unknown[]> => {
  const [item] = await hub.runtime.store.getMany([keys.changeWaits()], { consistent: true });
  return Array.isArray(item?.waits) ? item.waits : [];
};

const untilWaiting = (count: number): Promise<void> => until(async () => (await waits()).length === count);

const typesOf = (body: { items: { type: string }[] }) => body.items.map(({ type }) => type);

const sequencesOf = (body: { items: { sequence: number }[] }) => body.items.map(({ sequence }) => sequence);

/** Damages an event of a log. */
const damageEntry = async (log: string, position: number): Promise<void> => {
  const key = keys.changeEntry(log, position);
  const [item] = await hub.runtime.store.getMany([key]);
  if (!item) throw new Error('there is no event to damage');
  await hub.runtime.store.put({ ...item, event: { ...Object(item.event), id: undefined } });
};

const damagedRecords = (): unknown[] =>
  hub.log.flatMap(({ message, extra }) => (message === 'a record cannot be read' ? [extra.record] : []));

describe('GET /events', () => {
  test('goes on from the cursor, in parts of any size', async () => {
    const { user_id, id, start } = await listening();
    for (const order of ['a', 'b', 'c']) await fill(id, order);
    const whole = await read(user_id, { after: start });
    expect(whole.status).toBe(200);
    expect(whole.body.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    const parts: unknown[] = [];
    let after = start;
    for (let part = 0; part < 4; part++) {
      const { body } = await read(user_id, { after, limit: '2' });
      parts.push(...body.items);
      after = body.next;
    }
    expect(parts).toEqual(whole.body.items);
    expect(after).toBe(whole.body.next);
    expect(typesOf((await read(user_id)).body)).toHaveLength(6);
    expect(typesOf((await read(user_id, { after: 'latest' })).body)).toEqual([]);
  });

  test('shows nothing of another user', async () => {
    const [one, other] = [await listening(), await listening()];
    await fill(one.id, 'a');
    expect((await read(other.user_id, { after: other.start })).body.items).toEqual([]);
  });

  test('answers an unknown user with 404 and a malformed cursor with 422', async () => {
    const { user_id } = await listening();
    expect((await read('nobody')).status).toBe(404);
    for (const after of ['', '-1', '1.2', 'x'.repeat(500), '1e999', '🙂']) {
      expect([after, (await read(user_id, { after })).status]).toEqual([after, 422]);
    }
  });

  test('waits for an event, and answers at once if two requests of the user wait', async () => {
    const { user_id, id, start } = await listening();
    const waiting = [1, 2].map(() => read(user_id, { after: start, wait: '10' }));
    await untilWaiting(2);
    expect((await read(user_id, { after: start, wait: '10' })).body.items).toEqual([]);
    await fill(id, 'a');
    for (const { body } of await Promise.all(waiting))
      expect(typesOf(body)).toEqual(['order.placed', 'order.filled']);
    expect(await waits()).toEqual([]);
  });

  test('keeps slots for others, however many accounts of a network wait', async () => {
    const key = keys.changeWaits();
    const { store, clock } = hub.runtime;
    const waiter = async (sourceIp: string, proven: boolean) => {
      const { user_id } = (await (proven ? register : registerUnproven)(hub)).body;
      await read(user_id, {}, {}, sourceIp);
      return () => read(user_id, { after: 'latest', wait: '1' }, {}, sourceIp);
    };
    const [member, other] = [await waiter('198.51.100.7', true), await waiter('198.51.100.8', true)];
    const [elsewhere, stranger] = [await waiter('203.0.113.7', true), await waiter('203.0.113.8', false)];
    const revision = async () => (await store.getMany([key], { consistent: true }))[0]?.rev;
    /** Returns whether a request waited, which changes the list. */
    const waited = async (ask: () => Promise<Response>): Promise<boolean> => {
      const before = await revision();
      expect((await ask()).status).toBe(200);
      return (await revision()) !== before;
    };
    const asking = member();
    await untilWaiting(1);
    const [own] = await waits();
    await asking;
    // As many of its network as may wait, for as long as the test takes.
    const rev = Number(await revision());
    const crowd = Array.from({ length: 8 }, (_, index) => ({
      ...Object(own),
      caller: `c${index}`,
      holder: `h${index}`,
      until: clock().getTime() + DAY_MS,
    }));
    await store.put({ ...key, rev, waits: crowd });
    expect(await waited(other)).toBe(false);
    expect(await waited(elsewhere)).toBe(true);
    expect(await waited(stranger)).toBe(true);
    const unproven = crowd
      .slice(0, 4)
      .map((one, index) => ({ ...one, network: `n${index}`, unproven: true }));
    await store.put({ ...key, rev, waits: unproven });
    expect(await waited(stranger)).toBe(false);
    expect(await waited(elsewhere)).toBe(true);
    await store.delete(key);
  });

  test('sends Server-Sent Events, and goes on after Last-Event-ID', async () => {
    const { user_id, id, start } = await listening();
    await fill(id, 'a');
    const accept = 'text/event-stream';
    const { headers, text } = await read(user_id, { after: start }, { accept });
    expect(headers['content-type']).toBe(accept);
    const events = [...text.matchAll(/^id: (.+)\ndata: (.+)\n\n/gm)];
    expect(events.map(([, , data = '']) => JSON.parse(data).type)).toEqual(['order.placed', 'order.filled']);
    const first = events[0]?.[1] ?? '';
    const rest = await read(user_id, { after: start }, { accept, 'last-event-id': first });
    expect(rest.text.match(/data: /g)).toHaveLength(1);
  });

  test('keeps events for 30 days, and refuses a cursor before them', async () => {
    const { user_id, id, start } = await listening();
    await fill(id, 'a');
    hub.advance(20 * DAY_MS);
    const { body: renewed } = await read(user_id, { after: 'latest' });
    await fill(id, 'b');
    hub.advance(12 * DAY_MS);
    const { status, body } = await read(user_id, { after: start });
    expect([status, body.code]).toEqual([410, 'cursor_expired']);
    expect(typesOf((await read(user_id, { after: renewed.next })).body)).toHaveLength(2);
    expect(typesOf((await read(user_id)).body)).toHaveLength(2);
  });

  test('a reader that finds events at each read keeps listening', async () => {
    const { user_id, id, start } = await listening();
    let after = start;
    for (const order of ['a', 'b', 'c', 'd']) {
      hub.advance(10 * DAY_MS);
      await fill(id, order);
      const { body } = await read(user_id, { after });
      expect([order, typesOf(body)]).toEqual([order, ['order.placed', 'order.filled']]);
      after = body.next;
    }
    await carryAll(hub);
    await fill(id, 'e');
    expect(typesOf((await read(user_id, { after })).body)).toHaveLength(2);
  });

  test('an event of a newer version passes unchanged', async () => {
    const { user_id, start } = await listening();
    const event = {
      id: 'n',
      type: 'moon.landed',
      at: hub.runtime.clock().toISOString(),
      data: { crew: [3] },
      more: 1,
    };
    const { store } = hub.runtime;
    const log = `CHANGE_LOG#USER#${user_id}`;
    await store.put({ pk: log, sk: '1'.padStart(16, '0'), entity: 'change_event', event });
    await store.put({
      pk: log,
      sk: 'HEAD',
      entity: 'change_log',
      position: 1,
      days: [{ day: event.at.slice(0, 10), from: 1 }],
      last_at: 0,
    });
    expect((await read(user_id, { after: start })).body.items).toEqual([event]);
  });

  test('a reader that would miss a damaged event reads the present state again, and goes on after it', async () => {
    const { user_id, id, start } = await listening();
    for (const order of ['a', 'b', 'c']) await fill(id, order);
    const { items, next: second } = (await read(user_id, { after: start, limit: '2' })).body;
    await damageEntry(userLog(user_id), 3);
    hub.log.length = 0;
    const expired = { status: 410, body: { code: 'cursor_expired' } };
    expect(await read(user_id, { after: second })).toMatchObject(expired);
    expect(damagedRecords()).toEqual([
      'the entry 0000000000000003 of a log of events cannot be read: event.id: field required',
    ]);
    expect(JSON.stringify(hub.log)).not.toContain(user_id);
    expect(await read(user_id, { after: start })).toMatchObject(expired);
    const stream = { accept: 'text/event-stream', 'last-event-id': second };
    expect(await read(user_id, {}, stream)).toMatchObject(expired);
    // Each way to go on that the refusal names.
    const oldest = (await read(user_id)).body;
    expect(sequencesOf(oldest)).toEqual([4, 5, 6]);
    const { next } = (await read(user_id, { after: 'latest' })).body;
    expect(next).toBe(oldest.next);
    await fill(id, 'd');
    expect(sequencesOf((await read(user_id, { after: next })).body)).toEqual([7, 8]);
    expect(items).toHaveLength(2);
    expect(sequencesOf((await read(user_id)).body)).toEqual([4, 5, 6, 7, 8]);
  });

  test('a reader from the oldest event begins after damaged ones', async () => {
    const { user_id, id } = await listening();
    for (const order of ['a', 'b', 'c', 'd']) await fill(id, order);
    for (const position of [1, 3, 6]) await damageEntry(userLog(user_id), position);
    const shown: number[] = [];
    let after: string | undefined;
    for (let reads = 0; reads < 8; reads++) {
      const { status, body } = await read(user_id, { limit: '2', ...(after !== undefined && { after }) });
      if (status === 410) after = undefined;
      else {
        shown.push(...sequencesOf(body));
        after = body.next;
      }
    }
    expect(shown).toEqual([4, 5, 7, 8]);
  });
});

describe('GET /broker/events', () => {
  const asBroker = (broker: string, query: Record<string, string> = {}) =>
    hub.call('GET /broker/events', {
      query,
      authorized: { broker, expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' },
    });

  test('has the events of its deployments in order, whatever the size of the parts, and no user_id', async () => {
    const [broker, other] = [await approvedBroker(hub), await approvedBroker(hub)];
    const { body: begun } = await asBroker(broker.subdomain);
    await asBroker(other.subdomain);
    const ids: number[] = [];
    for (let client = 0; client < 3; client++) {
      const email = freshEmail();
      const { body: user } = await register(hub, { email });
      await linkAccount(hub, email, broker.subdomain, await tokenOf(hub, broker, `acc-${email}`));
      const { body: strategy } = await build(hub, { user_id: user.user_id, symbol: 'AAPL' });
      const { body } = await deployTrading(hub, strategy.keygen, { broker_id: String(broker.broker_id) });
      ids.push(body.deployment_id);
    }
    for (const order of ['a', 'b']) for (const id of ids) await fill(id, order);
    const seen: { deployment_id: number; sequence: number }[] = [];
    let after = begun.next as string;
    for (let part = 0; part < 6; part++) {
      const { body, text } = await asBroker(broker.subdomain, { after, limit: '3' });
      expect(text).not.toContain('user_id');
      seen.push(...body.items);
      after = body.next;
    }
    for (const id of ids) {
      const own = seen.filter(({ deployment_id }) => deployment_id === id);
      expect(own.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    }
    expect(seen).toHaveLength(15);
    expect((await asBroker(other.subdomain)).body.items).toEqual([]);
  });

  test('a damaged event expires the cursors before it in its log only', async () => {
    const desk = await approvedBroker(hub);
    const { body: begun } = await asBroker(desk.subdomain);
    const email = freshEmail();
    const { body: user } = await register(hub, { email });
    await linkAccount(hub, email, desk.subdomain, await tokenOf(hub, desk, `acc-${email}`));
    const { body: strategy } = await build(hub, { user_id: user.user_id, symbol: 'AAPL' });
    const { body } = await deployTrading(hub, strategy.keygen, { broker_id: String(desk.broker_id) });
    for (const order of ['a', 'b']) await fill(body.deployment_id, order);
    const whole = (await asBroker(desk.subdomain)).body;
    await damageEntry(brokerLog(desk.broker_id, user.user_id), 2);
    const expired = { status: 410, body: { code: 'cursor_expired' } };
    expect(await asBroker(desk.subdomain, { after: begun.next })).toMatchObject(expired);
    expect((await asBroker(desk.subdomain)).body.items).toEqual(whole.items.slice(2));
    await fill(body.deployment_id, 'c');
    const rest = await asBroker(desk.subdomain, { after: whole.next });
    expect([rest.status, sequencesOf(rest.body)]).toEqual([200, [6, 7]]);
  });
});

test('a read that waits is refused if its session or token ends meanwhile', async () => {
  const desk = await approvedBroker(hub);
  const { body: user } = await signUp(hub);
  const headers = bearer(user.access_token);
  await read(user.user_id, {}, headers);
  const expires_at = Math.floor(hub.runtime.clock().getTime() / 1000) + 5;
  const authorized = { broker: desk.subdomain, expires_at, scope: 'broker:read' };
  await hub.call('GET /broker/events', { authorized });
  const waiting = [
    read(user.user_id, { wait: '3' }, headers),
    hub.call('GET /broker/events', { query: { wait: '3' }, authorized }),
  ];
  await untilWaiting(2);
  expect((await hub.call('POST /session/logout', { headers })).status).toBe(200);
  hub.advance(5000);
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [401, 'session_invalid'],
    [401, 'access_token_invalid'],
  ]);
});
