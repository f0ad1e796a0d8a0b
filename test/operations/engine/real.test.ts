import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findTradeRange } from '../../../shared/data/books/trades.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { programIdsOf } from '../../../shared/data/engine/program-ids.ts';
import { readSub, storeSub } from '../../../shared/data/engine/subscriptions.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { type BarColumns, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { restoreRealAccount, saveRealAccount } from '../../../shared/domain/engine/running/real-account.ts';
import { limitsOf } from '../../../shared/domain/risk/limits.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { haltForMissing } from '../../../shared/lifecycle/missing-position.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BITCOIN,
  expectedRun,
  feed,
  fillsOfRun,
  setStatus,
  setupOf,
  subsOf,
} from '../../support/hub-deployments.ts';
import { serveEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { barsUpTo, liveDeployed, startBus, TestBroker } from '../../support/live-deployments.ts';
import { bearer, login, loginSteppedUp, signUp } from '../../support/people.ts';
import { randomBars, randomNumbers } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import type { trader } from '../../support/trading.ts';
import type { Upstream } from '../../support/upstream.ts';

const RULES = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] });
const PLAIN = setupOf(RULES);
const SETUP = { ...PLAIN, account: { ...PLAIN.account, fill_at: 'signal_close' as const } };
const WARM = 40;
const END = soakable(58, 100);
const environment = { ...process.env };

let bus: Upstream;
let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
let email: string;
let bars: BarColumns;
let one: Worker;
let id: number;
let broker: TestBroker;

beforeAll(async () => {
  bus = await startBus();
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  const { user_id, user_key, ...person } = (await signUp(hub)).body;
  email = person.email;
  const { keygen, strategy_id, strategy_name } = (await build(hub, { user_id, symbol: 'BTCUSD' })).body;
  owner = { user_id, user_key, keygen, strategy_id, strategy_name };
});
beforeEach(async () => {
  // Entries at the first bar that is fed, and soon after each exit.
  bars = barsUpTo(hub, randomBars(3, 100), WARM - 1);
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(bars, 0, WARM));
  one = worker(hub);
  id = await liveDeployed(hub, owner, SETUP);
  await startEngine(one, id);
  broker = new TestBroker(hub, bus, [one]);
});
afterEach(async () => {
  await undeploy();
  await broker.fillAll();
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
});

const command = async (
  path: string,
  more: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
) => {
  const query = { user_id: owner.user_id, deployment_id: String(id), ...more };
  const { status, body } = await hub.call(`POST /${path}`, { query, headers });
  await broker.settle();
  return { status, body };
};
const undeploy = () => command('undeploy_live_strategy');
const stored = async () => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return deployment;
};
const held = async () =>
  Number(unpackLedger((await stored()).ledger).head.symbols.BTCUSD?.position?.quantity ?? 0);
const ordersOf = async () => (await findAllOrders(hub.runtime.store, id)).toReversed();

/** Store that lets others change the deployment before each of twelve changes of it. */
class OvertakenStore extends Store {
  #left = 12;

  constructor() {
    super(hub.runtime.store.client, hub.runtime.store.table);
  }

  override async getMany(
    wanted: readonly Key[],
    options?: { consistent?: boolean },
  ): Promise<(Item | undefined)[]> {
    const [first, ...others] = wanted;
    if (this.#left > 0 && others.length > 0 && first?.pk === keys.deployment(id).pk) {
      this.#left -= 1;
      await setStatus(hub, id, (await stored()).status);
    }
    return super.getMany(wanted, options);
  }
}

/** Feeds bars until the broker has an order to work on. Returns the index after the last bar. */
const feedUntilOrder = async (from = WARM): Promise<number> => {
  for (let at = from; at < bars.start.length; at += 1) {
    await broker.feed(sliceBars(bars, at, at + 1));
    if (broker.working.length > 0) return at + 1;
  }
  throw new Error('no order came');
};

test('with a broker that fills whole at the close, a deployment has the fills of its backtest', async () => {
  for (let at = WARM; at < END; at += 1) {
    await broker.feed(sliceBars(bars, at, at + 1));
    await broker.fillAll();
  }
  const expected = fillsOfRun(await expectedRun(hub, id, sliceBars(bars, 0, END)));
  const filled = (await ordersOf()).map(({ side, filled_quantity, average_price }) => ({
    side,
    quantity: Number(filled_quantity),
    price: Number(average_price),
  }));
  expect(filled.length).toBeGreaterThan(2);
  // Fills at the last close are booked with the next bar in a backtest.
  expect(filled.slice(0, expected.length)).toEqual(
    expected.map(({ side, quantity, price }) => ({ side, quantity, price })),
  );
  expect(filled.length - expected.length).toBeLessThanOrEqual(1);
  expect(await held()).toBe(broker.position);
});

test('an order is requested at its bar although others change the deployment at try after try', async () => {
  for (let at = WARM; at < END && broker.working.length === 0; at += 1) {
    const slice = sliceBars(bars, at, at + 1);
    hub.advance(Math.max(0, (slice.start[0] ?? 0) + 86_400_000 - hub.runtime.clock().getTime()));
    await feed(hub, slice, [worker(hub, { store: new OvertakenStore() })]);
    await broker.settle();
  }
  expect(broker.working).toHaveLength(1);
});

test('a reject leaves nothing behind; a rejected close is requested again at the next bar', async () => {
  let at = await feedUntilOrder();
  const [entry] = broker.working;
  await broker.report(entry?.client_order_id ?? '', 'rejected');
  expect([await held(), broker.working]).toEqual([0, []]);
  at = await feedUntilOrder(at);
  await broker.fillAll();
  const bought = await held();
  expect(bought).toBeGreaterThan(0);
  at = await feedUntilOrder(at);
  const [close] = broker.working;
  expect(close).toMatchObject({ type: 'Position Close Requested', side: 'sell', flatten: false });
  await broker.report(close?.client_order_id ?? '', 'rejected');
  expect(broker.working).toEqual([]);
  await broker.feed(sliceBars(bars, at, at + 1));
  const [again] = broker.working;
  expect(again).toMatchObject({ closes: close?.closes, quantity: String(bought) });
  await broker.fillAll();
  expect([await held(), broker.position]).toEqual([0, 0]);
});

/** Feeds bars until the cancel of an order is requested. Returns the index after the last bar. */
const feedUntilCancel = async (order: string, from: number): Promise<number> => {
  for (let at = from; at < from + 5; at += 1) {
    await broker.feed(sliceBars(bars, at, at + 1));
    if (broker.cancels.includes(order)) return at + 1;
  }
  throw new Error('no cancel came');
};

test('a close that gets lost is cancelled, then requested again; a late fill of it is booked', async () => {
  let at = await feedUntilOrder();
  await broker.fillAll();
  const bought = await held();
  at = await feedUntilOrder(at);
  const [lost] = broker.working;
  const order = lost?.client_order_id ?? '';
  // While its cancel is not answered, nothing else is requested.
  at = await feedUntilCancel(order, at);
  await broker.feed(sliceBars(bars, at, at + 1));
  expect(broker.working.map(({ client_order_id: each }) => each)).toEqual([order]);
  await broker.report(order, 'cancelled');
  expect(broker.working).toEqual([]);
  await broker.feed(sliceBars(bars, at + 1, at + 2));
  const [again] = broker.working;
  expect(again).toMatchObject({ closes: lost?.closes, quantity: String(bought) });
  expect(again?.client_order_id).not.toBe(order);
  await broker.report(order, 'filled', bought);
  expect(broker.cancels).toContain(again?.client_order_id);
  await broker.report(again?.client_order_id ?? '', 'cancelled');
  expect([await held(), broker.position, (await stored()).status]).toEqual([0, 0, 'active']);
});

test('a close that the broker has, but does not fill, is not cancelled', async () => {
  let at = await feedUntilOrder();
  await broker.fillAll();
  at = await feedUntilOrder(at);
  await broker.report(broker.working[0]?.client_order_id ?? '', 'open');
  for (const end = at + 6; at < end; at += 1) await broker.feed(sliceBars(bars, at, at + 1));
  expect([broker.cancels, broker.working.length]).toEqual([[], 1]);
});

test('a stop that flattens is confirmed although its close and the first cancel get lost', async () => {
  let at = await feedUntilOrder();
  await broker.fillAll();
  const session = bearer((await login(hub, email)).body.access_token);
  await command('stop_deployment', { flatten: 'true', reason: 'test' }, session);
  const [lost] = broker.working;
  const order = lost?.client_order_id ?? '';
  at = await feedUntilCancel(order, at);
  broker.cancels.length = 0;
  at = await feedUntilCancel(order, at);
  await broker.report(order, 'cancelled');
  expect((await stored()).status).toBe('halted');
  await broker.feed(sliceBars(bars, at, at + 1));
  expect(broker.working).toMatchObject([{ flatten: true, closes: lost?.closes }]);
  await broker.fillAll();
  expect([await held(), broker.position]).toEqual([0, 0]);
  expect(await stored()).toMatchObject({ status: 'stopped', stop_reason: 'user' });
});

test('a pause cancels an entry in part filled, keeps what fills, and lets exits go on', async () => {
  const at = await feedUntilOrder();
  const [entry] = broker.working;
  const order = entry?.client_order_id ?? '';
  await broker.report(order, 'partially_filled', 3);
  await command('pause_deployment', { reason: 'test' });
  expect(broker.cancels).toEqual([order]);
  // The cancel comes too late for two more.
  await broker.report(order, 'partially_filled', 2);
  await broker.report(order, 'cancelled');
  expect([await held(), broker.position]).toEqual([5, 5]);
  await feedUntilOrder(at);
  expect(broker.working).toMatchObject([{ type: 'Position Close Requested', quantity: '5' }]);
  await broker.fillAll();
  expect([await held(), broker.position]).toEqual([0, 0]);
  expect((await ordersOf()).map(({ status }) => status)).toEqual(['cancelled', 'filled']);
});

test('a stop that flattens cancels orders, closes what fills meanwhile, and is confirmed when nothing is left', async () => {
  await feedUntilOrder();
  const [entry] = broker.working;
  const order = entry?.client_order_id ?? '';
  await broker.report(order, 'partially_filled', 3);
  const session = bearer((await login(hub, email)).body.access_token);
  await command('stop_deployment', { flatten: 'true', reason: 'test' }, session);
  expect(broker.cancels).toEqual([order]);
  expect(broker.working).toMatchObject([{ client_order_id: order }, { flatten: true, quantity: '3' }]);
  await broker.report(order, 'filled', Number(entry?.quantity) - 3);
  expect((await stored()).status).toBe('halted');
  await broker.fillAll();
  expect([await held(), broker.position]).toEqual([0, 0]);
  expect(await stored()).toMatchObject({ status: 'stopped', stop_reason: 'user' });
  await broker.settle();
  expect(await subsOf(hub, SETUP)).toEqual([]);
});

test('a close by hand needs the session of the owner: its stops are managed no longer', async () => {
  await feedUntilOrder();
  await broker.fillAll();
  const before = await held();
  const [entry] = await ordersOf();
  const close = (headers: Readonly<Record<string, string>>) =>
    hub.call('POST /update_live_trade', {
      query: { user_id: owner.user_id, order_id: String(entry?.order_id), close_value: '1' },
      headers,
    });
  expect(await close({})).toMatchObject({ status: 401, body: { code: 'session_required' } });
  expect([await held(), before > 0]).toEqual([before, true]);
  expect((await close(bearer((await login(hub, email)).body.access_token))).status).toBe(200);
  expect(await held()).toBe(0);
});

test('undeploying cancels entries and leaves positions alone; the work ends once the broker has confirmed', async () => {
  await feedUntilOrder();
  const [entry] = broker.working;
  const order = entry?.client_order_id ?? '';
  await broker.report(order, 'partially_filled', 3);
  await undeploy();
  expect(broker.cancels).toEqual([order]);
  expect(await subsOf(hub, SETUP)).toHaveLength(1);
  await broker.report(order, 'cancelled');
  expect(await subsOf(hub, SETUP)).toEqual([]);
  expect([await held(), broker.position, broker.working]).toEqual([3, 3, []]);
});

test('an old bar raises no order, and an exit that it decided is requested at the next recent one', async () => {
  let at = await feedUntilOrder();
  await broker.fillAll();
  hub.advance(200 * 86_400_000);
  const late = at + 12;
  for (; at < late; at += 1) await feed(hub, sliceBars(bars, at, at + 1), [one]);
  await broker.settle();
  expect(broker.working).toEqual([]);
  const bought = await held();
  bars = {
    ...bars,
    start: bars.start.map((start, index) => (index < at ? start : start + 200 * 86_400_000)),
  };
  await broker.feed(sliceBars(bars, at, at + 1));
  expect(broker.working).toMatchObject([{ type: 'Position Close Requested', quantity: String(bought) }]);
});

test('reports of others, and on orders that the hub did not request, are refused', async () => {
  await feedUntilOrder();
  const [entry] = broker.working;
  const detail = {
    version: 1,
    deployment_id: id,
    occurred_at: hub.runtime.clock().toISOString(),
    client_order_id: entry?.client_order_id,
    sequence: 10,
    symbol: 'BTCUSD',
    side: 'buy',
    order_type: 'market',
    quantity: entry?.quantity,
    status: 'filled',
    filled_quantity: entry?.quantity,
    average_price: '1',
    fees: '0',
  };
  const take = (source: string, more: object = {}) =>
    takeEvent(hub.runtime, { 'detail-type': 'Order Updated', source, detail: { ...detail, ...more } });
  await expect(take('acme.engine')).rejects.toThrow('the hub runs the deployment');
  await expect(take('strategy-hub.test', { client_order_id: 'other' })).rejects.toThrow(
    'the hub did not request this order',
  );
  expect(await held()).toBe(0);
});

test('an account that fails asks for the end of its entries, so that nothing fills unattended', async () => {
  await feedUntilOrder();
  const [entry] = broker.working;
  const order = entry?.client_order_id ?? '';
  const { store } = hub.runtime;
  const [programId = ''] = programIdsOf(SETUP, storedRules(SETUP));
  const sub = await readSub(store, programId, id);
  if (!sub || sub.kind === 'N') throw new Error('there is no account');
  // An account that knows a larger fill than the broker reports.
  const own = restoreRealAccount(sub.paper.settings, sub.paper.saved);
  for (const each of own.entries) each.filled = 5;
  await storeSub(store, sub, { ...sub, paper: { ...sub.paper, saved: saveRealAccount(own) } });
  await broker.report(order, 'partially_filled', 3);
  expect((await stored()).status).toBe('error');
  expect(broker.cancels).toEqual([order]);
  await broker.fillAll();
  await undeploy();
  expect(await subsOf(hub, SETUP)).toEqual([]);
});

test('a position that is missing at the broker is closed in the books by hand; nothing is requested until a resume', async () => {
  let next = await feedUntilHeld();
  await haltForMissing(hub.runtime, id, 'BTCUSD');
  await haltForMissing(hub.runtime, id, 'BTCUSD');
  expect(await stored()).toMatchObject({ status: 'halted', stop_reason: 'position_missing' });
  await commandDeployment(hub.runtime, id, { action: 'halt', by: 'user', reason: 'test', flatten: true });
  for (let fed = 0; fed < 3; fed += 1, next += 1) await broker.feed(sliceBars(bars, next, next + 1));
  expect(broker.working).toEqual([]);
  const [entry] = await ordersOf();
  const session = bearer((await loginSteppedUp(hub, email)).body.access_token);
  const query = { user_id: owner.user_id, order_id: String(entry?.order_id), close_value: '1' };
  await hub.call('POST /update_live_trade', { query, headers: session });
  expect((await command('resume_deployment', { reason: 'test' }, session)).status).toBe(200);
  expect(await stored()).not.toHaveProperty('missing');
  await feedUntilHeld(next);
  expect(await held()).toBeGreaterThan(0);
});

test('a stop that flattens is confirmed although the broker does not hold the position', async () => {
  await feedUntilHeld();
  await haltForMissing(hub.runtime, id, 'BTCUSD');
  await stopAndFlatten();
  expect(broker.working).toEqual([]);
  expect((await stored()).status).toBe('stopped');
});

const subOf = async () => {
  const [programId = ''] = programIdsOf(SETUP, storedRules(SETUP));
  const sub = await readSub(hub.runtime.store, programId, id);
  if (!sub || sub.kind === 'N') throw new Error('there is no account');
  return sub;
};

/** Feeds bars until a position is open. Returns the index after the last bar. */
const feedUntilHeld = async (from = WARM): Promise<number> => {
  const next = await feedUntilOrder(from);
  await broker.fillAll();
  return next;
};

/** Feeds a bar at which the account fails for good, with an open position. Returns the index after it. */
const failHolding = async (): Promise<number> => {
  const next = await feedUntilHeld();
  const sub = await subOf();
  await storeSub(hub.runtime.store, sub, { ...sub, paper: { ...sub.paper, saved: '{}' } });
  await broker.feed(sliceBars(bars, next, next + 1));
  expect((await stored()).status).toBe('error');
  expect(broker.working).toEqual([]);
  return next + 1;
};

const stopAndFlatten = async () => {
  const session = bearer((await login(hub, email)).body.access_token);
  await command('stop_deployment', { flatten: 'true', reason: 'test' }, session);
};

test('a stop that flattens closes the position of an account that has failed, and is confirmed', async () => {
  let next = await failHolding();
  const size = await held();
  await stopAndFlatten();
  const [close] = broker.working;
  expect(close).toMatchObject({
    type: 'Position Close Requested',
    side: 'sell',
    quantity: String(size),
    flatten: true,
  });
  // A close that fails is requested again at the next bar.
  await broker.report(close?.client_order_id ?? '', 'rejected');
  expect(broker.working).toEqual([]);
  for (let fed = 0; fed < 2; fed += 1, next += 1) await broker.feed(sliceBars(bars, next, next + 1));
  const [again, ...others] = broker.working;
  expect(again).toMatchObject({ quantity: String(size), flatten: true });
  expect(others).toEqual([]);
  await broker.report(again?.client_order_id ?? '', 'partially_filled', 1);
  expect(broker.working).toHaveLength(1);
  await broker.fillAll();
  expect([await held(), broker.position]).toEqual([0, 0]);
  expect(await stored()).toMatchObject({ status: 'stopped', stop_reason: 'user' });
  await broker.settle();
  expect(await subsOf(hub, SETUP)).toEqual([]);
});

test('a stop of an account that has failed is confirmed when nothing works at the broker, and leaves its position', async () => {
  await failHolding();
  await command('stop_deployment', { reason: 'test' });
  expect(broker.working).toEqual([]);
  expect(await held()).toBe(broker.position);
  expect((await stored()).status).toBe('stopped');
});

test('a position is closed although the program of its account cannot be read', async () => {
  await feedUntilHeld();
  const key = keys.programState((await subOf()).program_id);
  const [program] = await hub.runtime.store.getMany([key], { consistent: true });
  await hub.runtime.store.transact([{ key, set: { state_at: 'damaged' } }]);
  await stopAndFlatten();
  expect(broker.working).toMatchObject([{ flatten: true, quantity: String(await held()) }]);
  await broker.fillAll();
  expect([await held(), broker.position, (await stored()).status]).toEqual([0, 0, 'stopped']);
  await hub.runtime.store.transact([{ key, set: { state_at: program?.state_at } }]);
});

test('workers that die while they close the position of a failed account request it once', async () => {
  await failHolding();
  for (let writes = 1; writes < 4; writes += 1) {
    const dying = worker(hub, { store: new DyingStore(hub.runtime.store, writes, writes % 2 === 0) });
    const session = bearer((await login(hub, email)).body.access_token);
    const query = { user_id: owner.user_id, deployment_id: String(id), flatten: 'true', reason: 'test' };
    await hub.call('POST /stop_deployment', { query, headers: session });
    await Promise.allSettled([serveEngine(dying, id), serveEngine(one, id)]);
    await broker.settle();
  }
  expect(broker.working).toHaveLength(1);
  await broker.fillAll();
  expect([await held(), broker.position, (await stored()).status]).toEqual([0, 0, 'stopped']);
});

test('a worker whose deployment others change at try after try closes the position of a failed account', async () => {
  await failHolding();
  const session = bearer((await login(hub, email)).body.access_token);
  const query = { user_id: owner.user_id, deployment_id: String(id), flatten: 'true', reason: 'test' };
  await hub.call('POST /stop_deployment', { query, headers: session });
  await serveEngine(worker(hub, { store: new OvertakenStore() }), id);
  await broker.settle();
  expect(broker.working).toMatchObject([{ flatten: true, quantity: String(await held()) }]);
});

test('an entry beyond a risk limit is cancelled before it leaves; the deployment is explained, and parity names the reason', async () => {
  const { limits } = { limits: limitsOf('live', { plan: 'free' }, undefined, { order_value: '1' }) };
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { limits } }]);
  for (let at = WARM; at < WARM + 12; at += 1) await broker.feed(sliceBars(bars, at, at + 1));
  expect(broker.orders.size).toBe(0);
  const orders = await ordersOf();
  expect(orders.length).toBeGreaterThan(0);
  for (const { status, status_message } of orders) {
    expect([status, status_message?.startsWith('An order worth ')]).toEqual(['cancelled', true]);
  }
  expect((await stored()).status).toBe('active');
  const query = { user_id: owner.user_id, deployment_id: String(id) };
  const { body } = await hub.call('GET /get_deployment_engine', { query });
  expect(body.symbols).toMatchObject([{ symbol: 'BTCUSD', error: null, orders: [], trades: [] }]);
  await broker.feed(sliceBars(bars, WARM + 12, WARM + 13));
  const parity = (await hub.call('GET /get_parity', { query })).body;
  const { attribution } = parity;
  expect(parity).toMatchObject({ is_equal: false, attribution: { pnl: 0, slippage: 0, delay: 0, extra: 0 } });
  expect(attribution.missing).toBe(-attribution.backtest_pnl);
  const entries = attribution.fills.filter((fill: { decision: string }) => fill.decision === 'entry');
  expect(entries.length).toBeGreaterThan(0);
  for (const { kind, reason } of entries) {
    expect([kind, reason.startsWith('the order was cancelled: An order worth ')]).toEqual(['missing', true]);
  }
});

/** Returns the result that the books show, with what is open at a price. */
const bookedResult = async (mark: number): Promise<number> => {
  const position = unpackLedger((await stored()).ledger).head.symbols.BTCUSD?.position;
  const trades = await findTradeRange(hub.runtime.store, id, { first: 1, last: 100 });
  const closed = trades.reduce((sum, { net }) => sum + Number(net), 0);
  if (!position) return closed;
  const { quantity, cost, gross, fees, swap } = position;
  return closed + Number(gross) - Number(fees) + Number(swap) + Number(quantity) * mark - Number(cost);
};

test('parity attributes each real fill, and its effects add up to the difference of the results', async () => {
  const random = randomNumbers(5);
  const kinds = new Set<string>();
  const query = { user_id: owner.user_id, deployment_id: String(id) };
  let closed = false;
  for (let at = WARM; at < soakable(WARM + 24, 100); at += 1) {
    await broker.feed(sliceBars(bars, at, at + 1));
    for (const order of broker.working) {
      const isEntry = order.type === 'Order Requested';
      const drawn = random();
      broker.price = (bars.close[at] ?? 0) + (order.side === 'buy' ? 0.25 : -0.5);
      if (isEntry && drawn < 0.2) await broker.report(order.client_order_id, 'rejected');
      else if (isEntry && drawn < 0.5) {
        await broker.report(order.client_order_id, 'cancelled', Math.floor(Number(order.quantity) / 3));
      } else await broker.report(order.client_order_id, 'filled', Number(order.quantity));
    }
    if (!closed && at > WARM + 8 && (await held()) !== 0) {
      const opened = (await ordersOf()).findLast(({ filled_quantity }) => filled_quantity !== '0');
      const session = bearer((await login(hub, email)).body.access_token);
      const one = { user_id: owner.user_id, order_id: String(opened?.order_id), close_value: '95' };
      expect((await hub.call('POST /update_live_trade', { query: one, headers: session })).status).toBe(200);
      await broker.settle();
      closed = true;
    }
    const { status, body } = await hub.call('GET /get_parity', { query });
    expect(status).toBe(200);
    const { pnl, backtest_pnl, difference, slippage, fees, delay, missing, extra, fills } = body.attribution;
    const cents = [slippage, fees, delay, missing, extra].map((effect) => Math.round(effect * 100));
    expect(cents.reduce((sum, effect) => sum + effect, 0)).toBe(Math.round(difference * 100));
    expect(Math.round((pnl - backtest_pnl) * 100)).toBe(Math.round(difference * 100));
    expect(pnl).toBeCloseTo(await bookedResult(bars.close[at] ?? 0), 2);
    for (const { kind, decision } of fills) kinds.add(`${kind} ${decision}`);
  }
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'matched entry',
      'missing entry',
      'matched exit',
      'extra manual',
      'missing exit',
    ]),
  );
});

test('several workers that die at any write request each order once, and lose none', async () => {
  const random = randomNumbers(11);
  const dying = () =>
    worker(hub, {
      store: new DyingStore(hub.runtime.store, 1 + Math.floor(random() * 4), random() < 0.5),
    });
  for (let at = WARM; at < soakable(WARM + 12, bars.start.length); at += 1) {
    const slice = sliceBars(bars, at, at + 1);
    const close = (slice.start[0] ?? 0) + 86_400_000;
    hub.advance(Math.max(0, close - hub.runtime.clock().getTime()));
    await appendBars(hub.runtime.store, BITCOIN, slice);
    await Promise.allSettled([dying(), dying()].map((each) => feed(hub, slice, [each])));
    await broker.feed(slice);
    for (const { client_order_id: order, quantity } of broker.working) {
      const kind = Math.floor(random() * 4);
      const { filled = 0, isOver } = broker.orders.get(order) ?? {};
      const part = Math.floor((Number(quantity) - filled) / 3);
      if (kind === 0 && !isOver) await broker.report(order, 'partially_filled', part);
      if (kind === 1) await broker.fillAll();
    }
  }
  await broker.fillAll();
  expect(broker.orders.size).toBeGreaterThan(0);
  expect(await held()).toBe(broker.position);
  expect((await ordersOf()).filter(({ status }) => status === 'pending')).toEqual([]);
});
