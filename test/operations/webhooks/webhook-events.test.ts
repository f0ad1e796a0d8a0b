import { describe, expect, test } from '@jest/globals';
import { userLog } from '../../../shared/data/changes/listeners.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { approvedBroker } from '../../support/brokers.ts';
import { carryAll, eventsOf, moveAll } from '../../support/changes.ts';
import type { Response } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { openWebhooks } from '../../support/open-webhooks.ts';
import { loginSteppedUp } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, deployTrading, report, reportOrder } from '../../support/trading.ts';
import {
  asBroker,
  asUser,
  type Caller,
  deliverNew,
  registerProven,
  webhooks,
} from '../../support/webhooks.ts';

const YEAR = 365 * 24 * 3_600_000;

const { hub, receiver } = await openWebhooks(furnishWithInstruments);

const register = async (caller: Caller, path: string, more: object = {}): Promise<Response['body']> => {
  const json = { url: `${receiver.url}/${path}`, ...more };
  const body = await registerProven(hub, caller, json);
  await carryAll(hub);
  return body;
};

/** Signs a user in. */
const sessionOf = async ({ user_id }: { readonly user_id: string }): Promise<Caller> => {
  const user = await findUser(hub.runtime.store, user_id);
  return asUser((await loginSteppedUp(hub, user?.email ?? '')).body);
};

/** Returns what arrived at a path, in order. */
const got = (path: string) =>
  receiver.received
    .filter(({ url }) => url.pathname === `/${path}`)
    .map(({ headers, body }) => ({ id: headers['webhook-id'], ...JSON.parse(body) }));

describe('webhooks of a user', () => {
  test('get every event of the log once, in order per deployment, and nobody else gets any', async () => {
    const [owner, stranger] = [await deployedTrader(hub), await deployedTrader(hub)];
    const caller = await sessionOf(owner);
    await register(caller, 'all');
    await register(caller, 'fills', { events: ['order.filled'] });
    await register(await sessionOf(stranger), 'stranger');
    await register(asBroker(await approvedBroker(hub)), 'broker');
    await reportOrder(hub, owner.id, { client_order_id: 'in' });
    await reportOrder(hub, owner.id, { client_order_id: 'out', side: 'sell', average_price: '110' });
    await reportOrder(hub, owner.id, { client_order_id: 'out', side: 'sell', average_price: '110' });
    const later: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
    await report(hub, 'Deployment Started', later);
    const log = await eventsOf(hub, owner.user_id);
    await moveAll(hub);
    await deliverNew(hub);
    const expected = log.map(({ at, ...event }) => ({ timestamp: at, ...event }));
    expect(expected.length).toBeGreaterThan(6);
    const bySequence = (left: { sequence: number }, right: { sequence: number }): number =>
      left.sequence - right.sequence;
    for (const id of [owner.id, later]) {
      const arrived = got('all').filter(({ deployment_id }) => deployment_id === id);
      expect(arrived.sort(bySequence)).toEqual(expected.filter(({ deployment_id }) => deployment_id === id));
    }
    expect(got('all')).toHaveLength(expected.length);
    const filled = log.filter(({ type }) => type === 'order.filled').map(({ id }) => id);
    expect(new Set(got('fills').map(({ id }) => id))).toEqual(new Set(filled));
    expect([...got('stranger'), ...got('broker')]).toEqual([]);
  });

  test('keep listening while there is an endpoint, without any read', async () => {
    const owner = await deployedTrader(hub);
    await register(await sessionOf(owner), 'lasting');
    hub.advance(YEAR);
    for (const client_order_id of ['first', 'second']) {
      await reportOrder(hub, owner.id, { client_order_id });
      await moveAll(hub);
      await carryAll(hub);
    }
    await deliverNew(hub);
    expect(got('lasting').filter(({ type }) => type === 'order.filled')).toHaveLength(2);
  });

  test('are sent again from the log, those since a time and of the filter, with the same ids', async () => {
    const owner = await deployedTrader(hub);
    const caller = await sessionOf(owner);
    const { endpoint_id } = await register(caller, 'replayed', { events: ['order.filled'] });
    const order = async (client_order_id: string): Promise<void> => {
      hub.advance(60_000);
      await reportOrder(hub, owner.id, { client_order_id });
    };
    await order('early');
    hub.advance(60_000);
    const since = hub.runtime.clock().toISOString();
    await order('late');
    await order('last');
    const log = await eventsOf(hub, owner.user_id);
    await deliverNew(hub);
    const wanted = log.filter(({ type, at }) => type === 'order.filled' && at >= since).map(({ id }) => id);
    expect([wanted.length, got('replayed').length]).toEqual([2, 3]);
    receiver.received.length = 0;
    const query = { endpoint_id };
    const { status, body } = await webhooks(hub, caller, 'POST replay_webhook', { query, json: { since } });
    expect([status, body.since]).toEqual([200, since]);
    await runJob(hub.runtime, { job: 'attend-webhooks' });
    expect(new Set(got('replayed').map(({ id }) => id))).toEqual(new Set(wanted));
    await runJob(hub.runtime, { job: 'attend-webhooks' });
    expect(got('replayed')).toHaveLength(2);
    const { body: deliveries } = await webhooks(hub, caller, 'GET get_webhook_deliveries', { query });
    expect(deliveries.deliveries).toHaveLength(5);
  });

  test('are sent again without a damaged one, which the job names once', async () => {
    const owner = await deployedTrader(hub);
    const caller = await sessionOf(owner);
    const { endpoint_id } = await register(caller, 'mended', { events: ['order.filled'] });
    const since = hub.runtime.clock().toISOString();
    for (const client_order_id of ['first', 'second', 'third']) {
      hub.advance(60_000);
      await reportOrder(hub, owner.id, { client_order_id });
    }
    const log = await eventsOf(hub, owner.user_id);
    await deliverNew(hub);
    const [first, second, third] = log.filter(({ type }) => type === 'order.filled').map(({ id }) => id);
    const { store } = hub.runtime;
    const entries = await store.queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.changeLog(userLog(owner.user_id)).pk },
    });
    const damaged = entries.find((item) => JSON.stringify(item).includes(`"${second}"`));
    if (!damaged) throw new Error('the event is not in the log');
    await store.put({ ...damaged, event: 'x' });
    receiver.received.length = 0;
    const query = { endpoint_id };
    expect((await webhooks(hub, caller, 'POST replay_webhook', { query, json: { since } })).status).toBe(200);
    hub.log.length = 0;
    await expect(runJob(hub.runtime, { job: 'attend-webhooks' })).rejects.toThrow();
    expect(
      hub.log.flatMap(({ message, extra }) => (message === 'a record cannot be read' ? [extra] : [])),
    ).toEqual([
      {
        operation: 'attend-webhooks',
        record: expect.stringMatching(/^the entry \d+ of a log of events cannot be read/),
      },
    ]);
    expect(new Set(got('mended').map(({ id }) => id))).toEqual(new Set([first, third]));
    hub.advance(60_000);
    await runJob(hub.runtime, { job: 'attend-webhooks' });
    expect(got('mended')).toHaveLength(2);
  });
});
