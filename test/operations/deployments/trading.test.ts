import { beforeEach, describe, expect, test } from '@jest/globals';
import { approvedBroker, linkAccount, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, loginSteppedUp, outbox, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployedTrader,
  deployTrading,
  enterAll,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const all = (user_id: string, more: Record<string, string> = {}) =>
  hub.call('GET /get_all_live_deployments_v2', { query: { user_id, ...more } });

describe('a paper deployment', () => {
  test('is deployed, trades by the reports of its engine, and is ended by its owner', async () => {
    const { user_id, keygen, strategy_id } = await trader(hub);
    hub.takeCalls();
    const { status, body } = await deployTrading(hub, keygen);
    expect([status, hub.takeCalls().length <= 3]).toEqual([200, true]);
    expect(body).toMatchObject({
      strategy_id,
      mode: 'virtual',
      status: 'requested',
      phase: 'waiting',
      starting_capital: 10_000,
      currency: 'USD',
      realized_pnl: 0,
      unrealized_pnl: 0,
      positions: [],
    });
    const events = (await outbox(hub))
      .map(({ message }) => message)
      .filter((m) => m?.kind === 'domain_event');
    expect(events.at(-1)).toMatchObject({
      detail_type: 'Deployment Requested',
      detail: { deployment_id: body.deployment_id, kind: 'live', mode: 'virtual', starting_capital: '10000' },
    });
    expect(JSON.stringify(events)).not.toContain(user_id);
    const id = body.deployment_id as number;
    await report(hub, 'Deployment Started', id);
    hub.advance(1000);
    hub.takeCalls();
    await reportOrder(hub, id, { client_order_id: 'a', quantity: '10', filled_quantity: '10', fees: '1' });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 104.5 });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect((await all(user_id)).body.items).toMatchObject([
      {
        status: 'active',
        phase: 'entered',
        realized_pnl: -1,
        unrealized_pnl: 45,
        total_pnl: 44,
        fees: 1,
        positions: [{ symbol: 'AAPL', side: 'long', quantity: 10, average_price: 100, last_price: 104.5 }],
      },
    ]);
    hub.advance(1000);
    await reportOrder(hub, id, {
      client_order_id: 'b',
      side: 'sell',
      order_type: 'limit',
      quantity: '10',
      filled_quantity: '10',
      average_price: '105',
      expected_price: '105.1',
      fees: '1',
    });
    hub.takeCalls();
    expect(await enterAll(hub)).toBe(3);
    const { body: list } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
    expect(list.items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'cycle_completed',
      'target_hit',
      'entry_filled',
      'deployment_started',
    ]);
    hub.takeCalls();
    expect((await undeployTrading(hub, user_id, id)).body).toMatchObject({
      status: 'stopped',
      stop_reason: 'user',
    });
    expect(hub.takeCalls().length).toBe(3);
    expect((await all(user_id)).body).toMatchObject({ total: 0, items: [] });
  });
});

const book = (user_id: string, deployment_id: number, page: Record<string, string> = {}) =>
  hub.call('GET /get_live_strategy_order_book', {
    query: { user_id, deployment_id: String(deployment_id), ...page },
  });
const globalBook = (user_id: string, mode: string, page: Record<string, string> = {}) =>
  hub.call('GET /get_global_order_book', { query: { user_id, mode, ...page } });
const close = (user_id: string, order_id: number, close_value = '110') =>
  hub.call('POST /update_live_trade', { query: { user_id, order_id: String(order_id), close_value } });
const correct = (user_id: string, ob: number, symbol = 'AAPL.NAS') =>
  hub.call('POST /update_live_trade_in_order_book', { query: { user_id, ob: String(ob), symbol } });

const deployed = (form: Record<string, string> = {}) => deployedTrader(hub, form);
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('the form of a live deployment', () => {
  test.each([
    [{ mode: 'real' }, ['body', 'mode']],
    [{ starting_capital: '0' }, ['body', 'starting_capital']],
    [{ starting_capital: '0.009' }, ['body', 'starting_capital']],
    [{ starting_capital: '1,000' }, ['body', 'starting_capital']],
    [{ currency: 'XYZW' }, ['body', 'currency']],
    [{ symbols: 'TSLA' }, ['body', 'symbols']],
    [{ channels: 'pigeon' }, ['body', 'channels']],
    [{ expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at']],
  ])('refuses %j', async (form, loc) => {
    const { keygen } = await trader(hub);
    const { status, body } = await deployTrading(hub, keygen, form);
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
  });

  test('needs a connected broker for real orders', async () => {
    const { user_id, access_token } = (await signUp(hub)).body;
    const { keygen } = (await build(hub, { user_id })).body;
    const session = bearer(access_token);
    expect(codeOf(await deployTrading(hub, keygen, { mode: 'live' }, session))).toEqual([
      409,
      'broker_unconnected',
    ]);
    const stranger = await deployTrading(hub, keygen, { mode: 'live', broker_id: '101' }, session);
    expect(codeOf(stranger)).toEqual([409, 'broker_unconnected']);
  });

  test('needs an account that its broker has confirmed, for real orders', async () => {
    const desk = await approvedBroker(hub);
    const at = { mode: 'live', broker_id: String(desk.broker_id) };
    const typed = (await registerAtBroker(hub, desk.subdomain, { account_id: 'SOMEBODY-ELSES' })).body;
    const without = (await registerAtBroker(hub, desk.subdomain)).body;
    for (const { user_id, email } of [typed, without]) {
      const { keygen } = (await build(hub, { user_id })).body;
      const session = bearer((await loginSteppedUp(hub, email)).body.access_token);
      for (const more of [{}, { account_id: 'SOMEBODY-ELSES' }]) {
        expect(codeOf(await deployTrading(hub, keygen, { ...at, ...more }, session))).toEqual([
          409,
          'broker_unconnected',
        ]);
      }
    }
    const partner_token = await tokenOf(hub, desk, 'OWN-1');
    const { user_id, email } = (await registerAtBroker(hub, desk.subdomain, { partner_token })).body;
    const { keygen } = (await build(hub, { user_id })).body;
    const session = bearer((await loginSteppedUp(hub, email)).body.access_token);
    const other = await deployTrading(hub, keygen, { ...at, account_id: 'SOMEBODY-ELSES' }, session);
    expect(codeOf(other)).toEqual([409, 'broker_unconnected']);
    const { status, body } = await deployTrading(hub, keygen, at, session);
    expect([status, body.account_id]).toEqual([200, 'OWN-1']);
  });

  test('is at the user’s own broker if none is named', async () => {
    const [desk, other] = [await approvedBroker(hub), await approvedBroker(hub)];
    const partner_token = await tokenOf(hub, desk, 'OWN-2');
    const { user_id, email } = (await registerAtBroker(hub, desk.subdomain, { partner_token })).body;
    const session = bearer((await loginSteppedUp(hub, email)).body.access_token);
    const plain = (await build(hub, { user_id })).body.keygen;
    const named = (
      await hub.call('POST /build_new_strategy', {
        query: {
          user_id,
          symbol: 'AAPL',
          timeframe: '1d',
          strategy_name: 'Named',
          broker_id: String(other.broker_id),
        },
      })
    ).body.keygen;
    const brokerOf = async (keygen: string, form: Record<string, string> = {}) => {
      const { body } = await deployTrading(hub, keygen, form, session);
      return body.code ?? [body.broker_id, body.account_id];
    };
    const own = [desk.broker_id, 'OWN-2'];
    expect(await brokerOf(plain, { mode: 'live' })).toEqual(own);
    // The user is not connected to the broker of this strategy.
    expect(await brokerOf(named)).toEqual(own);
    await linkAccount(hub, email, other.subdomain, await tokenOf(hub, other, 'OTHER-2'));
    const again = bearer((await loginSteppedUp(hub, email)).body.access_token);
    const { body } = await deployTrading(hub, named, {}, again);
    expect([body.broker_id, body.account_id]).toEqual([other.broker_id, 'OTHER-2']);
    // With several brokers nothing tells which, and real orders need a choice.
    const unnamed = await deployTrading(hub, plain, {}, again);
    expect([unnamed.body.broker_id, unnamed.body.account_id]).toEqual([null, null]);
    const real = await deployTrading(hub, plain, { mode: 'live' }, again);
    expect([real.body.code, real.body.detail]).toEqual([
      'broker_unconnected',
      expect.stringContaining('broker_id'),
    ]);
  });

  test('counts in the plan until the deployment ends', async () => {
    const { keygen, user_id } = await trader(hub);
    const made = [];
    for (let count = 0; count < 5; count++) made.push((await deployTrading(hub, keygen)).body.deployment_id);
    expect(codeOf(await deployTrading(hub, keygen))).toEqual([409, 'quota_reached']);
    await undeployTrading(hub, user_id, made[0]);
    expect((await deployTrading(hub, keygen)).status).toBe(200);
  });
});

describe('order books', () => {
  test('show the orders newest first, by page, only to their owner', async () => {
    const { user_id, id, strategy_id } = await deployed();
    for (const n of [1, 2, 3, 4, 5]) {
      hub.advance(1000);
      await reportOrder(hub, id, {
        client_order_id: `o${n}`,
        quantity: String(n),
        filled_quantity: String(n),
      });
    }
    hub.takeCalls();
    const { body } = await book(user_id, id, { size: '2', page: '2' });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(body).toMatchObject({ total: 5, page: 2, pages: 3 });
    expect(body.items.map((o: { client_order_id: string }) => o.client_order_id)).toEqual(['o3', 'o2']);
    expect(body.items[0]).toMatchObject({
      mode: 'virtual',
      status: 'filled',
      quantity: 3,
      pending_quantity: 0,
    });
    expect((await globalBook(user_id, 'virtual')).body.total).toBe(0);
    await enterAll(hub);
    hub.takeCalls();
    const all = await globalBook(user_id, 'virtual', { size: '3', page: '2' });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(all.body).toMatchObject({
      total: 5,
      items: [{ client_order_id: 'o2' }, { client_order_id: 'o1' }],
    });
    expect(all.body.items[0]).not.toHaveProperty('broker_order_id');
    expect((await globalBook(user_id, 'live')).body.total).toBe(0);
    expect((await globalBook(user_id, 'paper')).status).toBe(422);
    const query = { user_id, strategy_id: String(strategy_id), deployment_id: String(id) };
    hub.takeCalls();
    const full = await hub.call('GET /get_live_strategy_full_order_book', { query });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(full.body).toMatchObject({
      orders_total: 5,
      is_complete: true,
      deployment: { deployment_id: id },
    });
    expect(full.body.orders.map((o: { client_order_id: string }) => o.client_order_id)).toEqual([
      'o5',
      'o4',
      'o3',
      'o2',
      'o1',
    ]);
    const latest = await hub.call('GET /check_latest_order_status', {
      query: { user_id, strategy_id: String(strategy_id), depl_id: String(id) },
    });
    expect(latest.body).toMatchObject({ status: 'requested', phase: 'entered', orders_count: 5 });
    expect(latest.body.order).toMatchObject({ client_order_id: 'o5', status: 'filled', average_price: 100 });
    const other = await trader(hub);
    expect(codeOf(await book(other.user_id, id))).toEqual([404, 'deployment_unknown']);
    expect((await book(other.user_id, id)).text).toBe((await book(user_id, 7)).text);
  });

  test('keep fields of an order that a later report omits', async () => {
    const { user_id, id } = await deployed();
    const order = { client_order_id: 'x', order_type: 'limit', price: '99', quantity: '4', fees: '0.5' };
    await reportOrder(hub, id, {
      ...order,
      status: 'open',
      filled_quantity: '0',
      average_price: null,
      fees: '0',
    });
    await reportOrder(hub, id, { ...order, sequence: 3, status: 'cancelled', filled_quantity: '1' });
    await reportOrder(hub, id, { ...order, sequence: 2, status: 'partially_filled', filled_quantity: '1' });
    const { body } = await book(user_id, id);
    expect(body).toMatchObject({
      total: 1,
      items: [
        {
          status: 'cancelled',
          filled_quantity: 1,
          cancelled_quantity: 3,
          pending_quantity: 0,
          price: 99,
          fees: 0.5,
        },
      ],
    });
  });
});

describe('an owner', () => {
  test('closes the position of an order by hand, once, and the engine is notified', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { client_order_id: 'x', quantity: '3', filled_quantity: '3' });
    const { order_id } = (await book(user_id, id)).body.items[0];
    expect((await close(user_id, order_id, '-1')).status).toBe(422);
    expect((await close(user_id, order_id, 'NaN')).status).toBe(422);
    expect(codeOf(await close((await trader(hub)).user_id, order_id))).toEqual([404, 'order_unknown']);
    hub.takeCalls();
    const closed = await close(user_id, order_id, '110.5');
    expect(hub.takeCalls().length).toBe(3);
    expect(closed.body).toMatchObject({ order_id, client_order_id: 'x', close_value: 110.5 });
    const { body } = await book(user_id, id);
    expect(body.items).toMatchObject([
      {
        side: 'sell',
        order_type: 'market',
        quantity: 3,
        average_price: 110.5,
        realized_pnl: 31.5,
        status: 'filled',
      },
      { order_id, close_value: 110.5 },
    ]);
    const { body: page } = await all(user_id);
    expect(page.items[0]).toMatchObject({
      realized_pnl: 31.5,
      phase: 'exited',
      positions: [],
      trades_count: 1,
    });
    expect(codeOf(await close(user_id, order_id))).toEqual([409, 'position_closed']);
    const events = (await outbox(hub)).map(({ message }) => message);
    const closing = (message: (typeof events)[number]) =>
      message?.kind === 'domain_event' && message.detail_type === 'Position Closed';
    expect(events.find(closing)).toMatchObject({
      detail_type: 'Position Closed',
      detail: { deployment_id: id, closes: 'x', side: 'sell', quantity: '3', price: '110.5' },
    });
  });

  test('corrects the symbol of an order to that of the broker', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { client_order_id: 'x' });
    const { order_id } = (await book(user_id, id)).body.items[0];
    expect((await correct(user_id, order_id, ' ')).status).toBe(422);
    expect(codeOf(await correct((await trader(hub)).user_id, order_id))).toEqual([404, 'order_unknown']);
    expect(codeOf(await correct(user_id, 12))).toEqual([404, 'order_unknown']);
    expect((await correct(user_id, order_id)).body).toMatchObject({
      symbol: 'AAPL',
      broker_symbol: 'AAPL.NAS',
    });
    await reportOrder(hub, id, { client_order_id: 'x', sequence: 2, fees: '1' });
    expect((await book(user_id, id)).body.items).toMatchObject([{ broker_symbol: 'AAPL.NAS', fees: 1 }]);
  });

  test('sees an ended deployment while it has open positions', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { client_order_id: 'x' });
    await undeployTrading(hub, user_id, id);
    expect((await all(user_id)).body).toMatchObject({
      total: 1,
      items: [{ status: 'stopped', phase: 'entered' }],
    });
    await reportOrder(hub, id, { client_order_id: 'y', side: 'sell', average_price: '90' });
    expect((await all(user_id)).body.total).toBe(0);
    expect((await book(user_id, id)).body.items[0]).toMatchObject({ realized_pnl: -10 });
  });
});

describe('filters', () => {
  test('of running deployments compare the broker, the name and the symbols', async () => {
    const { user_id, keygen, strategy_name } = await trader(hub);
    await deployTrading(hub, keygen, { symbols: 'MSFT' });
    const total = async (more: Record<string, string>) => (await all(user_id, more)).body.total;
    expect(await total({ search_key: 'msf' })).toBe(1);
    expect(await total({ search_key: strategy_name.slice(2).toUpperCase() })).toBe(1);
    expect(await total({ search_key: 'aapl' })).toBe(0);
    expect(await total({ broker_id: '101' })).toBe(0);
    expect(codeOf(await all('nobody'))).toEqual([404, 'user_unknown']);
  });
});
