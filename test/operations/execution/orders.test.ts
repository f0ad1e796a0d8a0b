import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { compareAccount } from '../../../shared/broker-orders/compare-account.ts';
import { BROKER_DOUBTS, findAccess } from '../../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { findConnection } from '../../../shared/data/execution/connections.ts';
import { createOrderInHand, findOrderInHand } from '../../../shared/data/execution/orders-in-hand.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { brokerOrderIdOf } from '../../../shared/domain/orders/broker-order-ids.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { PUBLISHED_STATUSES } from '../../support/alpaca/description.ts';
import { published } from '../../support/alpaca/orders.ts';
import { type FakeAlpaca, fakeAlpaca, type HeldOrder, type Trouble } from '../../support/alpaca.ts';
import {
  type Adapter,
  adapterOf,
  cancelEvent,
  closeEvent,
  connectAccount,
  follow,
  liveTrader,
  orderEvent,
  take,
} from '../../support/execution.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { bearer } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll, undeployTrading } from '../../support/trading.ts';
import type { Received } from '../../support/upstream.ts';

const environment = { ...process.env };
let alpaca: FakeAlpaca;
let hub: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;
let adapter: Adapter;
let trader: Awaited<ReturnType<typeof liveTrader>>;

beforeAll(async () => {
  kms = await startKms();
  const plain = await startHub();
  alpaca = await fakeAlpaca(plain.runtime.clock);
  hub = plain.with(alpaca.environment);
  await furnishWithInstruments(hub, ['AAPL', 'MSFT', 'BTCUSD', 'EURUSD']);
});
beforeEach(async () => {
  alpaca.reset();
  alpaca.price = '101.5';
  hub.log.length = 0;
  trader = await liveTrader(hub, alpaca, 'AAPL,MSFT');
  adapter = adapterOf(hub);
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await alpaca.close();
});

const statuses = (reports: readonly { readonly status: string }[]): string[] =>
  reports.map(({ status }) => status);

/** Makes the first placing of an order fail, and no other request. */
const troubleOnce = (trouble: Trouble): void => {
  let isOver = false;
  alpaca.trouble = ({ method }: Received) => {
    if (isOver || method !== 'POST') return undefined;
    isOver = true;
    return trouble;
  };
};

const only = (): HeldOrder => {
  const [order, ...others] = alpaca.orders;
  if (!order || others.length > 0) throw new Error(`${alpaca.orders.length} orders were placed`);
  return order;
};

const stateOf = async () => (await findDeployments(hub.runtime.store, [trader.id]))[0];

const bookOf = async () => {
  const orders = await findAllOrders(hub.runtime.store, trader.id);
  return orders.map(({ client_order_id, status, filled_quantity, average_price }) => ({
    client_order_id,
    status,
    filled_quantity,
    average_price,
  }));
};

describe('an order', () => {
  test('is placed once, and its fill reaches the order book', async () => {
    const event = orderEvent(hub, trader, 'AAPL:1:e0');
    const reports = await take(adapter, event);
    expect(only()).toMatchObject({
      client_order_id: brokerOrderIdOf({ deployment_id: trader.id, client_order_id: 'AAPL:1:e0' }),
      symbol: 'AAPL',
      qty: '5',
      side: 'buy',
      type: 'market',
      time_in_force: 'day',
    });
    expect(statuses(reports)).toEqual(['submitted', 'filled']);
    expect(reports.map(({ sequence }) => sequence)).toEqual([10, 11]);
    expect(await bookOf()).toEqual([
      { client_order_id: 'AAPL:1:e0', status: 'filled', filled_quantity: '5', average_price: '101.5' },
    ]);
    expect(await take(adapter, event)).toEqual([]);
    expect(await follow(hub, adapter)).toEqual([]);
    expect(alpaca.orders).toHaveLength(1);
  });

  test('is followed after its first seconds, through partial fills', async () => {
    alpaca.price = undefined;
    await take(adapter, orderEvent(hub, trader, 'AAPL:2:e0', { order_type: 'limit', price: '99.507' }));
    const order = only();
    expect(order).toMatchObject({ limit_price: '99.5', status: 'new' });
    alpaca.fill(order, '2', '99.4');
    hub.advance(5_000);
    expect(statuses(await follow(hub, adapter, 10_000))).toEqual(['partially_filled']);
    alpaca.fill(order, '5', '99.5');
    const [filled] = await follow(hub, adapter, 10_000);
    expect(filled).toMatchObject({ status: 'filled', filled_quantity: '5', average_price: '99.46' });
    expect(await follow(hub, adapter, 3_600_000)).toEqual([]);
  });

  test.each<[Trouble]>([['lost'], ['cut'], ['dropped'], ['late'], ['limited'], ['down']])(
    'is neither doubled nor lost when the answer is %s',
    async (trouble) => {
      troubleOnce(trouble);
      const reports = await take(adapter, orderEvent(hub, trader, `AAPL:${trouble}:e0`));
      await new Promise((resolve) => setTimeout(resolve, 50));
      reports.push(...(await follow(hub, adapter)));
      expect(only().filled_qty).toBe('5');
      expect(reports.at(-1)).toMatchObject({ status: 'filled', filled_quantity: '5' });
    },
  );

  test('that Alpaca refuses is rejected with the reason', async () => {
    alpaca.refuse = () => ({ status: 403, body: { code: 40310000, message: 'insufficient buying power' } });
    const [report] = await take(adapter, orderEvent(hub, trader, 'AAPL:3:e0'));
    expect(report).toMatchObject({
      status: 'rejected',
      status_message: 'Alpaca refused the order: insufficient buying power',
    });
    expect(await follow(hub, adapter)).toEqual([]);
  });

  test('whose request times out at Alpaca is not taken for refused', async () => {
    alpaca.refuse = () => ({ status: 408 });
    expect(await take(adapter, orderEvent(hub, trader, 'AAPL:3:e1'))).toEqual([]);
    alpaca.refuse = undefined;
    expect(statuses(await follow(hub, adapter)).at(-1)).toBe('filled');
    expect(alpaca.orders).toHaveLength(1);
  });

  test('of an instrument that Alpaca does not trade, or of another account, is rejected', async () => {
    const foreign = await take(adapter, orderEvent(hub, { ...trader, account: 'OTHER' }, 'AAPL:4:e0'));
    const unknown = await take(adapter, orderEvent(hub, trader, 'AAPL:5:e0', { symbol: 'EURUSD' }));
    expect(statuses([...foreign, ...unknown])).toEqual(['rejected', 'rejected']);
    expect(alpaca.orders).toEqual([]);
  });

  test('of a crypto asset has the symbol and the time in force of Alpaca', async () => {
    await take(adapter, orderEvent(hub, trader, 'BTC:1:e0', { symbol: 'BTCUSD', quantity: '0.25' }));
    expect(only()).toMatchObject({ symbol: 'BTC/USD', time_in_force: 'gtc', qty: '0.25' });
  });

  describe('with a time in force', () => {
    const brokerOf = async () => {
      const access = await findAccess(adapter.work, { user_id: trader.user_id, account_id: trader.account });
      if (!access) throw new Error('the account is not connected');
      return access.broker;
    };
    const order = { clientOrderId: 'one', symbol: 'AAPL', assetClass: 'equity', side: 'buy' } as const;
    const coin = { ...order, symbol: 'BTC/USD', assetClass: 'crypto' } as const;
    const combinations = (['day', 'gtc', 'ioc', 'fok'] as const).flatMap((timeInForce) =>
      (['market', 'limit', 'stop', 'stop_limit'] as const).map((type) => ({
        timeInForce,
        type,
        ...(type.includes('limit') && { limitPrice: '100' }),
        ...(type.includes('stop') && { stopPrice: '100' }),
      })),
    );

    /** Returns the combinations that leave, with another time in force after a slash. */
    const leaving = async (asked: typeof order | typeof coin, quantity: string): Promise<string[]> => {
      const broker = await brokerOf();
      const left: string[] = [];
      for (const each of combinations) {
        alpaca.orders.length = 0;
        alpaca.received.length = 0;
        const placing = broker.place({ ...asked, ...each, quantity });
        const refused = await placing.then(() => undefined).catch((error: unknown) => error);
        const [placed] = alpaca.orders;
        if (!placed) {
          expect(refused).toMatchObject({ reason: expect.stringMatching(/^Alpaca takes no .+ of .+\.$/) });
          expect(alpaca.received).toEqual([]);
          continue;
        }
        const sent = placed.time_in_force;
        left.push(`${each.type} ${each.timeInForce}${sent === each.timeInForce ? '' : `/${sent}`}`);
      }
      return left.sort();
    };

    test('leaves only if Alpaca takes it', async () => {
      expect(await leaving(order, '5')).toEqual(
        ['market', 'limit', 'stop', 'stop_limit']
          .flatMap((type) => [`${type} day`, `${type} gtc`])
          .concat(['market ioc', 'market fok', 'limit ioc', 'limit fok'])
          .sort(),
      );
      expect(await leaving(order, '0.5')).toEqual(
        ['market', 'limit', 'stop', 'stop_limit']
          .flatMap((type) => [`${type} day`, `${type} gtc/day`])
          .sort(),
      );
      expect(await leaving(coin, '0.5')).toEqual(
        ['market day/gtc', 'market gtc', 'market ioc', 'limit gtc', 'limit ioc', 'stop_limit gtc'].sort(),
      );
    });

    test('and what Alpaca does not take is named to the owner', async () => {
      const broker = await brokerOf();
      const limit = { type: 'limit', limitPrice: '100', quantity: '1', timeInForce: 'fok' } as const;
      await expect(broker.place({ ...coin, ...limit })).rejects.toMatchObject({
        reason: 'Alpaca takes no limit orders of crypto assets with the time in force "fok".',
      });
      const stop = { symbol: 'BTCUSD', order_type: 'stop', trigger_price: '90000', time_in_force: 'gtc' };
      const [report] = await take(adapter, orderEvent(hub, trader, 'BTC:2:e0', stop));
      expect(report).toMatchObject({
        status: 'rejected',
        status_message: 'Alpaca takes no stop orders of crypto assets.',
      });
      const dust = await take(adapter, orderEvent(hub, trader, 'AAPL:8:e0', { quantity: '0.0000000001' }));
      expect(dust.at(-1)?.status_message).toContain('smallest');
      expect(alpaca.orders).toEqual([]);
    });
  });

  test('is understood in every status that Alpaca publishes, and followed in one that it does not', async () => {
    alpaca.price = undefined;
    await take(adapter, orderEvent(hub, trader, 'AAPL:9:e0', { order_type: 'limit', price: '90' }));
    const access = await findAccess(adapter.work, { user_id: trader.user_id, account_id: trader.account });
    const { client_order_id: id } = only();
    for (const status of PUBLISHED_STATUSES) {
      alpaca.end(only(), status);
      const found = await access?.broker.findOrder(id, 'AAPL');
      expect([status, found?.brokerStatus, found?.status]).not.toEqual([status, status, 'unknown']);
    }
    alpaca.end(only(), 'a word of tomorrow');
    expect(statuses(await follow(hub, adapter, 10_000))).toEqual(['unknown']);
    alpaca.fill(only(), '5', '90');
    expect(statuses(await follow(hub, adapter, 60_000))).toEqual(['filled']);
  });

  test('of another adapter is left alone', async () => {
    expect(await take(adapter, orderEvent(hub, trader, 'AAPL:6:e0', { adapter: 'other' }))).toEqual([]);
    expect(alpaca.orders).toEqual([]);
  });
});

describe('an order does not leave', () => {
  const setStatus = (status: string) =>
    hub.runtime.store.transact([{ key: keys.deployment(trader.id), set: { status } }]);

  test.each(['paused', 'halted', 'stopped'])('while the deployment is %s', async (status) => {
    await setStatus(status);
    const [report] = await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'));
    expect(report).toMatchObject({ status: 'cancelled', status_message: `the deployment is ${status}` });
    expect(alpaca.orders).toEqual([]);
  });

  test('while the kill switch is thrown', async () => {
    await throwSwitch(hub.runtime, {
      subject: { level: 'user', user_id: trader.user_id },
      actor: { by: 'operator' },
      reason: 'enough',
      flatten: false,
    });
    const [report] = await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'));
    expect(report).toMatchObject({
      status: 'cancelled',
      status_message: 'the kill switch is thrown: enough',
    });
    expect(alpaca.orders).toEqual([]);
  });

  test('when it is too old', async () => {
    const event = orderEvent(hub, trader, 'AAPL:1:e0');
    hub.advance(11 * 60_000);
    expect(statuses(await take(adapter, event))).toEqual(['cancelled']);
    expect(alpaca.orders).toEqual([]);
  });

  test('after an attempt without an answer, and is not given up before it can no longer appear', async () => {
    troubleOnce('lost');
    expect(await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'))).toEqual([]);
    await setStatus('halted');
    const reports = await follow(hub, adapter);
    expect(statuses(reports)).toEqual(['filled']);
  });
});

describe('a close', () => {
  test('orders no more than the account holds', async () => {
    alpaca.positions.set('AAPL', 3);
    const reports = await take(adapter, closeEvent(hub, trader, 'AAPL:1:x0'));
    expect(only()).toMatchObject({ side: 'sell', qty: '3' });
    expect(reports.at(-1)).toMatchObject({ status: 'filled', quantity: '3', filled_quantity: '3' });
    expect(alpaca.positions.get('AAPL')).toBe(0);
  });

  test('waits until an entry against it is cancelled', async () => {
    alpaca.positions.set('AAPL', 5);
    const entry = { symbol: 'AAPL', qty: '1', side: 'buy', type: 'limit', limit_price: '90' } as const;
    alpaca.byHand.place({ ...entry, time_in_force: 'gtc' });
    expect(await take(adapter, closeEvent(hub, trader, 'AAPL:3:x0'))).toEqual([]);
    alpaca.byHand.cancel(only());
    expect(statuses(await follow(hub, adapter))).toEqual(['submitted', 'filled']);
    expect(alpaca.orders.at(-1)).toMatchObject({ side: 'sell', qty: '5' });
    alpaca.positions.set('AAPL', 5);
    alpaca.byHand.place({ ...entry, time_in_force: 'gtc' });
    await take(adapter, closeEvent(hub, trader, 'AAPL:4:x0'));
    hub.advance(60_000);
    expect(statuses(await follow(hub, adapter))).toEqual(['rejected']);
  });

  test('of a crypto asset ends the trade although fees were taken from the position', async () => {
    await take(adapter, orderEvent(hub, trader, 'BTC:2:e0', { symbol: 'BTCUSD', quantity: '1' }));
    alpaca.positions.set('BTCUSD', 0.9975);
    const close = { symbol: 'BTCUSD', quantity: '1', closes: 'BTC:2:e0' };
    const reports = await take(adapter, closeEvent(hub, trader, 'BTC:2:x1', close));
    expect(alpaca.orders.at(-1)).toMatchObject({ side: 'sell', qty: '0.9975' });
    expect(reports.at(-1)).toMatchObject({
      status: 'filled',
      quantity: '1',
      filled_quantity: '1',
      average_price: '101.5',
      fees: '0.25375',
    });
    expect(alpaca.positions.get('BTCUSD')).toBe(0);
  });

  test('opens nothing if the position is gone or on the other side', async () => {
    expect(statuses(await take(adapter, closeEvent(hub, trader, 'AAPL:1:x0')))).toEqual(['cancelled']);
    alpaca.positions.set('AAPL', -5);
    expect(statuses(await take(adapter, closeEvent(hub, trader, 'AAPL:2:x0')))).toEqual(['cancelled']);
    expect(alpaca.orders).toEqual([]);
    // The books hold nothing, so nothing is missing.
    expect(await stateOf()).toMatchObject({ status: 'active' });
  });

  test('of a position that the owner closed by hand halts the deployment once, and other closes go on', async () => {
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'));
    await take(adapter, orderEvent(hub, trader, 'MSFT:1:e0', { symbol: 'MSFT' }));
    alpaca.positions.delete('AAPL');
    const [gone] = await take(adapter, closeEvent(hub, trader, 'AAPL:1:x1', { closes: 'AAPL:1:e0' }));
    expect(gone).toMatchObject({
      status: 'cancelled',
      status_message: 'The account at Alpaca holds no such position.',
    });
    expect(await stateOf()).toMatchObject({
      status: 'halted',
      stop_reason: 'position_missing',
      missing: ['AAPL'],
    });
    const command = { action: 'halt', by: 'user', reason: 'test', flatten: true } as const;
    await commandDeployment(hub.runtime, trader.id, command);
    await take(adapter, closeEvent(hub, trader, 'AAPL:1:x2', { closes: 'AAPL:1:e0', flatten: true }));
    const other = { symbol: 'MSFT', closes: 'MSFT:1:e0', flatten: true };
    expect(statuses(await take(adapter, closeEvent(hub, trader, 'MSFT:1:x1', other)))).toEqual([
      'submitted',
      'filled',
    ]);
    await enterAll(hub);
    const query = { user_id: trader.user_id, kind: 'deployment_halted' };
    const { items } = (await hub.call('GET /get_deployment_notifications', { query })).body;
    expect(items.filter(({ symbol }: { symbol: string | null }) => symbol === 'AAPL')).toHaveLength(1);
  });

  test('of a position that other orders hold waits for the next bar', async () => {
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'));
    const own = { symbol: 'AAPL', qty: '5', side: 'sell', type: 'limit', limit_price: '200' } as const;
    alpaca.byHand.place({ ...own, time_in_force: 'gtc' });
    const [report] = await take(adapter, closeEvent(hub, trader, 'AAPL:1:x1', { closes: 'AAPL:1:e0' }));
    expect(report).toMatchObject({
      status: 'cancelled',
      status_message: 'Other orders at Alpaca hold the position.',
    });
    expect(await stateOf()).toMatchObject({ status: 'active' });
  });
});

describe('a cancel', () => {
  const limit = { order_type: 'limit', price: '90' };

  test('ends an open order', async () => {
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0', limit));
    const reports = await take(adapter, cancelEvent(hub, trader, 'AAPL:1:e0'));
    expect(only().status).toBe('canceled');
    expect(reports.at(-1)).toMatchObject({ status: 'cancelled', status_message: 'no longer wanted' });
  });

  test('that overtakes its order keeps it from being placed', async () => {
    expect(await take(adapter, cancelEvent(hub, trader, 'AAPL:1:e0'))).toEqual([]);
    expect(statuses(await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0', limit)))).toEqual(['cancelled']);
    expect(alpaca.orders).toEqual([]);
  });

  test('that comes too late leaves the fill', async () => {
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0', limit));
    alpaca.fill(only(), '5', '90');
    const reports = await take(adapter, cancelEvent(hub, trader, 'AAPL:1:e0'));
    expect(statuses(reports)).toEqual(['filled']);
  });
});

describe('keys that Alpaca refuses', () => {
  test('halt the deployment and show on the connection, until the account is connected again', async () => {
    const { keyId } = alpaca.keys;
    alpaca.price = undefined;
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'));
    alpaca.keys.keyId = 'PKOTHERKEYID';
    expect(statuses(await take(adapter, orderEvent(hub, trader, 'AAPL:2:e0')))).toEqual(['rejected']);
    const [deployment] = await findDeployments(hub.runtime.store, [trader.id]);
    expect(deployment).toMatchObject({ status: 'halted', stop_reason: 'broker_disconnected' });
    expect(await findConnection(hub.runtime.store, trader.user_id, trader.account)).toMatchObject({
      status: 'refused',
    });
    alpaca.fill(only(), '5', '100');
    expect(await follow(hub, adapter)).toEqual([]);
    expect((await connectAccount(hub, alpaca, trader)).status).toBe(200);
    expect(statuses(await follow(hub, adapter, 600_000))).toEqual(['filled']);
    alpaca.keys.keyId = keyId;
  });
});

test('an account is not disconnected while a live deployment uses it', async () => {
  const disconnect = () =>
    hub.call('POST /disconnect_execution', {
      query: { user_id: trader.user_id, account_id: trader.account },
      headers: bearer(trader.access_token),
    });
  await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0'));
  const used = await disconnect();
  expect([used.status, used.body.code]).toEqual([409, 'connection_used']);
  await undeployTrading(hub, trader.user_id, trader.id);
  expect((await disconnect()).body).toEqual({ disconnected: true });
  const [report] = await take(adapter, closeEvent(hub, trader, 'AAPL:1:x0', { flatten: true }));
  expect(report).toMatchObject({ status: 'rejected' });
});

describe('the comparison with the broker', () => {
  const place = async (client_order_id: string): Promise<void> => {
    const body = {
      symbol: 'AAPL',
      qty: '1',
      side: 'buy',
      type: 'limit',
      limit_price: '1',
      time_in_force: 'day',
    };
    const { keyId, secret } = alpaca.keys;
    await fetch(`${alpaca.url}/v2/orders`, {
      method: 'POST',
      headers: { 'apca-api-key-id': keyId, 'apca-api-secret-key': secret },
      body: JSON.stringify({ ...body, client_order_id }),
    });
  };

  const compare = async ({ user_id, account } = trader): Promise<string[]> => {
    const access = await findAccess(adapter.work, { user_id, account_id: account });
    if (access) await compareAccount(adapter.work, access);
    return hub.log.filter(({ level }) => level === 'error').map(({ message }) => message);
  };

  test('reports an unknown order of the hub and leaves it, and those of the owner', async () => {
    await place('my own order');
    expect(await compare()).toEqual([]);
    await place(brokerOrderIdOf({ deployment_id: 123, client_order_id: 'unknown' }));
    expect(await compare()).toEqual([BROKER_DOUBTS.notInHand]);
    expect(alpaca.orders.map(({ status }) => status)).toEqual(['new', 'new']);
  });

  test('reports any number of unknown orders in one line, and no texts of owners', async () => {
    for (let order = 0; order < 3; order += 1) {
      await place(brokerOrderIdOf({ deployment_id: 123, client_order_id: `unknown ${order}` }));
      await place(`hub-my private note ${order}`);
    }
    expect(await compare()).toEqual([BROKER_DOUBTS.notInHand]);
    expect(hub.log.at(-1)?.extra).toMatchObject({ orders: 3 });
    expect(JSON.stringify(hub.log)).not.toContain('private');
  });

  test('is not blocked by orders of the owner with one id', async () => {
    const id = brokerOrderIdOf({ deployment_id: 123, client_order_id: 'unknown' });
    await place(id);
    const [order] = alpaca.orders;
    if (!order) throw new Error('nothing was placed');
    alpaca.foreign = [published({ ...order, id: 'another', symbol: 'MSFT' })];
    expect(await compare()).toEqual([BROKER_DOUBTS.notInHand]);
  });

  test('is not blocked by orders of the owner in any form', async () => {
    alpaca.price = undefined;
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0', { order_type: 'limit', price: '90' }));
    const submitted_at = '2026-01-05T15:00:00.000000Z';
    const common = { id: 'x', client_order_id: 'mine', created_at: submitted_at, submitted_at };
    const spread = {
      ...common,
      symbol: '',
      asset_class: '',
      side: '',
      order_class: 'mleg',
      qty: '1',
      filled_qty: '0',
      filled_avg_price: null,
      status: 'new',
      legs: [{ symbol: 'SPY260731P00395000', asset_class: 'us_option', ratio_qty: '1', status: 'held' }],
    };
    alpaca.foreign = [
      spread,
      { ...spread, symbol: null },
      { ...common, symbol: 'SPY', qty: null, notional: '10', filled_qty: '0', status: 'a new status' },
      { ...common, symbol: 7, type: 'a new type', asset_class: 'bond', submitted_at: null, filled_qty: {} },
      { id: 'no id of a client' },
      null,
      'text',
    ];
    expect(await compare()).toEqual([]);
    const [order] = alpaca.orders;
    if (order) alpaca.fill(order, '5', '89');
    hub.advance(5 * 60_000);
    await follow(hub, adapter);
    expect((await bookOf())[0]).toMatchObject({ status: 'filled', average_price: '89' });
  });

  test('reports an order of the hub in an unknown form, and goes on with the others', async () => {
    const own = (id: string) => brokerOrderIdOf({ deployment_id: 123, client_order_id: id });
    alpaca.foreign = [{ client_order_id: own('unreadable'), symbol: null, legs: [] }];
    await place(own('unknown'));
    expect(await compare()).toEqual([BROKER_DOUBTS.unreadable, BROKER_DOUBTS.notInHand]);
  });

  test('follows the other orders of an account if one cannot be read, or the hub fails at it', async () => {
    alpaca.price = undefined;
    for (const id of ['AAPL:1:e0', 'AAPL:2:e0', 'AAPL:3:e0'])
      await take(adapter, orderEvent(hub, trader, id, { order_type: 'limit', price: '90' }));
    const [first, second, third] = alpaca.orders;
    if (!first || !second || !third) throw new Error('nothing was placed');
    first.updated_at = 'a new form';
    alpaca.fill(second, '5', '89');
    alpaca.fill(third, '5', '89');
    const putReport: typeof adapter.work.putReport = (detail) =>
      detail.client_order_id === 'AAPL:2:e0'
        ? Promise.reject(new Error('a fault'))
        : adapter.work.putReport(detail);
    hub.advance(10_000);
    await expect(followOrders({ ...adapter.work, putReport })).rejects.toThrow();
    const { status } = (await bookOf()).find((order) => order.client_order_id === 'AAPL:3:e0') ?? {};
    expect(status).toBe('filled');
    first.updated_at = third.updated_at;
    alpaca.fill(first, '5', '89');
    hub.advance(31_000);
    await follow(hub, adapter);
    expect((await bookOf()).map((order) => order.status)).toEqual(['filled', 'filled', 'filled']);
  });

  test('takes back and cancels an order that appears after it was given up', async () => {
    alpaca.price = undefined;
    const id = brokerOrderIdOf({ deployment_id: trader.id, client_order_id: 'AAPL:1:e0' });
    troubleOnce('dropped');
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0', { order_type: 'limit', price: '90' }));
    await hub.runtime.store.transact([{ key: keys.deployment(trader.id), set: { status: 'halted' } }]);
    expect(statuses(await follow(hub, adapter, 120_000))).toEqual(['cancelled']);
    await place(id);
    expect(await compare()).toEqual([BROKER_DOUBTS.appearedLate]);
    hub.advance(60_000);
    await follow(hub, adapter);
    expect(alpaca.orders.map(({ status }) => status)).toEqual(['canceled']);
    expect(await findOrderInHand(hub.runtime.store, id)).toMatchObject({ state: 'ended' });
  });

  test('takes no order of another user for its own, whatever id an owner gives one', async () => {
    const id = brokerOrderIdOf({ deployment_id: trader.id, client_order_id: 'AAPL:1:e0' });
    await hub.runtime.store.transact([{ key: keys.deployment(trader.id), set: { status: 'paused' } }]);
    await take(adapter, orderEvent(hub, trader, 'AAPL:1:e0', { order_type: 'limit', price: '90' }));
    const ended = await findOrderInHand(hub.runtime.store, id);
    expect(ended).toMatchObject({ state: 'ended' });
    const stranger = await liveTrader(hub, alpaca, 'AAPL,MSFT');
    await place(id);
    hub.log.length = 0;
    expect(await compare(stranger)).toEqual([]);
    expect(await findOrderInHand(hub.runtime.store, id)).toEqual(ended);
  });
});

test('no log holds keys, ids of users or texts of requests', () => {
  const text = JSON.stringify(hub.log);
  for (const secret of [alpaca.keys.keyId, alpaca.keys.secret, trader.user_id])
    expect(text).not.toContain(secret);
});

test('hundreds of orders of an account that cannot be reached do not hold up those of others', async () => {
  alpaca.price = undefined;
  await take(adapter, orderEvent(hub, trader, 'waits', { order_type: 'limit', price: '90' }));
  const held = await findOrderInHand(
    hub.runtime.store,
    brokerOrderIdOf({ deployment_id: trader.id, client_order_id: 'waits' }),
  );
  if (!held) throw new Error('the order is not in hand');
  const at = hub.runtime.clock().getTime();
  for (let n = 0; n < 450; n++) {
    const other = { broker_client_id: `other-${n}`, account_id: 'gone', due_at: at };
    await createOrderInHand(hub.runtime.store, { ...held, ...other });
  }
  const placed = only();
  alpaca.fill(placed, placed.qty, '90');
  hub.advance(10_000);
  const before = adapter.reports.length;
  // The rounds of a minute.
  for (let round = 0; round < 9; round++) {
    await followOrders(adapter.work);
    hub.advance(5000);
  }
  expect(statuses(adapter.reports.slice(before))).toContain('filled');
});
