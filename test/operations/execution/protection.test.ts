import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BROKER_DOUBTS } from '../../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { findAllOrders, orderKey } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { orderInHandKey } from '../../../shared/data/execution/orders-in-hand.ts';
import {
  findProtection,
  findProtections,
  protectionKey,
} from '../../../shared/data/execution/protections.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { brokerOrderIdOf } from '../../../shared/domain/orders/broker-order-ids.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { type FakeAlpaca, fakeAlpaca, type HeldOrder, NEW_YORK_SESSIONS } from '../../support/alpaca.ts';
import {
  type Adapter,
  adapterOf,
  cancelEvent,
  closeEvent,
  liveTrader,
  orderEvent,
  take,
} from '../../support/execution.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
import { startKms } from '../../support/kms.ts';
import { bearer } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll } from '../../support/trading.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ENTRY = 'AAPL:1:e0';
/** Stop 5 % below the fill, target 8 % above it. */
const LEVELS = { stop: { factor: '0.95', offset: '0' }, target: { factor: '1.08', offset: '0' } };

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
  await furnishWithInstruments(hub, ['AAPL', 'MSFT', 'BTCUSD']);
});
/** Moves to half an hour after the next open in New York. */
const toSession = (): void => {
  const now = hub.runtime.clock().getTime();
  alpaca.market.sessions = NEW_YORK_SESSIONS;
  hub.advance(NEW_YORK_SESSIONS.openAfter(now) + 30 * MINUTE_MS - now);
  alpaca.price = '100';
};

beforeEach(async () => {
  alpaca.reset();
  toSession();
  hub.log.length = 0;
  trader = await liveTrader(hub, alpaca, 'AAPL,MSFT,BTCUSD');
  adapter = adapterOf(hub);
});
afterEach(async () => {
  // All tests share the account at the broker.
  const left = await findProtections(hub.runtime.store, trader.id);
  for (const each of left) await hub.runtime.store.transact([{ delete: protectionKey(each) }]);
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await alpaca.close();
});

const OPEN = new Set(['new', 'held', 'accepted', 'partially_filled', 'pending_cancel', 'pending_new']);

/** Open orders that would sell, as `type at price × quantity`. */
const exits = (): string[] =>
  alpaca.orders
    .filter(({ side, status }) => side === 'sell' && OPEN.has(status))
    .map(
      ({ type, stop_price, limit_price, qty, filled_qty }) =>
        `${type} ${stop_price ?? limit_price} × ${Number(qty) - Number(filled_qty)}`,
    )
    .sort();

const stopOrder = (): HeldOrder => {
  const found = alpaca.orders.find(({ stop_price, status }) => stop_price !== null && OPEN.has(status));
  if (!found) throw new Error('there is no stop');
  return found;
};

const enter = (more: Readonly<Record<string, unknown>> = {}, id = ENTRY) =>
  take(adapter, orderEvent(hub, trader, id, { protection: LEVELS, ...more }));

/** Lets the job run after a time. */
const run = async (ms = MINUTE_MS): Promise<void> => {
  hub.advance(ms);
  alpaca.settle();
  await followOrders(adapter.work);
};

/** Lets the job run until a difference has lasted. */
const runs = async (count = 4): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) await run();
};

const moved = (number: number, stop: string, more: Readonly<Record<string, unknown>> = {}) => {
  const event = cancelEvent(hub, trader, ENTRY);
  const { reason: _, ...detail } = event.detail;
  return take(adapter, {
    ...event,
    'detail-type': 'Protection Requested',
    detail: { ...detail, number, stop, ...more },
  });
};

const deployment = async () => {
  const [found] = await findDeployments(hub.runtime.store, [trader.id]);
  if (found?.kind !== 'live') throw new Error('there is no deployment');
  return found;
};

const booksOf = async (symbol = 'AAPL'): Promise<string> =>
  unpackLedger((await deployment()).ledger).head.symbols[symbol]?.position?.quantity ?? '0';

const stateOf = async (entry = ENTRY, symbol = 'AAPL') =>
  (await findProtection(hub.runtime.store, { deployment_id: trader.id, symbol, entry }))?.state;

const bookOf = async () =>
  new Map((await findAllOrders(hub.runtime.store, trader.id)).map((order) => [order.client_order_id, order]));

const doubts = (): string[] => hub.log.filter(({ level }) => level === 'error').map(({ message }) => message);

/** Texts of the notifications of a kind, by default about stops that do not rest. */
const notified = async (kind = 'order_rejected'): Promise<string[]> => {
  await enterAll(hub);
  const query = { user_id: trader.user_id, kind };
  const { items } = (await hub.call('GET /get_deployment_notifications', { query })).body;
  return items.map(({ body }: { body: string }) => body);
};

describe('the fill of an entry', () => {
  test('is protected in the same run, at levels that follow from its price', async () => {
    alpaca.price = '101.5';
    await enter();
    expect(exits()).toEqual(['limit 109.62 × 5', 'stop 96.42 × 5']);
    expect(alpaca.orders.at(-1)).toMatchObject({ order_class: 'oco', time_in_force: 'gtc' });
    const book = await bookOf();
    expect(book.get(`${ENTRY}:s1`)).toMatchObject({ status: 'open', trigger_price: '96.42', quantity: '5' });
    expect(book.get(`${ENTRY}:t1`)).toMatchObject({ status: 'open', price: '109.62' });
    expect(await stateOf()).toBe('standing');
    await runs();
    expect(exits()).toHaveLength(2);
  });

  test('in parts is protected part by part, without a gap, and as one exit once there are many', async () => {
    alpaca.price = undefined;
    alpaca.setPrice('AAPL', '100');
    alpaca.market.liquidity = 0;
    await enter({ order_type: 'limit', price: '100', quantity: '9' });
    const [order] = alpaca.orders;
    if (!order) throw new Error('nothing was placed');
    for (const filled of ['2', '3', '4', '5', '6', '7', '9']) {
      alpaca.fill(order, filled, '100');
      await run(6_000);
      expect(alpaca.exposure('AAPL')).toEqual({ position: Number(filled), closing: Number(filled) });
    }
    await runs(2);
    expect(exits().filter((exit) => exit.startsWith('stop')).length).toBeLessThan(5);
    expect(await booksOf()).toBe('9');
  });

  test('reaches the stop although the bus is down', async () => {
    const { putReport, ...work } = adapter.work;
    const down = {
      ...adapter,
      work: { ...work, putReport: () => Promise.reject(new Error('the bus is down')) },
    };
    const event = orderEvent(hub, trader, ENTRY, { protection: LEVELS });
    // The first report says that the order was submitted.
    await expect(take(down, event)).rejects.toThrow('the bus is down');
    await expect(followOrders({ ...down.work })).resolves.toBe(0);
    hub.advance(31_000);
    await expect(followOrders({ ...down.work })).rejects.toThrow();
    hub.advance(31_000);
    await expect(followOrders({ ...down.work })).rejects.toThrow();
    adapter = { ...adapter, work: { ...work, putReport } };
    await runs(2);
    expect(exits()).toHaveLength(2);
    expect(await booksOf()).toBe('5');
  });

  test('of fractions has a stop for the day, which every session begins with', async () => {
    await enter({ quantity: '0.5' });
    expect(exits()).toEqual(['stop 95 × 0.5']);
    expect(stopOrder().time_in_force).toBe('day');
    const closes = NEW_YORK_SESSIONS.closeAfter(hub.runtime.clock().getTime());
    await run(closes + MINUTE_MS - hub.runtime.clock().getTime());
    expect(exits()).toEqual([]);
    await run();
    const opens = NEW_YORK_SESSIONS.openAfter(hub.runtime.clock().getTime());
    await run(opens - hub.runtime.clock().getTime());
    expect(exits()).toEqual(['stop 95 × 0.5']);
    expect(await stateOf()).toBe('standing');
  });

  test('of a crypto asset has a stop-limit with its band, and is closed once the price is beyond it', async () => {
    alpaca.market.cryptoFee = 0.0025;
    const entry = 'BTCUSD:1:e0';
    await enter({ symbol: 'BTCUSD', quantity: '2' }, entry);
    expect(exits()).toEqual(['stop_limit 95 × 1.995']);
    expect(stopOrder()).toMatchObject({ limit_price: '93.1', time_in_force: 'gtc' });
    alpaca.setPrice('BTC/USD', '92');
    expect(alpaca.positions.get('BTCUSD')).toBe(1.995);
    await runs(2);
    expect(alpaca.positions.get('BTCUSD')).toBe(0);
    expect(await booksOf('BTCUSD')).toBe('0');
    expect((await bookOf()).get(`${entry}:c1`)).toMatchObject({
      status: 'filled',
      filled_quantity: '2',
      average_price: '92',
      fees: '0.46',
    });
  });

  test('of a crypto asset that goes on after its stop has filled books each fee once', async () => {
    alpaca.market.cryptoFee = 0.0025;
    alpaca.price = undefined;
    alpaca.setPrice('BTC/USD', '100');
    alpaca.market.liquidity = 0;
    const entry = 'BTCUSD:1:e0';
    const more = { symbol: 'BTCUSD', order_type: 'limit', price: '50', time_in_force: 'gtc' };
    await enter({ ...more, quantity: '8' }, entry);
    const [order] = alpaca.orders;
    if (!order) throw new Error('nothing was placed');
    alpaca.market.pendingMs = HOUR_MS;
    for (const filled of ['2', '4']) {
      alpaca.fill(order, filled, '100');
      await run();
      const stop = stopOrder();
      alpaca.fill(stop, stop.qty, '95');
      await run();
      expect(await booksOf('BTCUSD')).toBe('0');
    }
    const filled = [1, 2].map(async (round) => (await bookOf()).get(`${entry}:s${round}`)?.filled_quantity);
    expect(await Promise.all(filled)).toEqual(['2', '2']);
  });

  test('whose stop the price has passed is closed at once', async () => {
    await enter({ protection: { stop: { price: '101' } } });
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
    expect(await booksOf()).toBe('0');
    expect((await bookOf()).get(`${ENTRY}:c1`)).toMatchObject({ status: 'filled', filled_quantity: '5' });
    expect(await stateOf()).toBe('ended');
  });

  test('that an open rest of the entry blocks is protected once the rest is cancelled', async () => {
    alpaca.price = undefined;
    alpaca.setPrice('AAPL', '100');
    alpaca.market.liquidity = 0;
    await enter({ order_type: 'limit', price: '100', protection: { stop: LEVELS.stop } });
    const [order] = alpaca.orders;
    if (!order) throw new Error('nothing was placed');
    alpaca.fill(order, '2', '100');
    await run(6_000);
    await run(6_000);
    expect(order.status).toBe('canceled');
    expect(exits()).toEqual(['stop 95 × 2']);
  });
});

describe('a stop that the broker refuses', () => {
  const refuse = (): void => {
    alpaca.refuse = ({ side }) =>
      side === 'sell' && alpaca.refuse
        ? { status: 403, body: { code: 40310000, message: 'asset is not eligible for stop orders' } }
        : undefined;
  };
  test('notifies the owner, and closes the position', async () => {
    alpaca.refuse = ({ type, side }) =>
      side === 'sell' && type !== 'market'
        ? { status: 403, body: { code: 40310000, message: 'asset is not eligible for stop orders' } }
        : undefined;
    await enter();
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
    expect(await booksOf()).toBe('0');
    expect(await notified()).toEqual([
      'Alpaca refused the order: asset is not eligible for stop orders The position is closed at once.',
    ]);
    expect(doubts()).toEqual([BROKER_DOUBTS.unprotected]);
  });

  test('notifies the owner, too, if the broker refuses the close that takes its place', async () => {
    refuse();
    await enter({ protection: { stop: { price: '101' } } });
    await runs(3);
    expect(alpaca.exposure('AAPL')).toEqual({ position: 5, closing: 0 });
    expect(await notified()).toEqual([
      'Alpaca refused the order: asset is not eligible for stop orders The position stays open without a stop. The close is tried every minute.',
    ]);
    alpaca.refuse = undefined;
    await runs(2);
    expect(await booksOf()).toBe('0');
  });

  test('cannot be placed, as another order holds the position: the owner is notified once', async () => {
    await enter();
    for (const order of alpaca.orders) alpaca.byHand.cancel(order);
    alpaca.byHand.place({
      symbol: 'AAPL',
      side: 'sell',
      type: 'limit',
      limit_price: '200',
      time_in_force: 'gtc',
      qty: '5',
    });
    await runs(5);
    expect(await notified()).toEqual([
      'Other orders at Alpaca may hold the position. The stop is tried every minute.',
    ]);
  });

  test('notifies the owner once, and is tried every minute, if the position is to be kept', async () => {
    await hub.runtime.store.transact([{ key: keys.deployment(trader.id), set: { unprotected: 'keep' } }]);
    refuse();
    await enter();
    expect(await stateOf()).toBe('refused');
    await runs(3);
    expect(alpaca.exposure('AAPL')).toEqual({ position: 5, closing: 0 });
    expect(await notified()).toHaveLength(1);
    alpaca.refuse = undefined;
    await runs(2);
    expect(exits()).toHaveLength(2);
    expect(await stateOf()).toBe('standing');
  });
});

describe('a stop that moves', () => {
  test('is replaced, and an overtaken request changes nothing', async () => {
    await enter();
    await moved(2, '97.5');
    await moved(1, '96');
    await moved(2, '97.5');
    expect(exits()).toEqual(['limit 108 × 5', 'stop 97.5 × 5']);
    expect(alpaca.orders.filter(({ status }) => status === 'replaced')).toHaveLength(1);
    expect((await bookOf()).get(`${ENTRY}:s1`)).toMatchObject({ status: 'open', trigger_price: '97.5' });
    alpaca.setPrice('AAPL', '97');
    await run();
    expect(await booksOf()).toBe('0');
    expect((await bookOf()).get(`${ENTRY}:s1`)).toMatchObject({ status: 'filled', average_price: '97' });
  });

  test('stays if the broker refuses, and is cancelled and placed again after a second refusal', async () => {
    await enter();
    alpaca.trouble = ({ method }) => (method === 'PATCH' ? 'limited' : undefined);
    await moved(1, '97.5');
    expect(exits()).toEqual(['limit 108 × 5', 'stop 95 × 5']);
    alpaca.trouble = () => undefined;
    await runs(2);
    expect(exits()).toEqual(['limit 108 × 5', 'stop 97.5 × 5']);
    alpaca.market.rejectsReplacements = true;
    await moved(2, '98');
    await run(6_000);
    expect(exits()).toEqual(['limit 108 × 5', 'stop 97.5 × 5']);
    await runs(4);
    expect(exits()).toEqual(['limit 108 × 5', 'stop 98 × 5']);
    expect(alpaca.exposure('AAPL')).toEqual({ position: 5, closing: 5 });
  });

  test('to a price that the market has passed closes at once', async () => {
    await enter();
    alpaca.market.refusesPassedStops = true;
    await moved(1, '100.5');
    await runs(2);
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
    expect(await booksOf()).toBe('0');
  });
});

describe('a close', () => {
  const close = (more: Readonly<Record<string, unknown>> = {}) =>
    take(adapter, closeEvent(hub, trader, 'AAPL:2:x1', { closes: ENTRY, ...more }));

  test('lifts the exits first, and waits for the word of the broker on them', async () => {
    await enter();
    alpaca.market.pendingMs = 20_000;
    await close();
    expect(alpaca.orders.filter(({ type, side }) => type === 'market' && side === 'sell')).toEqual([]);
    expect(await stateOf()).toBe('lifted');
    await run(21_000);
    await run(6_000);
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
    expect(await booksOf()).toBe('0');
    expect(await stateOf()).toBe('ended');
  });

  test('of a part leaves the rest protected', async () => {
    await enter();
    await close({ quantity: '2' });
    await run(6_000);
    expect(alpaca.exposure('AAPL')).toEqual({ position: 3, closing: 3 });
    expect(exits()).toEqual(['limit 108 × 3', 'stop 95 × 3']);
    expect(await booksOf()).toBe('3');
  });

  test('that a stop overtakes sells nothing twice', async () => {
    await enter();
    alpaca.market.pendingMs = 20_000;
    await close();
    alpaca.setPrice('AAPL', '94');
    alpaca.market.pendingMs = 0;
    await run(21_000);
    await runs(2);
    expect(alpaca.positions.get('AAPL')).toBe(0);
    const book = await bookOf();
    expect(book.get(`${ENTRY}:s1`)).toMatchObject({ status: 'filled', average_price: '94' });
    expect(book.get('AAPL:2:x1')).toMatchObject({ status: 'cancelled', filled_quantity: '0' });
    expect(await booksOf()).toBe('0');
    expect((await deployment()).status).toBe('active');
  });

  test('that the broker refuses leaves the position protected again', async () => {
    await enter();
    alpaca.refuse = ({ type }) =>
      type === 'market' ? { status: 403, body: { code: 40310000, message: 'trading is halted' } } : undefined;
    await close();
    await run(6_000);
    expect(exits()).toEqual(['limit 108 × 5', 'stop 95 × 5']);
  });

  test('that must not leave lifts nothing', async () => {
    await enter();
    await commandDeployment(hub.runtime, trader.id, { action: 'halt', by: 'user', reason: 'test' });
    await close();
    expect(exits()).toHaveLength(2);
    await close({ flatten: true });
    // A repeat of the same id changes nothing.
    expect(exits()).toHaveLength(2);
    await take(adapter, closeEvent(hub, trader, 'AAPL:3:x2', { closes: ENTRY, flatten: true }));
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
  });
});

test('a pause, a halt and a kill switch keep the exits, also of what fills later', async () => {
  alpaca.price = undefined;
  alpaca.setPrice('AAPL', '100');
  alpaca.market.liquidity = 0;
  await enter({ order_type: 'limit', price: '100' });
  const [order] = alpaca.orders;
  if (!order) throw new Error('nothing was placed');
  alpaca.fill(order, '2', '100');
  await run(6_000);
  await commandDeployment(hub.runtime, trader.id, { action: 'pause', by: 'user', reason: 'test' });
  await throwSwitch(hub.runtime, {
    subject: { level: 'user', user_id: trader.user_id },
    actor: { by: 'operator' },
    reason: 'enough',
    flatten: false,
  });
  alpaca.fill(order, '5', '100');
  await run(6_000);
  await runs(2);
  expect(alpaca.exposure('AAPL')).toEqual({ position: 5, closing: 5 });
});

describe('the comparison finds', () => {
  test('a position without its stop, and an exit that the owner cancelled: it is placed again', async () => {
    await enter();
    alpaca.byHand.cancel(stopOrder());
    expect(exits()).toEqual([]);
    await run();
    expect(exits()).toEqual(['limit 108 × 5', 'stop 95 × 5']);
    expect((await deployment()).status).toBe('active');
  });

  test('an exit that the owner replaced: it is followed until the strategy moves it', async () => {
    await enter();
    alpaca.byHand.replace(stopOrder(), { stop_price: '96' });
    await runs(2);
    expect(exits()).toEqual(['limit 108 × 5', 'stop 96 × 5']);
    expect((await bookOf()).get(`${ENTRY}:s1`)).toMatchObject({ trigger_price: '96' });
    await moved(1, '97');
    expect(exits()).toEqual(['limit 108 × 5', 'stop 97 × 5']);
    alpaca.setPrice('AAPL', '96.9');
    await run();
    expect(await booksOf()).toBe('0');
  });

  test('a target that fills in parts over minutes: no difference', async () => {
    await enter();
    const target = alpaca.orders.find(({ type, status }) => type === 'limit' && OPEN.has(status));
    if (!target) throw new Error('there is no target');
    for (const filled of ['1', '2', '3', '4']) {
      alpaca.fill(target, filled, '108');
      await run();
    }
    expect(doubts()).toEqual([]);
    expect((await deployment()).status).toBe('active');
    expect(await booksOf()).toBe('1');
  });

  test('an order that cannot be read: the other trades of the account are attended', async () => {
    await enter();
    await enter({ symbol: 'MSFT' }, 'MSFT:1:e0');
    for (const order of alpaca.orders) {
      if (order.symbol === 'AAPL' && OPEN.has(order.status)) order.updated_at = 'a new form';
      else if (OPEN.has(order.status)) alpaca.byHand.cancel(order);
    }
    await runs(2);
    expect(alpaca.exposure('MSFT')).toEqual({ position: 5, closing: 5 });
    expect(alpaca.exposure('AAPL')).toEqual({ position: 5, closing: 5 });
  });

  test('a trade at which the hub fails: the other trades of the account are attended', async () => {
    await enter();
    await enter({ symbol: 'MSFT' }, 'MSFT:1:e0');
    for (const order of alpaca.orders) if (OPEN.has(order.status)) alpaca.byHand.cancel(order);
    const { open } = adapter.work.adapter;
    const failing: typeof open = async (account) => {
      const broker = await open(account);
      const findPosition: typeof broker.findPosition = (symbol) =>
        symbol === 'AAPL' ? Promise.reject(new RangeError('a fault')) : broker.findPosition(symbol);
      return { ...broker, findPosition };
    };
    const work = { ...adapter.work, adapter: { ...adapter.work.adapter, open: failing } };
    for (let minute = 0; minute < 2; minute += 1) {
      hub.advance(MINUTE_MS);
      await expect(followOrders(work)).rejects.toThrow();
    }
    expect(alpaca.exposure('MSFT')).toEqual({ position: 5, closing: 5 });
  });

  test('an item of the hub that cannot be read: the other trades of the account are attended', async () => {
    alpaca.market.liquidity = undefined;
    await enter();
    await enter({ symbol: 'MSFT' }, 'MSFT:1:e0');
    await enter({ order_type: 'limit', price: '50', symbol: 'MSFT', protection: undefined }, 'MSFT:2:e0');
    const { deployment_id, client_order_id } = { deployment_id: trader.id, client_order_id: ENTRY };
    const inHand = orderInHandKey(brokerOrderIdOf({ deployment_id, client_order_id: 'MSFT:2:e0' }));
    const damaged = [orderKey({ deployment_id, client_order_id }), inHand];
    await hub.runtime.store.transact(damaged.map((key) => ({ key, set: { symbol: 7, account_id: 7 } })));
    for (const order of alpaca.orders) {
      if (order.side === 'sell' && OPEN.has(order.status)) alpaca.byHand.cancel(order);
    }
    hub.advance(MINUTE_MS);
    await expect(followOrders(adapter.work)).rejects.toThrow();
    for (const symbol of ['AAPL', 'MSFT']) {
      expect(alpaca.exposure(symbol)).toEqual({ position: 5, closing: 5 });
    }
    await hub.runtime.store.transact([{ delete: inHand }]);
  });

  test('a position that the owner closed: nothing rests, and the deployment is halted once', async () => {
    await enter();
    alpaca.byHand.close('AAPL');
    await runs();
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
    expect(await stateOf()).toBe('missing');
    expect(await deployment()).toMatchObject({ status: 'halted', missing: ['AAPL'] });
    expect(doubts()).toEqual([BROKER_DOUBTS.differs]);
    const closed = await hub.call('POST /update_live_trade', {
      query: {
        user_id: trader.user_id,
        order_id: String((await bookOf()).get(ENTRY)?.order_id),
        close_value: '99',
      },
      headers: bearer(trader.access_token),
    });
    expect(closed.status).toBe(200);
    await runs(2);
    expect(await stateOf()).toBe('ended');
  });

  test('a part that the owner sold: the exits are cut to the rest', async () => {
    await enter();
    for (const order of alpaca.orders) alpaca.byHand.cancel(order);
    alpaca.byHand.place({ symbol: 'AAPL', side: 'sell', type: 'market', time_in_force: 'day', qty: '2' });
    await runs();
    expect(alpaca.exposure('AAPL')).toEqual({ position: 3, closing: 3 });
    expect(await deployment()).toMatchObject({ status: 'halted', stop_reason: 'position_missing' });
    expect(doubts()).toEqual([BROKER_DOUBTS.differs]);
    expect(await stateOf()).toBe('standing');
    expect(await notified('deployment_halted')).toEqual([
      'The account at the broker holds only 3 of 5 AAPL: a part was closed outside of the hub. The exits are cut to what is left. Stop the deployment with flatten to close the rest, or close it at the broker, and then the trade in the books by hand.',
    ]);
    // The rest can be closed.
    await take(adapter, closeEvent(hub, trader, 'AAPL:3:x2', { closes: ENTRY, flatten: true }));
    expect(alpaca.exposure('AAPL')).toEqual({ position: 0, closing: 0 });
    expect(await booksOf()).toBe('2');
    expect(await deployment()).not.toHaveProperty('missing');
    await runs();
    expect(await deployment()).toMatchObject({ missing: ['AAPL'] });
    expect(await notified('deployment_halted')).toHaveLength(2);
  });

  test('a stop without a position: it is cancelled', async () => {
    await enter();
    alpaca.positions.set('AAPL', 0);
    await runs();
    expect(exits()).toEqual([]);
  });

  test('more than the trade, and a position that no books have: both are left alone, and logged once', async () => {
    await enter();
    alpaca.positions.set('AAPL', 12);
    alpaca.positions.set('MSFT', 7);
    await runs(5);
    expect(exits()).toEqual(['limit 108 × 5', 'stop 95 × 5']);
    expect(doubts()).toEqual([BROKER_DOUBTS.differs, BROKER_DOUBTS.differs]);
    expect((await deployment()).status).toBe('active');
  });

  test.each([
    ['a split', '0'],
    ['a split after the target has filled in part', '2'],
  ])('%s: the exits are placed in new units before the open', async (_name, filled) => {
    const facts = { ...BITCOIN, symbol: 'AAPL', asset_class: 'equity' as const };
    const now = hub.runtime.clock().getTime();
    const start = now - (now % DAY_MS) - 5 * DAY_MS;
    const bar = { start, open: 100, high: 101, low: 99, close: 100, volume: 1 };
    await appendBars(hub.runtime.store, facts, columnsOf([bar]));
    await enter();
    const target = alpaca.orders.find(({ type, status }) => type === 'limit' && OPEN.has(status));
    if (target && filled !== '0') alpaca.fill(target, filled, '108');
    await run();
    const left = 4 * (5 - Number(filled));
    const [series] = await findSeries(hub.runtime.store, 'AAPL', [facts.timeframe]);
    if (!series) throw new Error('there is no series');
    const opens = NEW_YORK_SESSIONS.openAfter(now);
    const split = { at: opens - (opens % HOUR_MS) - 5 * HOUR_MS, units: 4, of: 1 };
    await changeHead(hub.runtime.store, series, (found) => ({ ...found, split }));
    await run(NEW_YORK_SESSIONS.closeAfter(now) + HOUR_MS - now);
    await runs(2);
    expect(exits()).toEqual([]);
    alpaca.split('AAPL', 4, 'kept');
    alpaca.setPrice('AAPL', '25');
    await runs(3);
    expect(hub.runtime.clock().getTime()).toBeLessThan(opens);
    expect(exits()).toEqual([`limit 27 × ${left}`, `stop 23.75 × ${left}`]);
    const round = filled === '0' ? 1 : 2;
    const book = await bookOf();
    expect(book.get(`${ENTRY}:t${round}`)).toMatchObject({ status: 'open', quantity: String(left) });
    if (round === 2) {
      expect(book.get(`${ENTRY}:t1`)).toMatchObject({ status: 'cancelled', filled_quantity: '2' });
    }
    await removeSeries(hub.runtime.store, facts);
  });
});
