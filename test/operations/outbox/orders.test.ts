import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import type { Message } from '../../../shared/data/outbox/messages.ts';
import { putInOutbox } from '../../../shared/data/outbox/outbox.ts';
import { switchKeys } from '../../../shared/data/switches/switches.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import type { OrderRequest } from '../../../shared/domain/orders/order-request-schema.ts';
import { deliverOrder } from '../../support/functions/orders.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, report, reportOrder } from '../../support/trading.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const MINUTE = 60_000;
const environment = { ...process.env };
let bus: Upstream;
let hub: TestHub;

beforeAll(async () => {
  bus = await startUpstream(json({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  });
  hub = await startHub();
  await furnishWithInstruments(hub);
});
beforeEach(() => {
  bus.received.length = 0;
});
afterEach(async () => {
  for (const { delivery_id } of await waiting()) await hub.runtime.store.delete(keys.outbox(delivery_id));
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
});

const waiting = () =>
  findDueDeliveries(hub.runtime.store, 'orders', new Date(hub.runtime.clock().getTime() + 1e9), 100);

const sent = () =>
  bus.received.flatMap(({ body }) =>
    JSON.parse(body).Entries.map((entry: { DetailType: string; Detail: string }) => ({
      type: entry.DetailType,
      ...JSON.parse(entry.Detail),
    })),
  );

/** Returns the copy of the switch of the service that is read for a user. */
const serviceKeyOf = (user_id: string): Key => {
  const [key] = switchKeys({ user_id });
  if (!key) throw new Error('there is no switch of the service');
  return key;
};

const common = (deployment_id: number) => ({
  version: 1 as const,
  deployment_id,
  client_order_id: 'AAPL:1:e0',
  symbol: 'AAPL',
  adapter: 'test',
  account: 'A-1',
  occurred_at: hub.runtime.clock().toISOString(),
});

const placing = () => ({
  side: 'buy' as const,
  quantity: '5',
  expected_price: '100',
  time_in_force: 'day' as const,
  valid_until: new Date(hub.runtime.clock().getTime() + MINUTE).toISOString(),
});

const entryOf = (id: number): OrderRequest => ({
  type: 'Order Requested',
  detail: { ...common(id), ...placing(), order_type: 'market' },
});

const closeOf = (id: number, flatten: boolean): OrderRequest => ({
  type: 'Position Close Requested',
  detail: {
    ...common(id),
    ...placing(),
    order_type: 'market',
    closes: 'AAPL:0:e0',
    reason: 'exit',
    flatten,
  },
});

const cancelOf = (id: number): OrderRequest => ({
  type: 'Order Cancel Requested',
  detail: { ...common(id), reason: 'expired' },
});

/** Makes a deployment that is active, with an order that waits for the request to leave. */
const requested = async (request: (id: number) => OrderRequest) => {
  const { id, user_id } = await deployedTrader(hub);
  await report(hub, 'Deployment Started', id);
  const status = { status: 'pending', filled_quantity: '0', average_price: null, sequence: 0, quantity: '5' };
  await reportOrder(hub, id, { client_order_id: 'AAPL:1:e0', ...status });
  const message: Message = { kind: 'order_request', user_id, request: request(id) };
  await putInOutbox(hub.runtime.store, `order-${id}`, message, hub.runtime.clock());
  return { id, user_id, deliver: (attempts = 0) => deliverOrder(hub.runtime, `order-${id}`, attempts) };
};

const orderOf = async (id: number) => (await findAllOrders(hub.runtime.store, id))[0];

const setStatus = (id: number, status: string) =>
  hub.runtime.store.transact([{ key: keys.deployment(id), set: { status } }]);

test('a request leaves once, with its delivery id', async () => {
  const { id, deliver } = await requested(entryOf);
  await deliver();
  await deliver();
  expect(sent()).toEqual([
    expect.objectContaining({ type: 'Order Requested', deployment_id: id, delivery_id: `order-${id}` }),
  ]);
  expect(await waiting()).toEqual([]);
  expect((await orderOf(id))?.status).toBe('pending');
});

test.each(['paused', 'halted', 'stopped', 'expired', 'error'])(
  'an entry of a deployment that is %s does not leave; its order is cancelled with the reason',
  async (status) => {
    const { id, deliver } = await requested(entryOf);
    await setStatus(id, status);
    await deliver();
    expect(sent()).toEqual([]);
    expect(await orderOf(id)).toMatchObject({
      status: 'cancelled',
      status_message: `the deployment is ${status}`,
    });
    expect(await waiting()).toEqual([]);
  },
);

test('an order that is too old does not leave', async () => {
  const { id, deliver } = await requested(entryOf);
  hub.advance(2 * MINUTE);
  await deliver();
  expect(sent()).toEqual([]);
  expect(await orderOf(id)).toMatchObject({ status: 'cancelled', status_message: 'the order is too old' });
});

test.each([
  ['the user', (user: string) => keys.userSwitch(user), 'user'],
  ['the service', (user: string) => serviceKeyOf(user), 'operator'],
])(
  'while the kill switch of %s is thrown, entries and exits do not leave, flattening does',
  async (_, key, holder) => {
    const entry = await requested(entryOf);
    const exit = await requested((id) => closeOf(id, false));
    const flatten = await requested((id) => closeOf(id, true));
    const at = hub.runtime.clock().toISOString();
    for (const { user_id } of [entry, exit, flatten]) {
      await hub.runtime.store.transact([
        { put: { ...key(user_id), holds: { [holder]: { at, reason: 'a drill', flatten: false } }, rev: 1 } },
      ]);
    }
    for (const { deliver } of [entry, exit, flatten]) await deliver();
    expect(sent()).toEqual([expect.objectContaining({ deployment_id: flatten.id })]);
    for (const { id, user_id } of [entry, exit, flatten]) {
      if (id !== flatten.id) {
        expect(await orderOf(id)).toMatchObject({
          status: 'cancelled',
          status_message: 'the kill switch is thrown: a drill',
        });
      }
      await hub.runtime.store.delete(key(user_id));
    }
  },
);

test('exits leave while paused, and those that flatten in every status', async () => {
  const exit = await requested((id) => closeOf(id, false));
  await setStatus(exit.id, 'paused');
  await exit.deliver();
  const halted = await requested((id) => closeOf(id, false));
  await setStatus(halted.id, 'halted');
  await halted.deliver();
  const flatten = await requested((id) => closeOf(id, true));
  await setStatus(flatten.id, 'stopped');
  await flatten.deliver();
  const cancel = await requested(cancelOf);
  await setStatus(cancel.id, 'stopped');
  await cancel.deliver();
  expect(sent().map(({ deployment_id }: { deployment_id: number }) => deployment_id)).toEqual([
    exit.id,
    flatten.id,
    cancel.id,
  ]);
  expect((await orderOf(halted.id))?.status).toBe('cancelled');
});

test('a repeat that may no longer leave asks the adapter to cancel the order', async () => {
  const { id, deliver } = await requested(entryOf);
  bus.answer = (_request, response) => {
    response.writeHead(500);
    response.end();
  };
  await deliver();
  bus.answer = json({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] });
  bus.received.length = 0;
  await setStatus(id, 'halted');
  hub.advance(2 * MINUTE);
  await runJob(hub.runtime, { job: 'sweep-orders' });
  expect(sent()).toEqual([
    expect.objectContaining({ type: 'Order Cancel Requested', client_order_id: 'AAPL:1:e0' }),
  ]);
  expect((await orderOf(id))?.status).toBe('pending');
});

test('a request whose order the adapter has reported on, or whose order has ended, does not leave', async () => {
  const { id, deliver } = await requested(entryOf);
  const nothing = { filled_quantity: '0', average_price: null, quantity: '5' };
  await reportOrder(hub, id, { client_order_id: 'AAPL:1:e0', ...nothing, status: 'open', sequence: 10 });
  await deliver();
  const cancel = await requested(cancelOf);
  await reportOrder(hub, cancel.id, {
    client_order_id: 'AAPL:1:e0',
    ...nothing,
    status: 'rejected',
    sequence: 10,
  });
  await cancel.deliver();
  expect(sent()).toEqual([]);
  expect(await waiting()).toEqual([]);
});
