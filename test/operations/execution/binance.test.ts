import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { followProtections } from '../../../shared/broker-orders/protection/follow-protections.ts';
import { binance as binanceAdapter } from '../../../shared/channels/execution/binance/binance.ts';
import {
  BrokerLaterError,
  type ExecutionBroker,
  type ExecutionEnvironment,
  type OrderToPlace,
} from '../../../shared/channels/execution/execution-broker.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { findProtections } from '../../../shared/data/execution/protections.ts';
import { decimal } from '../../../shared/domain/money.ts';
import { type FakeBinance, fakeBinance } from '../../support/binance.ts';
import {
  adapterOf,
  closeEvent,
  connectAccount,
  follow,
  liveTrader,
  orderEvent,
  take,
} from '../../support/execution.ts';
import { takeRequest } from '../../support/functions/execution-orders.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { bearer, signUp } from '../../support/people.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { withShortLimits } from '../../support/short-limits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';
import { FAILURES, startUpstream, type Upstream } from '../../support/upstream.ts';

const environment = { ...process.env };
let binance: FakeBinance;
let hub: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;

beforeAll(async () => {
  kms = await startKms();
  const plain = await startHub();
  binance = await fakeBinance(plain.runtime.clock);
  hub = plain.with(binance.environment);
  await furnishWithInstruments(hub, ['AAPL', 'BTCUSD', 'BTCUSDT', 'ETHUSDT']);
});
beforeEach(() => {
  binance.reset();
  binance.deposit('USDT', '1000000');
  binance.setPrice('BTCUSDT', '100');
  binance.setPrice('ETHUSDT', '100');
});
afterEach(() => expect(binance.faults).toEqual([]));
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await binance.close();
});

const open = (environmentOf: ExecutionEnvironment = 'paper'): Promise<ExecutionBroker> =>
  binanceAdapter.open({
    keys: binance.keys,
    environment: environmentOf,
    addresses: hub.runtime.capability('execution'),
    clock: hub.runtime.clock,
  });

let number = 0;
const order = (more: Partial<OrderToPlace> = {}): OrderToPlace => {
  number += 1;
  return {
    clientOrderId: `hub-test-${number}`,
    symbol: 'BTCUSDT',
    assetClass: 'crypto',
    side: 'buy',
    type: 'market',
    quantity: '2',
    timeInForce: 'day',
    ...more,
  };
};

const callsTo = (path: string): number => binance.received.filter(({ url }) => url.pathname === path).length;

describe('fees', () => {
  beforeEach(() => {
    binance.market.feeRate = '0.001';
  });

  test('in the quote asset count, and those in a bought asset lack in the position', async () => {
    const broker = await open();
    expect(await broker.place(order())).toMatchObject({ status: 'filled', averagePrice: '100', fees: '0' });
    expect(await broker.findPosition('BTCUSDT')).toMatchObject({ quantity: '1.998' });
    const sold = await broker.place(order({ side: 'sell', quantity: '1.998' }));
    expect(sold).toMatchObject({ status: 'filled', fees: '0.1998' });
  });

  test('in another asset count at its average price', async () => {
    const broker = await open();
    binance.market.feeAsset = { asset: 'BNB', price: '500' };
    binance.setPrice('BNBUSDT', '500');
    expect(await broker.place(order())).toMatchObject({ fees: '0.2' });
    expect(await broker.findPosition('BTCUSDT')).toMatchObject({ quantity: '2' });
  });

  test('are read from the trades of an order that was filled later', async () => {
    const broker = await open();
    const placed = await broker.place(
      order({ side: 'buy', type: 'limit', limitPrice: '90', timeInForce: 'gtc' }),
    );
    binance.market.feeAsset = { asset: 'BNB', price: '500' };
    binance.setPrice('BNBUSDT', '500');
    binance.setPrice('BTCUSDT', '90');
    expect(await broker.findOrder(placed.clientOrderId, 'BTCUSDT')).toMatchObject({
      status: 'filled',
      fees: '0.18',
    });
  });

  test('are awaited while the trades are not listed yet, but not for ever', async () => {
    const broker = await open();
    const { clientOrderId } = await broker.place(order());
    binance.refuse = (operation) =>
      operation === 'GET /api/v3/myTrades' ? { status: 200, body: [] } : undefined;
    await expect(broker.findOrder(clientOrderId, 'BTCUSDT')).rejects.toBeInstanceOf(BrokerLaterError);
    hub.advance(61_000);
    expect(await broker.findOrder(clientOrderId, 'BTCUSDT')).toMatchObject({
      status: 'filled',
      averagePrice: '100',
    });
  });
});

describe('orders', () => {
  test('of the market that find too little end with what was filled', async () => {
    binance.market.liquidity = decimal('0.5');
    const placed = await (await open()).place(order());
    expect(placed).toMatchObject({ status: 'expired', filledQuantity: '0.5', averagePrice: '100' });
  });

  test.each([
    [
      'a stop of a symbol without stops',
      { type: 'stop', stopPrice: '110' },
      'takes no stop orders of ETHUSDT',
    ],
    [
      'a limit of a day',
      { type: 'limit', limitPrice: '90', timeInForce: 'day' },
      'takes no limit orders with the time in force "day"',
    ],
    ['an unknown symbol', { symbol: 'XYZUSDT' }, 'does not trade XYZUSDT'],
    ['less than a step of the market', { quantity: '0.009' }, 'smaller than the smallest of ETHUSDT'],
    ['less than the least value', { quantity: '0.02' }, 'its value is outside of the range of the symbol'],
    ['a price far away', { type: 'limit', limitPrice: '1', timeInForce: 'gtc' }, 'too far from the average'],
    ['more than the account has', { quantity: '9000' }, 'insufficient balance'],
  ] as const)('%s is refused with a sentence', async (_name, more, reason) => {
    binance.deposit('USDT', '100000');
    const placing = (await open()).place(order({ symbol: 'ETHUSDT', ...more }));
    await expect(placing).rejects.toMatchObject({ reason: expect.stringContaining(reason) });
    expect(binance.orders).toEqual([]);
  });

  test('an id may repeat after a fill at Binance, so that only a stored order keeps it from a second one', async () => {
    const broker = await open();
    const twice = order();
    await broker.place(twice);
    await broker.place(twice);
    expect(binance.orders).toHaveLength(2);
    binance.reset();
    binance.deposit('USDT', '1000000');
    binance.setPrice('BTCUSDT', '100');
    const trader = await liveTrader(hub, binance, 'BTCUSDT');
    const adapter = adapterOf(hub, binanceAdapter);
    const event = orderEvent(hub, trader, 'e', { symbol: 'BTCUSDT', quantity: '1' });
    await take(adapter, event);
    await take(adapter, event);
    await follow(hub, adapter);
    expect(binance.orders).toHaveLength(1);
  });

  test('leave once if a slow run has lost them to another one', async () => {
    binance.deposit('BTC', '3');
    const trader = await liveTrader(hub, binance, 'BTCUSDT');
    const other = adapterOf(hub, binanceAdapter);
    let isSlow = true;
    const slow: typeof binanceAdapter = {
      ...binanceAdapter,
      open: async (account) => {
        const broker = await binanceAdapter.open(account);
        return {
          ...broker,
          findPosition: async (symbol) => {
            const position = await broker.findPosition(symbol);
            if (isSlow) {
              isSlow = false;
              hub.advance(31_000);
              await take(other, close);
            }
            return position;
          },
        };
      },
    };
    const close = closeEvent(hub, trader, 'x', { symbol: 'BTCUSDT', quantity: '1' });
    await take(adapterOf(hub, slow), close);
    await follow(hub, other);
    expect(binance.orders.map(({ side, status }) => `${side} ${status}`)).toEqual(['SELL FILLED']);
  });

  test('that would sell what the owner has for other reasons do not leave', async () => {
    binance.deposit('BTC', '10');
    const trader = await liveTrader(hub, binance, 'BTCUSDT');
    const short = orderEvent(hub, trader, 'e', { symbol: 'BTCUSDT', quantity: '1', side: 'sell' });
    const [report] = await take(adapterOf(hub, binanceAdapter), short);
    expect(report).toMatchObject({ status: 'rejected', status_message: 'Binance has no short positions.' });
    expect(binance.orders).toEqual([]);
  });
});

test('coins that the owner holds for other reasons are neither sold nor reported', async () => {
  binance.deposit('BTC', '3');
  const trader = await liveTrader(hub, binance, 'BTCUSDT,ETHUSDT');
  binance.deposit('ETH', '7');
  const { work } = adapterOf(hub, binanceAdapter);
  const protection = { stop: { price: '95' }, target: { price: '110' } };
  const event = orderEvent(hub, trader, 'e', { symbol: 'BTCUSDT', quantity: '2', protection });
  await takeRequest(work, event);
  const run = async (): Promise<void> => {
    for (let round = 0; round < 8; round += 1) {
      hub.advance(20_000);
      await followOrders(work);
      await followProtections(work);
    }
  };
  await run();
  binance.setPrice('BTCUSDT', '94');
  await run();
  expect([binance.balance('BTC'), binance.balance('ETH')]).toEqual(['3', '7']);
  const own = hub.log.filter(({ extra }) => extra.deployment_id === trader.id);
  expect(own.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a stop that the price has passed closes the trade, whatever else the owner holds', async () => {
  binance.deposit('BTC', '10');
  const trader = await liveTrader(hub, binance, 'BTCUSDT');
  const { work } = adapterOf(hub, binanceAdapter);
  const protection = { stop: { price: '101' }, target: { price: '110' } };
  await takeRequest(work, orderEvent(hub, trader, 'e', { symbol: 'BTCUSDT', quantity: '2', protection }));
  expect(binance.balance('BTC')).toBe('10');
});

test.each([
  ['a stop', true],
  ['a close', false],
])('%s books what fees leave below a step as fees of the trade', async (_name, isStopped) => {
  binance.market.feeRate = '0.001';
  const trader = await liveTrader(hub, binance, 'BTCUSDT');
  binance.setPrice('BTCUSDT', '100000');
  const adapter = adapterOf(hub, binanceAdapter);
  const more = { symbol: 'BTCUSDT', quantity: '0.0001', expected_price: '100000' };
  const protection = { stop: { price: '95000' }, target: { price: '110000' } };
  await take(adapter, orderEvent(hub, trader, 'e', { ...more, ...(isStopped && { protection }) }));
  if (isStopped) binance.setPrice('BTCUSDT', '94000');
  else await take(adapter, closeEvent(hub, trader, 'x', { ...more, closes: 'e' }));
  for (let round = 0; round < 3; round += 1) {
    hub.advance(60_000);
    await followOrders(adapter.work);
  }
  const [found] = await findDeployments(hub.runtime.store, [trader.id]);
  if (found?.kind !== 'live') throw new Error('there is no deployment');
  expect(unpackLedger(found.ledger).head.symbols.BTCUSDT?.position ?? null).toBeNull();
  expect(found.status).toBe('active');
  expect(binance.balance('BTC')).toBe('0.0000099');
  const [protectionOf] = await findProtections(hub.runtime.store, trader.id);
  expect(protectionOf?.state).toBe(isStopped ? 'ended' : undefined);
});

test('a stop that follows the price is cancelled and placed again at once, with one exit at a time', async () => {
  const trader = await liveTrader(hub, binance, 'BTCUSDT');
  const { work } = adapterOf(hub, binanceAdapter);
  const protection = { stop: { price: '95' }, target: { price: '110' } };
  await takeRequest(work, orderEvent(hub, trader, 'e', { symbol: 'BTCUSDT', quantity: '2', protection }));
  const { detail, ...envelope } = orderEvent(hub, trader, 'e', { symbol: 'BTCUSDT' });
  const { version, deployment_id, client_order_id, symbol, adapter, account, occurred_at } = detail;
  const common = { version, deployment_id, client_order_id, symbol, adapter, account, occurred_at };
  const before = hub.runtime.clock().getTime();
  await takeRequest(work, {
    ...envelope,
    'detail-type': 'Protection Requested',
    detail: { ...common, number: 1, stop: '98' },
  });
  expect(hub.runtime.clock().getTime() - before).toBeLessThan(2_000);
  const sales = binance.orders.filter(({ side }) => side === 'SELL');
  expect(sales.map(({ status, stopPrice }) => `${status} ${stopPrice.toFixed()}`)).toEqual([
    'CANCELED 0',
    'CANCELED 95',
    'NEW 0',
    'NEW 98',
  ]);
  expect(
    hub.log.filter(({ extra, level }) => extra.deployment_id === trader.id && level === 'error'),
  ).toEqual([]);
});

describe('calls', () => {
  test('set the clock by that of the server once, and use it further', async () => {
    binance.aheadMs = 90_000;
    const broker = await open();
    await broker.account();
    await (await open()).account();
    expect(callsTo('/api/v3/time')).toBe(1);
    binance.aheadMs = 0;
    await broker.account();
    expect(callsTo('/api/v3/time')).toBe(2);
  });

  test('of all accounts wait after too many, as further ones prolong a ban', async () => {
    const [one, other] = [await open(), await open()];
    binance.trouble = () => 'throttled';
    await expect(one.account()).rejects.toMatchObject({ retryAfterMs: 2_000 });
    const before = binance.received.length;
    await expect(other.account()).rejects.toBeInstanceOf(BrokerLaterError);
    expect(binance.received).toHaveLength(before);
    binance.trouble = () => undefined;
    hub.advance(2_000);
    expect(await other.account()).toMatchObject({ accountId: 'binance-354937868' });
  });

  test('of other accounts go on if one has placed too many orders', async () => {
    const [one, other] = [await open(), await open()];
    const body = { code: -1015, msg: 'Too many new orders; current limit is 50 orders per 10 SECOND.' };
    binance.refuse = (operation) => (operation === 'POST /api/v3/order' ? { status: 429, body } : undefined);
    await expect(one.place(order())).rejects.toBeInstanceOf(BrokerLaterError);
    expect(await other.account()).toMatchObject({ accountId: 'binance-354937868' });
  });

  test('leave an order out of the list whose fills are not known yet', async () => {
    const broker = await open();
    const limit = { type: 'limit', limitPrice: '90', timeInForce: 'gtc' } as const;
    const [part, whole] = [await broker.place(order(limit)), await broker.place(order(limit))];
    const [held] = binance.orders;
    if (!held) throw new Error('nothing was placed');
    binance.fill(held, '1', '90');
    binance.refuse = (operation) =>
      operation === 'GET /api/v3/myTrades' ? { status: 200, body: [] } : undefined;
    const { orders: listed } = await broker.listOpenOrders(() => true);
    expect(listed.map(({ clientOrderId }) => clientOrderId)).toEqual([whole.clientOrderId]);
    expect(part.clientOrderId).not.toBe(whole.clientOrderId);
  });

  test('read the rules of a symbol once in ten minutes', async () => {
    const broker = await open();
    hub.advance(600_000);
    await broker.place(order());
    await broker.place(order());
    expect(callsTo('/api/v3/exchangeInfo')).toBe(1);
  });
});

describe('connecting an account', () => {
  const connect = async (more: object = {}) => {
    const person = (await signUp(hub)).body;
    const { keyId: key_id, secret } = binance.keys;
    const answer = await hub.call('POST /connect_execution', {
      query: { user_id: person.user_id },
      headers: bearer(person.access_token),
      json: { adapter: 'binance', environment: 'live', key_id, secret, ...more },
    });
    return [answer.status, answer.body.code ?? answer.body.account_id, answer.body.detail];
  };

  test('checks the keys, that they trade, and that they do not withdraw', async () => {
    expect(await connect()).toEqual([200, 'binance-354937868', undefined]);
    expect(await connect({ secret: 'another-secret' })).toEqual([
      409,
      'broker_keys_refused',
      expect.stringMatching(/^Binance refuses these keys/),
    ]);
    binance.key.canWithdraw = true;
    expect(await connect()).toEqual([
      409,
      'broker_account_blocked',
      expect.stringMatching(/^The key may withdraw money\./),
    ]);
    Object.assign(binance.key, { canWithdraw: false, canTrade: false });
    expect(await connect()).toEqual([
      409,
      'broker_account_blocked',
      expect.stringMatching(/^The key may not trade\./),
    ]);
    binance.account.canTrade = false;
    expect(await connect({ environment: 'paper' })).toEqual([
      409,
      'broker_account_blocked',
      'Binance has suspended trading on the account.',
    ]);
  });

  test('asks the testnet for no permissions, which it does not have', async () => {
    binance.key.canWithdraw = true;
    expect((await connect({ environment: 'paper' }))[0]).toBe(200);
    expect(callsTo('/sapi/v1/account/apiRestrictions')).toBe(0);
  });

  test('answers 502 in time when Binance fails', async () => {
    const person = (await signUp(hub)).body;
    const connectTo = async ([name, failure]: [string, Upstream['answer']]) => {
      const server = await startUpstream(failure);
      const stuck = hub.with({ HUB_BINANCE_URL: server.url });
      const { status, body } = await stuck.call('POST /connect_execution', {
        query: { user_id: person.user_id },
        headers: bearer(person.access_token),
        json: { adapter: 'binance', environment: 'live', key_id: 'a'.repeat(64), secret: 'b'.repeat(64) },
      });
      await server.close();
      return [name, status, body.code];
    };
    const answers = await withShortLimits(() => Promise.all(Object.entries(FAILURES).map(connectTo)));
    expect(answers).toEqual(Object.keys(FAILURES).map((name) => [name, 502, 'upstream_failed']));
  });
});

test('a strategy is deployed on the account if Binance trades its symbol in its currency', async () => {
  const person = (await signUp(hub)).body;
  const session = bearer(person.access_token);
  const account: string = (await connectAccount(hub, binance, person)).body.account_id;
  const deploy = async (symbol: string, currency: string) => {
    const { keygen } = await ruleTrader(hub, { user_id: person.user_id, rules: crossRules(2, 4), symbol });
    const form = { mode: 'live', account_id: account, currency };
    const { status, body } = await deployTrading(hub, keygen, form, session);
    return [status, body.code ?? body.account_id, body.detail];
  };
  expect(await deploy('BTCUSD', 'USD')).toEqual([
    409,
    'strategy_unsuitable',
    'The account at the broker is in USDT, USDC, BTC, ETH, EUR.',
  ]);
  expect((await deploy('BTCUSDT', 'USDT')).slice(0, 2)).toEqual([200, account]);
});
