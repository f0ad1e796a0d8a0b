import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { compareAccount } from '../../../shared/broker-orders/compare-account.ts';
import { findAccess } from '../../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { followProtections } from '../../../shared/broker-orders/protection/follow-protections.ts';
import {
  AccessRefusedError,
  BrokerLaterError,
  DuplicateOrderError,
  type ExecutionBroker,
  type ExitToPlace,
  OrderRefusedError,
  type OrderToPlace,
  OutcomeUnknownError,
} from '../../../shared/channels/execution/execution-broker.ts';
import { exitCapabilities } from '../../../shared/channels/execution/exit-capabilities.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { findProtections, protectionKey } from '../../../shared/data/execution/protections.ts';
import { HUB_SOURCE } from '../../../shared/domain/deployments/event-source.ts';
import { decimal } from '../../../shared/domain/money.ts';
import { brokerExitIdOf, brokerOrderIdOf } from '../../../shared/domain/orders/broker-order-ids.ts';
import { throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import type { Trouble } from '../../support/alpaca/faults.ts';
import {
  type Adapter,
  adapterOf,
  cancelEvent,
  closeEvent,
  follow,
  liveTrader,
  orderEvent,
  take,
} from '../../support/execution.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startKms } from '../../support/kms.ts';
import { alpacaStand } from '../../support/stands/alpaca-stand.ts';
import { binanceStand } from '../../support/stands/binance-stand.ts';
import type { BrokerStand, Outcome } from '../../support/stands/stand.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const environment = { ...process.env };
let kms: Awaited<ReturnType<typeof startKms>>;
let plain: TestHub;

beforeAll(async () => {
  kms = await startKms();
  plain = await startHub();
  await furnishWithInstruments(plain, ['AAPL', 'MSFT', 'BTCUSD', 'BTCUSDT', 'EURUSD']);
});
afterAll(async () => {
  process.env = environment;
  await plain.close();
  await kms.close();
});

const statusesOf = (reports: readonly { readonly status: string }[]): string[] =>
  reports.map(({ status }) => status);

const ERRORS: Readonly<Record<Outcome, new (...args: never[]) => Error>> = {
  access: AccessRefusedError,
  later: BrokerLaterError,
  unknown: OutcomeUnknownError,
  duplicate: DuplicateOrderError,
  refused: OrderRefusedError,
};

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each([
  ['Alpaca', alpacaStand],
  ['Binance', binanceStand],
])('the adapter for %s', (name, start) => {
  let stand: BrokerStand;
  let hub: TestHub;

  beforeAll(async () => {
    stand = await start(plain.runtime.clock);
    hub = plain.with(stand.environment);
  });
  beforeEach(() => {
    stand.reset();
    hub.log.length = 0;
  });
  afterEach(() => {
    expect(stand.faults()).toEqual([]);
    const text = JSON.stringify(hub.log);
    for (const secret of [stand.keys.keyId, stand.keys.secret]) expect(text).not.toContain(secret);
  });
  afterAll(() => stand.close());

  /** Makes the first placing of an order fail, and no other request. */
  const troubleOnce = (trouble: Trouble): void => {
    let isOver = false;
    stand.setTrouble((request) => {
      if (isOver || !stand.isPlacing(request)) return undefined;
      isOver = true;
      return trouble;
    });
  };

  describe('in its calls', () => {
    let broker: ExecutionBroker;
    let number = 0;
    beforeEach(async () => {
      broker = await stand.open();
    });

    const order = (more: Partial<OrderToPlace> = {}): OrderToPlace => {
      number += 1;
      return {
        clientOrderId: brokerOrderIdOf({ deployment_id: 2 ** 53 - 1, client_order_id: `${number}` }),
        symbol: stand.brokerSymbol,
        assetClass: stand.assetClass,
        side: 'buy',
        type: 'limit',
        quantity: '5',
        limitPrice: '90',
        timeInForce: 'gtc',
        ...more,
      };
    };
    const find = (id: string) => broker.findOrder(id, stand.brokerSymbol);

    test('knows every status of the published list, and follows an order with another one', async () => {
      const { clientOrderId } = await broker.place(order());
      for (const [word, status] of Object.entries(stand.statuses)) {
        stand.setStatus(clientOrderId, word);
        expect([word, (await find(clientOrderId))?.status]).toEqual([word, status]);
      }
      stand.setStatus(clientOrderId, Object.keys(stand.statuses)[0] ?? '');
      stand.fill(clientOrderId, '5', '90');
      stand.setStatus(clientOrderId, 'a_word_of_tomorrow');
      expect(await find(clientOrderId)).toMatchObject({
        status: 'unknown',
        brokerStatus: 'a_word_of_tomorrow',
        filledQuantity: '5',
      });
    });

    test('takes every documented refusal for what it means', async () => {
      for (const { name: said, reply, placing } of stand.refusals) {
        stand.reset();
        stand.setRefusal(reply);
        // Another account of the same server waits, too, after too many calls.
        hub.advance(15 * 60_000);
        const error = await failureOf(broker.place(order()));
        expect([said, error instanceof Error ? error.constructor.name : error]).toEqual([
          said,
          ERRORS[placing].name,
        ]);
        if (error instanceof OrderRefusedError) {
          expect(error.reason).toMatch(new RegExp(`^${name} refused the order: .`));
        }
      }
      hub.advance(15 * 60_000);
    });

    test.each<[Trouble, 'unknown' | 'later', boolean]>([
      ['lost', 'unknown', true],
      ['cut', 'unknown', true],
      ['hangs', 'unknown', true],
      ['failed', 'unknown', true],
      ['dropped', 'unknown', false],
      ['down', 'unknown', false],
      ['limited', 'later', false],
      ['throttled', 'later', false],
    ])('an answer that is %s means %s', async (trouble, outcome, isPlaced) => {
      const wanted = order();
      // Rules of the symbol are read before.
      await broker.place(order());
      troubleOnce(trouble);
      const error = await failureOf(broker.place(wanted));
      expect(error).toBeInstanceOf(ERRORS[outcome]);
      if (error instanceof BrokerLaterError) {
        expect(error.retryAfterMs).toBeGreaterThan(0);
        hub.advance(error.retryAfterMs ?? 0);
      }
      expect((await find(wanted.clientOrderId)) !== undefined).toBe(isPlaced);
    });

    test.each<Trouble>(['lost', 'cut', 'hangs', 'dropped', 'down', 'limited'])(
      'a lookup whose answer is %s proves nothing',
      async (trouble) => {
        const { clientOrderId } = await broker.place(order());
        stand.setTrouble(({ method }) => (method === 'GET' ? trouble : undefined));
        expect(await failureOf(find(clientOrderId))).toBeInstanceOf(BrokerLaterError);
        stand.setTrouble(() => undefined);
        hub.advance(60_000);
        expect(await find(clientOrderId)).toMatchObject({ status: 'open' });
        expect(await find('hub-1-unknown')).toBeUndefined();
      },
    );

    test('reports partial fills, their average price and the rest', async () => {
      const { clientOrderId } = await broker.place(order());
      stand.fill(clientOrderId, '2', '89');
      expect(await find(clientOrderId)).toMatchObject({
        status: 'partially_filled',
        filledQuantity: '2',
        averagePrice: '89',
      });
      stand.fill(clientOrderId, '5', '90');
      expect(await find(clientOrderId)).toMatchObject({
        status: 'filled',
        filledQuantity: '5',
        averagePrice: '89.6',
      });
    });

    test('cancels an order, and finds out that a fill was first', async () => {
      const first = await broker.place(order());
      expect(await broker.cancel(first.brokerOrderId)).toBe(true);
      expect(await find(first.clientOrderId)).toMatchObject({ status: 'cancelled' });
      const second = await broker.place(order());
      stand.fill(second.clientOrderId, '5', '90');
      expect(await broker.cancel(second.brokerOrderId)).toBe(false);
      expect(await find(second.clientOrderId)).toMatchObject({ status: 'filled', filledQuantity: '5' });
    });

    test('rounds prices to the steps of the broker, to the better side, and quantities down', async () => {
      const { price, below, above } = stand.betweenSteps;
      const bought = await broker.place(order({ limitPrice: price }));
      stand.hold('50');
      const sale = { side: 'sell', limitPrice: decimal(price).plus(10).toFixed() } as const;
      const sold = await broker.place(order(sale));
      expect([bought.limitPrice, sold.limitPrice].map(Number)).toEqual([Number(below), Number(above) + 10]);
      const more = decimal(5).plus(stand.dust).toFixed();
      expect(await broker.place(order({ quantity: more }))).toMatchObject({ quantity: '5' });
    });

    test('sends no quantity that is too small', async () => {
      const error = await failureOf(broker.place(order({ quantity: stand.dust })));
      expect(error).toMatchObject({ reason: expect.stringContaining('smallest') });
      expect(stand.received.filter(stand.isPlacing)).toEqual([]);
    });

    test.each([-120_000, 120_000])('works with a clock that differs by %i ms', async (ms) => {
      stand.setAhead(ms);
      const placed = await broker.place(order());
      expect(await find(placed.clientOrderId)).toMatchObject({ status: 'open' });
      stand.setAhead(0);
      expect(await find(placed.clientOrderId)).toMatchObject({ status: 'open' });
    });

    test('lists own open orders beside those of the owner in any form', async () => {
      const { clientOrderId } = await broker.place(order());
      stand.setForeign(stand.foreign);
      const { orders, unreadable } = await broker.listOpenOrders((id) => id === clientOrderId);
      expect(orders).toMatchObject([{ clientOrderId, status: 'open' }]);
      expect(unreadable).toEqual([]);
    });

    test('tells the account, its position, and what open orders hold of it', async () => {
      expect(await broker.account()).toMatchObject({ blocked: undefined, currency: stand.currency });
      expect(await broker.findPosition(stand.brokerSymbol)).toBeUndefined();
      stand.hold('8');
      await broker.place(order({ side: 'sell', limitPrice: '120' }));
      expect(await broker.findPosition(stand.brokerSymbol)).toMatchObject({
        side: 'long',
        quantity: '8',
        available: '3',
        price: '100',
      });
    });

    describe('for exits', () => {
      const capabilities = () =>
        exitCapabilities(stand.adapter, { assetClass: stand.assetClass, quantity: '5' });

      const exit = (more: Partial<ExitToPlace> = {}): ExitToPlace => {
        number += 1;
        const { kind, timeInForce } = capabilities();
        return {
          clientOrderId: brokerExitIdOf({ deployment_id: 2 ** 53 - 1, entry: 'e' }, number),
          symbol: stand.brokerSymbol,
          assetClass: stand.assetClass,
          side: 'sell',
          quantity: '5',
          kind: kind === 'none' ? 'stop' : kind,
          stopPrice: '95',
          targetPrice: '110',
          timeInForce,
          ...more,
        };
      };
      beforeEach(() => stand.hold('5'));

      test('keeps a stop and a target, of which one ends the other', async () => {
        expect(capabilities().kind).toBe('oco');
        const placed = await broker.placeExit(exit());
        expect(placed).toMatchObject({ limitPrice: '110', legs: [{ stopPrice: '95', type: 'stop' }] });
        expect(await find(placed.clientOrderId)).toMatchObject({ status: 'open', legs: [{}] });
        const { orders } = await broker.listOpenOrders((id) => id === placed.clientOrderId);
        expect(orders).toMatchObject([{ clientOrderId: placed.clientOrderId, legs: [{ stopPrice: '95' }] }]);
        stand.setPrice('94');
        const after = await find(placed.clientOrderId);
        expect(after?.legs).toMatchObject([{ status: 'filled', filledQuantity: '5' }]);
        expect(['cancelled', 'expired']).toContain(after?.status);
        expect(await broker.findByBrokerId(placed.brokerOrderId)).toEqual(after);
        expect(Number(stand.position())).toBe(0);
      });

      test.each(['stop', 'target'] as const)('keeps a %s alone', async (kind) => {
        const placed = await broker.placeExit(exit({ kind }));
        expect(placed).toMatchObject({ side: 'sell', quantity: '5', legs: [] });
        stand.setPrice(kind === 'stop' ? '94' : '111');
        expect(await find(placed.clientOrderId)).toMatchObject({ status: 'filled', filledQuantity: '5' });
      });

      test('cancels both orders at once', async () => {
        const placed = await broker.placeExit(exit());
        expect(await broker.cancel(placed.brokerOrderId)).toBe(true);
        expect(await find(placed.clientOrderId)).toMatchObject({
          status: 'cancelled',
          legs: [{ status: 'cancelled' }],
        });
        expect(await broker.findPosition(stand.brokerSymbol)).toMatchObject({ available: '5' });
      });

      test('finds one whose answer was lost, with both orders', async () => {
        const wanted = exit();
        troubleOnce('lost');
        expect(await failureOf(broker.placeExit(wanted))).toBeInstanceOf(OutcomeUnknownError);
        expect(await find(wanted.clientOrderId)).toMatchObject({ limitPrice: '110', legs: [{}] });
        expect(await failureOf(broker.placeExit(wanted))).toBeInstanceOf(Error);
        expect(stand.placed().filter(({ isOpen }) => isOpen)).toHaveLength(2);
      });

      test('holds no more than the position', async () => {
        expect(await failureOf(broker.placeExit(exit({ quantity: '6' })))).toMatchObject({
          isUnavailable: true,
        });
      });

      test('moves the stop, or leaves it as it is', async () => {
        const placed = await broker.placeExit(exit());
        const [stop] = placed.legs;
        if (!stop) throw new Error('the exit has no stop');
        const { clientOrderId } = exit();
        const move = { assetClass: stand.assetClass, side: 'sell', clientOrderId } as const;
        const moving = broker.moveExit({ ...move, brokerOrderId: stop.brokerOrderId, stopPrice: '97' });
        const failure = await failureOf(moving);
        expect(failure instanceof OrderRefusedError).toBe(!capabilities().isMovable);
        const { orders } = await broker.listOpenOrders((id) => id === placed.clientOrderId);
        const open = orders.flatMap(({ legs }) => legs.map(({ stopPrice }) => stopPrice));
        expect(open).toEqual([capabilities().isMovable ? '97' : '95']);
      });
    });

    test('its errors hold neither keys nor addresses', async () => {
      stand.setTrouble(() => 'dropped');
      const calls = [
        () => broker.place(order()),
        () => find('x'),
        () => broker.account(),
        () => broker.cancel('X:1'),
      ];
      for (const call of calls) {
        const error = await failureOf(call());
        const text = JSON.stringify([error, String(error), error instanceof Error ? error.stack : '']);
        for (const part of [stand.keys.keyId, stand.keys.secret, 'signature=', '127.0.0.1']) {
          expect(text).not.toContain(part);
        }
      }
    });
  });

  describe('with its orders', () => {
    let trader: Awaited<ReturnType<typeof liveTrader>>;
    let adapter: Adapter;
    beforeEach(async () => {
      trader = await liveTrader(hub, stand, stand.symbol);
      adapter = adapterOf(hub, stand.code);
    });

    const event = (id: string, more: object = {}) =>
      orderEvent(hub, trader, id, { symbol: stand.symbol, ...more });
    const limit = { order_type: 'limit', price: '90', time_in_force: 'gtc' };
    const idOf = (id: string) => brokerOrderIdOf({ deployment_id: trader.id, client_order_id: id });
    const stateOf = async () => (await findDeployments(hub.runtime.store, [trader.id]))[0];
    const close = (id: string, more: object = {}) =>
      closeEvent(hub, trader, id, { symbol: stand.symbol, closes: 'e', ...more });

    test('places one once, and its fill reaches the order book', async () => {
      const reports = await take(adapter, event('e'));
      reports.push(...(await follow(hub, adapter)));
      expect(reports.at(-1)).toMatchObject({ status: 'filled', filled_quantity: '5', average_price: '100' });
      expect(await take(adapter, event('e'))).toEqual([]);
      expect(stand.placed()).toMatchObject([{ clientOrderId: idOf('e'), side: 'buy', filled: '5' }]);
      expect(await findAllOrders(hub.runtime.store, trader.id)).toMatchObject([
        { client_order_id: 'e', status: 'filled', filled_quantity: '5', average_price: '100' },
      ]);
    });

    test.each<Trouble>(['lost', 'cut', 'dropped', 'late', 'limited', 'throttled', 'down', 'failed'])(
      'neither doubles nor loses one whose answer is %s',
      async (trouble) => {
        // Lookups find an order late, so that the first of them prove nothing.
        stand.setLag(12_000);
        troubleOnce(trouble);
        const reports = await take(adapter, event('e'));
        await new Promise((resolve) => setTimeout(resolve, 50));
        reports.push(...(await follow(hub, adapter, 180_000)));
        expect(stand.placed().map(({ filled }) => filled)).toEqual(['5']);
        expect(stand.position()).toBe('5');
        expect(reports.at(-1)).toMatchObject({ status: 'filled', filled_quantity: '5' });
      },
    );

    test('follows partial fills until a cancel, and keeps what was filled', async () => {
      await take(adapter, event('e', limit));
      stand.fill(idOf('e'), '2', '89');
      hub.advance(5_000);
      expect(statusesOf(await follow(hub, adapter, 10_000))).toEqual(['partially_filled']);
      const reports = await take(adapter, cancelEvent(hub, trader, 'e', stand.symbol));
      expect(reports.at(-1)).toMatchObject({
        status: 'cancelled',
        filled_quantity: '2',
        average_price: '89',
        status_message: 'no longer wanted',
      });
    });

    test('a cancel that crosses a fill leaves the fill', async () => {
      await take(adapter, event('e', limit));
      stand.fill(idOf('e'), '5', '90');
      expect(statusesOf(await take(adapter, cancelEvent(hub, trader, 'e', stand.symbol)))).toEqual([
        'filled',
      ]);
    });

    test('a word that it does not know stops no other order', async () => {
      await take(adapter, event('e', limit));
      await take(adapter, event('f', limit));
      stand.setStatus(idOf('e'), 'a_word_of_tomorrow');
      stand.fill(idOf('f'), '5', '90');
      hub.advance(5_000);
      expect(statusesOf(await follow(hub, adapter, 10_000)).sort()).toEqual(['filled', 'unknown']);
    });

    test('a close orders no more than the account holds, and ends the trade in spite of fees', async () => {
      await take(adapter, event('e'));
      stand.hold('4.995');
      const reports = await take(adapter, close('x'));
      reports.push(...(await follow(hub, adapter)));
      expect(stand.placed().at(-1)).toMatchObject({ side: 'sell', filled: '4.995' });
      expect(decimal(stand.position()).eq(0)).toBe(true);
      expect(reports.at(-1)).toMatchObject({ status: 'filled' });
    });

    test('a close opens nothing if the position is gone', async () => {
      expect(statusesOf(await take(adapter, close('x')))).toEqual(['cancelled']);
      expect(stand.placed()).toEqual([]);
    });

    describe('protects a trade', () => {
      const levels = { protection: { stop: { price: '95' }, target: { price: '110' } } };
      afterEach(async () => {
        // The next trader has the same account.
        const { store } = hub.runtime;
        for (const each of await findProtections(store, trader.id)) await store.delete(protectionKey(each));
      });
      const openExits = () => stand.placed().filter(({ isOpen, side }) => isOpen && side === 'sell');
      const bookOf = async () =>
        (await findAllOrders(hub.runtime.store, trader.id)).map(
          ({ client_order_id, status, filled_quantity }) => `${client_order_id} ${status} ${filled_quantity}`,
        );
      const run = async (ms = 130_000) => {
        const until = hub.runtime.clock().getTime() + ms;
        while (hub.runtime.clock().getTime() < until) {
          await followOrders(adapter.work);
          await followProtections(adapter.work);
          hub.advance(10_000);
        }
      };

      test('from the fill on, at the broker', async () => {
        await take(adapter, event('e', levels));
        expect(openExits()).toHaveLength(2);
        stand.setPrice('94');
        await run();
        expect(Number(stand.position())).toBe(0);
        expect(openExits()).toEqual([]);
        expect(await bookOf()).toEqual(expect.arrayContaining(['e filled 5', 'e:s1 filled 5']));
      });

      test('whose purchase the broker took fees from, and ends it in the books', async () => {
        stand.setFeeRate('0.001');
        await take(adapter, event('e', levels));
        await run();
        expect(openExits()).toHaveLength(2);
        expect(await stateOf()).toMatchObject({ status: 'active' });
        stand.setPrice('111');
        await run();
        expect(Number(stand.position())).toBe(0);
        expect(await bookOf()).toEqual(expect.arrayContaining(['e filled 5', 'e:t1 filled 5']));
        const own = hub.log.filter(({ extra }) => extra.deployment_id === trader.id);
        expect(own.filter(({ level }) => level === 'error')).toEqual([]);
      });

      test.each<Trouble>(['lost', 'cut', 'dropped', 'late', 'down', 'limited'])(
        'with one exit, when the answer to it is %s',
        async (trouble) => {
          stand.setLag(12_000);
          let posts = 0;
          stand.setTrouble((request) => {
            posts += stand.isPlacing(request) ? 1 : 0;
            return posts === 2 && stand.isPlacing(request) ? trouble : undefined;
          });
          await take(adapter, event('e', levels));
          await new Promise((resolve) => setTimeout(resolve, 50));
          await run();
          expect(openExits()).toHaveLength(2);
          expect(await broker().then((open) => open.findPosition(stand.brokerSymbol))).toMatchObject({
            quantity: '5',
            available: '0',
          });
        },
      );

      test('with the rest of a target that was filled in part', async () => {
        await take(adapter, event('e', levels));
        const [target] = openExits();
        if (!target) throw new Error('there is no exit');
        stand.fill(target.clientOrderId, '2', '110');
        await run();
        stand.setPrice('94');
        await run();
        expect(Number(stand.position())).toBe(0);
        const exits = (await bookOf()).filter((one) => one.includes(':'));
        expect(exits.sort()).toEqual(['e:s1 filled 3', 'e:t1 cancelled 2']);
      });

      test('whose stop follows the price', async () => {
        await take(adapter, event('e', levels));
        const moved = {
          source: HUB_SOURCE,
          'detail-type': 'Protection Requested',
          detail: {
            version: 1,
            deployment_id: trader.id,
            client_order_id: 'e',
            symbol: stand.symbol,
            adapter: stand.adapter,
            account: trader.account,
            occurred_at: hub.runtime.clock().toISOString(),
            number: 1,
            stop: '98',
          },
        };
        await take(adapter, moved);
        await run();
        stand.setPrice('97.5');
        await run();
        expect(Number(stand.position())).toBe(0);
        expect(await bookOf()).toContain('e:s1 filled 5');
      });

      test('until the rules close it', async () => {
        await take(adapter, event('e', levels));
        await take(adapter, close('x'));
        await run();
        expect(Number(stand.position())).toBe(0);
        expect(openExits()).toEqual([]);
        expect(await bookOf()).toContain('x filled 5');
      });
    });

    const broker = () => stand.open();

    test('none leaves while the kill switch is thrown', async () => {
      await throwSwitch(hub.runtime, {
        subject: { level: 'user', user_id: trader.user_id },
        actor: { by: 'operator' },
        reason: 'enough',
        flatten: false,
      });
      expect(statusesOf(await take(adapter, event('e')))).toEqual(['cancelled']);
      expect(stand.placed()).toEqual([]);
    });

    test('keys that are refused halt the deployment', async () => {
      stand.keys.keyId = stand.keys.keyId.replace(/.$/, 'X');
      expect(statusesOf(await take(adapter, event('e')))).toEqual(['rejected']);
      expect(await stateOf()).toMatchObject({ status: 'halted', stop_reason: 'broker_disconnected' });
      expect(JSON.stringify(await stateOf())).toContain(`${name} refuses the keys`);
    });

    test('compares the account, whatever the owner has open', async () => {
      await take(adapter, event('e', limit));
      stand.setForeign(stand.foreign);
      const access = await findAccess(adapter.work, { user_id: trader.user_id, account_id: trader.account });
      if (!access) throw new Error('the account is not connected');
      const listed = await compareAccount(adapter.work, access);
      expect([...listed.keys()]).toEqual([idOf('e')]);
      expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
    });

    test('leaves requests to other adapters alone', async () => {
      const other = stand.adapter === 'alpaca' ? 'binance' : 'alpaca';
      expect(await take(adapter, event('e', { adapter: other }))).toEqual([]);
      expect(stand.placed()).toEqual([]);
    });

    test('rejects an instrument that the broker does not trade', async () => {
      const [report] = await take(adapter, event('e', { symbol: 'EURUSD' }));
      expect(report).toMatchObject({ status: 'rejected' });
      expect(report?.status_message).toMatch(new RegExp(`^${name} trades `));
    });
  });
});
