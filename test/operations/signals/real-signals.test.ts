import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type BarColumns, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { type FakeAlpaca, fakeAlpaca } from '../../support/alpaca.ts';
import { connectAccount } from '../../support/execution.ts';
import type { Response, TestHub } from '../../support/hub.ts';
import { startHub } from '../../support/hub.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
import { serveEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { startKms } from '../../support/kms.ts';
import { barsUpTo, startBus, TestBroker } from '../../support/live-deployments.ts';
import { bearer, signUp } from '../../support/people.ts';
import { randomBars } from '../../support/random-bars.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';
import type { Upstream } from '../../support/upstream.ts';

const WARM = 40;
const MINUTE = 60_000;
const LIMITS = { daily_loss: '100000', order_value: '100000' };
const environment = { ...process.env };

let bus: Upstream;
let kms: Awaited<ReturnType<typeof startKms>>;
let alpaca: FakeAlpaca;
let plain: TestHub;
let hub: TestHub;
let bars: BarColumns;

beforeAll(async () => {
  bus = await startBus();
  kms = await startKms();
  plain = await startHub();
  alpaca = await fakeAlpaca(plain.runtime.clock);
  hub = plain.with(alpaca.environment);
  await furnishWithInstruments(hub, ['BTCUSD']);
});
beforeEach(async () => {
  alpaca.reset();
  bars = barsUpTo(hub, randomBars(7, 100), WARM - 1);
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(bars, 0, WARM));
});
afterAll(async () => {
  process.env = environment;
  await plain.close();
  await kms.close();
  await alpaca.close();
  await bus.close();
});

type Json = Readonly<Record<string, unknown>>;

/** Deploys signals on a connected account, by the operations that a person calls. */
const deployed = async () => {
  const person: { user_id: string; access_token: string } = (await signUp(hub)).body;
  const headers = bearer(person.access_token);
  const account: string = (await connectAccount(hub, alpaca, person)).body.account_id;
  const { keygen } = (await build(hub, { user_id: person.user_id, symbol: 'BTCUSD', timeframe: '1d' })).body;
  const { status, body } = await deployTrading(hub, keygen, { mode: 'live', account_id: account }, headers);
  expect([status, body.mode]).toEqual([200, 'live']);
  const id: number = body.deployment_id;
  const query = { user_id: person.user_id, deployment_id: String(id) };
  const limit = (limits: Json): Promise<Response> =>
    hub.call('POST /set_risk_limits', { query, headers, json: { limits } });
  const address = (form: Readonly<Record<string, string>>): Promise<Response> =>
    hub.call('POST /create_signal_hook', { query, headers, form });
  return { ...person, id, query, headers, account, keygen, limit, address };
};

/** Deploys signals with limits and an address, at a broker whose fills the test decides. */
const armed = async (limits: Json = LIMITS, workers: readonly Worker[] = [worker(hub), worker(hub)]) => {
  const one = await deployed();
  await one.limit(limits);
  const { body } = await one.address({ max_quantity: '10' });
  const token: string = body.url.slice(body.url.lastIndexOf('/') + 1);
  const execution = { adapter: 'test', source: 'strategy-hub.test', account: one.account };
  await hub.runtime.store.transact([{ key: keys.deployment(one.id), set: { execution } }]);
  const [first] = workers;
  if (!first) throw new Error('there is no worker');
  await startEngine(first, one.id);
  const broker = new TestBroker(hub, bus, workers);
  broker.price = bars.close[WARM - 1] ?? 0;
  let sent = 0;
  const alert = (json: Json): Json => {
    sent += 1;
    return { id: `a${sent}`, time: hub.runtime.clock().toISOString(), ...json };
  };
  const post = (json: Json): Promise<Response> =>
    hub.call('POST /hooks/{token}', { params: { token }, json });
  const send = async (json: Json): Promise<Response> => {
    const answer = await post(alert(json));
    await broker.settle();
    return answer;
  };
  const stored = async () => {
    const [deployment] = await findDeployments(hub.runtime.store, [one.id]);
    if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
    return deployment;
  };
  const held = async () =>
    Number(unpackLedger((await stored()).ledger).head.symbols.BTCUSD?.position?.quantity ?? 0);
  const orders = () => findAllOrders(hub.runtime.store, one.id);
  const refused = async (): Promise<Response['body'][]> =>
    (await hub.call('GET /get_signal_hook', { query: one.query, headers: one.headers })).body.refused;
  const at = (index: number) => broker.feed(sliceBars(bars, index, index + 1));
  return { ...one, token, broker, alert, post, send, stored, held, orders, refused, at, first };
};

describe('an address for real orders', () => {
  test('needs limits and a largest quantity, and a session that is stepped up', async () => {
    const one = await deployed();
    expect(await one.address({ max_quantity: '10' })).toMatchObject({
      status: 409,
      body: { code: 'risk_limit' },
    });
    await one.limit({ daily_loss: '100' });
    expect((await one.address({ max_quantity: '10' })).body.code).toBe('risk_limit');
    await one.limit(LIMITS);
    expect((await one.address({})).body.detail[0].loc).toEqual(['body', 'max_quantity']);
    expect((await one.address({ max_quantity: '0' })).status).toBe(422);
    expect((await one.address({ max_quantity: '10', margin: '0.5' })).status).toBe(422);
    const user = keys.user(one.user_id);
    const [item] = await hub.runtime.store.getMany([user], { consistent: true });
    const sessions = Object.entries(Object(item?.sessions)).map(([sid, session]) => [
      sid,
      { ...Object(session), stepped_up_at: 0 },
    ]);
    await hub.runtime.store.transact([{ key: user, set: { sessions: Object.fromEntries(sessions) } }]);
    expect((await one.address({ max_quantity: '10' })).body.code).toBe('step_up_required');
    await hub.runtime.store.transact([{ key: user, set: { sessions: item?.sessions } }]);
    const { status, body } = await one.address({ max_quantity: '10' });
    expect([status, body.is_real, body.max_quantity]).toEqual([200, true, '10']);
    expect(body.template).toContain('"id"');
    expect(body.template).toContain('{{timenow}}');
  });

  test('is for an account of its own, and has candles to judge by', async () => {
    const one = await deployed();
    const again = await deployTrading(
      hub,
      one.keygen,
      { mode: 'live', account_id: one.account },
      one.headers,
    );
    expect(again.body.code).toBe('connection_used');
    await removeSeries(hub.runtime.store, BITCOIN);
    await hub.call('POST /undeploy_live_strategy', { query: one.query, headers: one.headers });
    const bare = await deployTrading(hub, one.keygen, { mode: 'live', account_id: one.account }, one.headers);
    expect(bare.body).toMatchObject({ code: 'strategy_unsuitable' });
  });
});

describe('a signal to real orders', () => {
  test('enters at the broker once, and its trade follows the fills', async () => {
    const { send, broker, held, orders } = await armed();
    const { status, body } = await send({ action: 'buy', quantity: '2', price: '1' });
    const price = String(bars.close[WARM - 1]);
    expect([status, body.result, body.order]).toEqual([
      200,
      'taken',
      expect.objectContaining({ side: 'buy', quantity: '2', price }),
    ]);
    const [asked] = broker.working;
    expect(asked).toMatchObject({
      type: 'Order Requested',
      quantity: '2',
      client_order_id: body.order.client_order_id,
    });
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([2, 2]);
    const [order] = await orders();
    expect(order).toMatchObject({ status: 'filled', expected_price: price });
    expect(order?.received_at).toBeGreaterThan(0);
    const exit = await send({ action: 'exit' });
    expect(exit.body.order).toMatchObject({ side: 'sell', quantity: '2' });
    expect(broker.working).toMatchObject([
      { type: 'Position Close Requested', quantity: '2', flatten: false },
    ]);
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([0, 0]);
    expect((await send({ action: 'close' })).body.code).toBe('position_closed');
    expect(broker.orders.size).toBe(2);
  });

  test('closes before it turns a position around, and a part of it', async () => {
    const { send, broker, held } = await armed();
    await send({ action: 'buy', quantity: 5 });
    await broker.fillAll();
    await send({ action: 'sell', quantity: 2 });
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([3, 3]);
    await send({ action: 'sell', quantity: 7 });
    expect(broker.working).toMatchObject([{ type: 'Position Close Requested', quantity: '3' }]);
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([-4, -4]);
    await send({ action: 'close_long' });
    expect(broker.working).toEqual([]);
    await send({ action: 'close_short' });
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([0, 0]);
  });

  test('that exits ends the entry that is not filled yet, and closes what it still fills', async () => {
    const { send, broker, held } = await armed({ ...LIMITS, open_positions: 5 });
    const { body } = await send({ action: 'buy', quantity: 4 });
    await send({ action: 'flat' });
    expect(broker.cancels).toContain(body.order.client_order_id);
    await broker.report(body.order.client_order_id, 'cancelled', 3);
    expect(broker.working).toMatchObject([{ type: 'Position Close Requested', quantity: '3' }]);
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([0, 0]);
  });

  test('of the other side ends the entry that is not filled yet, and closes what it still fills', async () => {
    const { send, broker, held } = await armed({ ...LIMITS, open_positions: 5 });
    const { body } = await send({ action: 'buy', quantity: 4 });
    await send({ action: 'sell', quantity: 1 });
    expect(broker.cancels).toContain(body.order.client_order_id);
    await broker.report(body.order.client_order_id, 'cancelled', 1);
    const [entry] = broker.working.filter(({ type }) => type === 'Order Requested');
    await broker.report(entry?.key ?? '', 'filled', 1);
    expect(await held()).toBe(0);
    expect(broker.working).toMatchObject([{ type: 'Position Close Requested', quantity: '1' }]);
    // The account is flat only until the close of the first trade fills.
    expect((await send({ action: 'exit' })).status).toBe(200);
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([0, 0]);
  });

  test('that exits asks again for a close that failed, without a further bar', async () => {
    const { send, broker, held } = await armed();
    await send({ action: 'buy', quantity: 4 });
    await broker.fillAll();
    for (const status of ['rejected', 'cancelled', 'expired']) {
      await send({ action: 'exit' });
      const [close] = broker.working;
      await broker.report(close?.key ?? '', status, status === 'cancelled' ? 1 : 0);
      expect(broker.working).toEqual([]);
    }
    await send({ action: 'sell', quantity: 2 });
    expect(broker.working).toMatchObject([{ type: 'Position Close Requested', quantity: '2' }]);
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([1, 1]);
  });

  test('keeps its stop and target with the order', async () => {
    const { send, broker, orders } = await armed();
    const price = bars.close[WARM - 1] ?? 0;
    const levels = { stop: (price * 0.9).toFixed(2), target: (price * 1.2).toFixed(2) };
    expect((await send({ action: 'buy', quantity: 1, stop: levels.target })).status).toBe(422);
    expect((await send({ action: 'buy', quantity: 1, target: levels.stop })).status).toBe(422);
    expect((await send({ action: 'sell', quantity: 1, ...levels })).status).toBe(422);
    expect((await send({ action: 'buy', quantity: 1, ...levels })).status).toBe(200);
    expect(broker.working).toMatchObject([
      { protection: { stop: { price: levels.stop }, target: { price: levels.target } } },
    ]);
    await broker.fillAll();
    expect(await orders()).toMatchObject([{ stop_loss: levels.stop, take_profit: levels.target }]);
    await send({ action: 'buy', quantity: 1 });
    const [second] = (await orders()).filter(({ status }) => status === 'cancelled');
    expect(second?.status_message).toContain('exits of the trade rest at the broker');
  });

  test.each([
    ['without an id', { id: undefined }, 422],
    ['without a time', { time: undefined }, 422],
    ['above the largest quantity', { quantity: '10.5' }, 409],
    ['in a symbol of another deployment', { symbol: 'ETHUSD' }, 422],
    ['without a quantity', { quantity: undefined }, 422],
  ])('is refused %s', async (_, change, status) => {
    const { send, broker, refused } = await armed();
    expect((await send({ action: 'buy', quantity: 1, ...change })).status).toBe(status);
    expect(broker.orders.size).toBe(0);
    expect(await refused()).toHaveLength(1);
  });

  test('never orders when it is older than a minute, or of the future', async () => {
    const { post, alert, broker, refused } = await armed();
    const now = hub.runtime.clock().getTime();
    const at = (ms: number) => new Date(now + ms).toISOString();
    for (const time of [at(-MINUTE - 1), at(10_001)]) {
      expect((await post(alert({ action: 'buy', quantity: 1, time }))).status).toBe(422);
    }
    const late = alert({ action: 'buy', quantity: 1, time: at(0) });
    expect((await post(late)).body.result).toBe('taken');
    expect((await post(late)).body.result).toBe('repeated');
    hub.advance(MINUTE + 1);
    expect((await post(late)).status).toBe(422);
    // The engine came too late: the order does not leave.
    await broker.settle();
    expect(broker.orders.size).toBe(0);
    // The minute counts from the time of the sender, not from the arrival.
    const old = new Date(hub.runtime.clock().getTime() - 40_000).toISOString();
    expect((await post(alert({ action: 'buy', quantity: 1, time: old }))).body.result).toBe('taken');
    hub.advance(20_001);
    await broker.settle();
    expect(broker.orders.size).toBe(0);
    expect((await refused()).map(({ code }) => code)).toEqual(['invalid', 'invalid', 'invalid']);
  });

  test('with the id of another one is refused, and its owner sees why', async () => {
    const { send, broker, refused } = await armed();
    expect((await send({ action: 'buy', quantity: 1, id: 'Long' })).body.result).toBe('taken');
    hub.advance(1000);
    expect((await send({ action: 'buy', quantity: 1, id: 'Long' })).body.code).toBe('signal_refused');
    expect(broker.orders.size).toBe(1);
    expect((await refused())[0].reason).toContain('Another alert had this id');
  });

  test('orders once under parallel repeats, several workers and repeated events', async () => {
    const { post, alert, broker, first, id } = await armed();
    const json = alert({ action: 'buy', quantity: 2 });
    const all = await Promise.all(Array.from({ length: 5 }, () => post(json)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(all.filter(({ body }) => body.result === 'taken')).toHaveLength(1);
    await Promise.all([serveEngine(first, id), serveEngine(worker(hub), id), serveEngine(worker(hub), id)]);
    await broker.settle();
    await broker.fillAll();
    expect([broker.orders.size, broker.position]).toEqual([1, 2]);
  });

  test('together with others never exceeds the limits of the deployment', async () => {
    const price = bars.close[WARM - 1] ?? 0;
    const { post, alert, broker, orders } = await armed({
      daily_loss: '100000',
      position_value: String(price * 5),
    });
    await Promise.all(Array.from({ length: 4 }, () => post(alert({ action: 'buy', quantity: 2 }))));
    await broker.settle();
    await broker.fillAll();
    expect(broker.position).toBe(4);
    const dropped = (await orders()).filter(({ status }) => status === 'cancelled');
    expect(dropped.every(({ status_message }) => status_message?.includes('position'))).toBe(true);
  });

  test('is refused once the limits are removed, the deployment is paused or a switch is thrown', async () => {
    const { send, limit, broker, headers, query, user_id } = await armed();
    await limit({});
    expect((await send({ action: 'buy', quantity: 1 })).body.code).toBe('risk_limit');
    await limit(LIMITS);
    await hub.call('POST /pause_deployment', { query, headers });
    expect((await send({ action: 'buy', quantity: 1 })).body.code).toBe('state_conflict');
    await hub.call('POST /resume_deployment', { query, headers });
    const json = { action: 'throw', reason: 'x' };
    await hub.call('POST /kill_switch', { query: { user_id }, headers, json });
    expect((await send({ action: 'buy', quantity: 1 })).body.code).toBe('kill_switch');
    expect(broker.orders.size).toBe(0);
  });

  test('a halt that closes everything closes what signals opened', async () => {
    const { send, broker, held, query, headers } = await armed();
    await send({ action: 'buy', quantity: 3 });
    await broker.fillAll();
    await hub.call('POST /stop_deployment', { query: { ...query, flatten: 'true' }, headers });
    await broker.settle();
    await broker.fillAll();
    expect([await held(), broker.position]).toEqual([0, 0]);
  });

  test('a loss at the close of a bar stops the deployment', async () => {
    const { send, broker, limit, at, stored } = await armed();
    await send({ action: 'buy', quantity: 3 });
    await broker.fillAll();
    await limit({ daily_loss: '0.01', order_value: '100000', action: 'flatten' });
    for (let index = WARM; (await stored()).status === 'active' && index < 100; index += 1) await at(index);
    expect((await stored()).risk?.tripped?.limit).toBe('daily_loss');
    await broker.fillAll();
    expect(broker.position).toBe(0);
  });
});
