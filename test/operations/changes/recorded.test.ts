import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renewListening } from '../../../shared/data/changes/listening.ts';
import { changedDeploymentWrite, findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { ConditionFailedError } from '../../../shared/data/table/store.ts';
import { approvedBroker, linkAccount, tokenOf } from '../../support/brokers.ts';
import {
  brokerEventsOf,
  carryAll,
  eventsOf,
  listen,
  moveAll,
  waitingChanges,
} from '../../support/changes.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { bearer, freshEmail, login, register } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployedTrader,
  deployTrading,
  report,
  reportOrder,
  undeployTrading,
} from '../../support/trading.ts';

const DAY_MS = 86_400_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe('change events of a user', () => {
  test('a deployment without a listener makes no event and has no counter', async () => {
    const { id } = await deployedTrader(hub);
    hub.takeCalls();
    await reportOrder(hub, id, { client_order_id: 'a' });
    expect(await waitingChanges(hub)).toEqual([]);
    expect(await hub.tableText()).not.toContain('change_seq');
  });

  test('every change of a deployment is in the log once, in order, with a sequence without gaps', async () => {
    const owner = await deployedTrader(hub);
    await listen(hub, { user_id: owner.user_id });
    const { body } = await deployTrading(hub, owner.keygen);
    const id: number = body.deployment_id;
    await report(hub, 'Deployment Started', id);
    await reportOrder(hub, id, { client_order_id: 'in' });
    await reportOrder(hub, id, { client_order_id: 'out', side: 'sell', average_price: '110' });
    await reportOrder(hub, id, { client_order_id: 'out', side: 'sell', average_price: '110' });
    await undeployTrading(hub, owner.user_id, id);
    const events = (await eventsOf(hub, owner.user_id)).filter(({ deployment_id }) => deployment_id === id);
    expect(typesOf(events)).toEqual([
      'deployment.requested',
      'deployment.started',
      'order.placed',
      'order.filled',
      'order.placed',
      'order.filled',
      'trade.closed',
      'deployment.stopped',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(events.map((event) => event.id)).size).toBe(8);
    expect(events[6]?.data).toMatchObject({ trade_number: 1, net_pnl: 10, currency: 'USD' });
    expect(events[7]?.data).toMatchObject({ status: 'stopped', stop_reason: 'user', reason: 'Undeployed.' });
    await moveAll(hub);
    expect(await eventsOf(hub, owner.user_id)).toHaveLength(8);
  });

  test('a damaged commit waits alone, and is named', async () => {
    const owner = await deployedTrader(hub);
    await listen(hub, { user_id: owner.user_id });
    for (const name of ['a', 'b', 'c']) await reportOrder(hub, owner.id, { client_order_id: name });
    const { store } = hub.runtime;
    const [, id = ''] = await waitingChanges(hub);
    const [source = '', sk = ''] = id.split('.');
    const key = { ...keys.pendingChange(source, 0, 0), sk };
    const [item] = await store.getMany([key]);
    if (!item) throw new Error('no commit waits');
    await store.put({ ...item, events: undefined });
    const damaged = { message: `the item ${key.pk}, ${key.sk} cannot be read: events: field required` };
    await expect(moveAll(hub)).rejects.toMatchObject({ errors: [expect.objectContaining(damaged)] });
    expect(await waitingChanges(hub)).toHaveLength(1);
    await store.put(item);
    const events = await eventsOf(hub, owner.user_id);
    expect(new Set(events.map(({ data }) => data.client_order_id))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(events.length);
  });

  test('deployments that run when listening begins are followed from then on', async () => {
    const owner = await deployedTrader(hub);
    await reportOrder(hub, owner.id, { client_order_id: 'before' });
    await listen(hub, { user_id: owner.user_id });
    await reportOrder(hub, owner.id, { client_order_id: 'after' });
    const events = await eventsOf(hub, owner.user_id);
    expect(events.map(({ type, data }) => [type, data.client_order_id])).toEqual([
      ['order.placed', 'after'],
      ['order.filled', 'after'],
    ]);
  });
});

test('a user who has not read for 30 days listens no more, unless they read meanwhile', async () => {
  const owner = await deployedTrader(hub);
  const listener = { user_id: owner.user_id };
  await listen(hub, listener);
  const events = async (id: string) => {
    await reportOrder(hub, owner.id, { client_order_id: id });
    const found = await eventsOf(hub, owner.user_id);
    await carryAll(hub);
    return found.length;
  };
  hub.advance(20 * DAY_MS);
  await renewListening(hub.runtime.store, listener, hub.runtime.clock());
  hub.advance(20 * DAY_MS);
  expect(await events('a')).toBe(2);
  hub.advance(11 * DAY_MS);
  expect(await events('b')).toBe(4);
  expect(await events('c')).toBe(4);
  expect(await waitingChanges(hub)).toEqual([]);
  await expect(renewListening(hub.runtime.store, listener, hub.runtime.clock())).rejects.toThrow(
    ConditionFailedError,
  );
});

describe('change events of a broker', () => {
  const client = async (broker: Awaited<ReturnType<typeof approvedBroker>>) => {
    const email = freshEmail();
    const { body: user } = await register(hub, { email });
    const { body: strategy } = await build(hub, { user_id: user.user_id, symbol: 'AAPL' });
    const elsewhere = await deployTrading(hub, strategy.keygen);
    await linkAccount(hub, email, broker.subdomain, await tokenOf(hub, broker, `acc-${email}`));
    const at = await deployTrading(hub, strategy.keygen);
    return {
      email,
      user_id: user.user_id as string,
      user_key: user.user_key as string,
      keygen: strategy.keygen as string,
      at: at.body.deployment_id as number,
      elsewhere: elsewhere.body.deployment_id as number,
    };
  };

  test('only deployments at the broker are in its log, with the fields that it may read', async () => {
    const [broker, other] = [await approvedBroker(hub), await approvedBroker(hub)];
    const [own, foreign] = [await client(broker), await client(other)];
    await listen(hub, { broker_id: broker.broker_id });
    for (const id of [own.at, own.elsewhere, foreign.at])
      await reportOrder(hub, id, { client_order_id: 'x', average_price: '33.333333333333333333' });
    const events = await brokerEventsOf(hub, broker.broker_id);
    expect(events.map(({ deployment_id, user_key }) => [deployment_id, user_key])).toEqual([
      [own.at, own.user_key],
      [own.at, own.user_key],
    ]);
    expect(events[1]?.data).toMatchObject({ symbol: 'AAPL', average_price: 33.3333333333333 });
    expect(JSON.stringify(events)).not.toMatch(/client_order_id|order_type|status_message/);
    expect(await brokerEventsOf(hub, other.broker_id)).toEqual([]);
    expect(await eventsOf(hub, own.user_id)).toEqual([]);
  });

  test('deployments of all kinds are in it, before and after it begins to listen', async () => {
    const broker = await approvedBroker(hub);
    const { keygen } = await client(broker);
    const notify = () => hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });
    const earlier = (await notify()).body.deployment_id;
    await listen(hub, { broker_id: broker.broker_id });
    await report(hub, 'Signal Raised', earlier, {
      symbol: 'AAPL',
      side: 'buy',
      price: 100,
      title: 'Buy',
      body: 'private words',
    });
    const made = [
      await notify(),
      await hub.call('POST /deploy_scanner', { query: { keygen, universe_id: 'forex-majors' } }),
    ];
    expect(made.map(({ body }) => body.broker_id)).toEqual([broker.broker_id, broker.broker_id]);
    const [notifying, scanning] = made.map(({ body }) => body.deployment_id);
    const events = await brokerEventsOf(hub, broker.broker_id);
    expect(events.map(({ type, deployment_id }) => [type, deployment_id])).toEqual(
      expect.arrayContaining([
        ['signal.raised', earlier],
        ['deployment.requested', notifying],
        ['deployment.requested', scanning],
      ]),
    );
    expect(events.find(({ type }) => type === 'signal.raised')?.data).toEqual({
      symbol: 'AAPL',
      side: 'buy',
      price: 100,
    });
  });

  test('a user who has left the broker is not in its log from then on', async () => {
    const broker = await approvedBroker(hub);
    const own = await client(broker);
    await listen(hub, { broker_id: broker.broker_id });
    const { body: session } = await login(hub, own.email);
    const unlinked = await hub.call('POST /unlink_broker', {
      query: { broker_domain: broker.subdomain },
      headers: bearer(session.access_token),
    });
    expect(unlinked.status).toBe(200);
    await reportOrder(hub, own.at, { client_order_id: 'x' });
    expect(await brokerEventsOf(hub, broker.broker_id)).toEqual([]);
    expect(await waitingChanges(hub)).toEqual([]);
  });

  test('a deployment that is made while its broker begins to listen is followed after a minute', async () => {
    const broker = await approvedBroker(hub);
    await listen(hub, { broker_id: broker.broker_id });
    const own = await client(broker);
    // As if the deployment had been read before its broker began to listen.
    const [made] = await findDeployments(hub.runtime.store, [own.at]);
    if (!made?.listened) throw new Error('nobody listens');
    await hub.runtime.store.transact([changedDeploymentWrite(made, { ...made, listened: undefined })]);
    hub.advance(61_000);
    await carryAll(hub);
    await reportOrder(hub, own.at, { client_order_id: 'x' });
    expect(typesOf(await brokerEventsOf(hub, broker.broker_id)).slice(-2)).toEqual([
      'order.placed',
      'order.filled',
    ]);
  });
});
