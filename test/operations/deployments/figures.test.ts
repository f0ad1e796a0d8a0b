import { beforeEach, describe, expect, test } from '@jest/globals';
import { endedList } from '../../../shared/data/books/ended-entries.ts';
import { summaryItemSchema } from '../../../shared/data/books/summary.ts';
import { commit, editKeys, ListEdit } from '../../../shared/data/numbered-list/list-edit.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, signUp } from '../../support/people.ts';
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

type Query = Readonly<Record<string, string>>;

/** Calls a reading operation, and checks that it makes at most three calls. */
const get = async (operation: string, query: Query, most = 3) => {
  hub.takeCalls();
  const answer = await hub.call(`GET /${operation}`, { query });
  expect(hub.takeCalls().length).toBeLessThanOrEqual(most);
  return answer;
};

const deployed = (form: Query = {}, symbol?: string) => deployedTrader(hub, form, symbol);

let orders = 0;
const buy = (id: number, quantity: number, price: number, more: Record<string, unknown> = {}) =>
  reportOrder(hub, id, {
    // At equal times they count in the order of their ids.
    client_order_id: `order-${String(++orders).padStart(4, '0')}`,
    quantity: String(quantity),
    filled_quantity: String(quantity),
    average_price: String(price),
    rate: '1',
    ...more,
  });
const sell = (id: number, quantity: number, price: number, more: Record<string, unknown> = {}) =>
  buy(id, quantity, price, { side: 'sell', ...more });
const quote = (id: number, symbol: string, price: number) =>
  report(hub, 'Quote Marked', id, { symbol, price, rate: '1' });
const now = () => hub.runtime.clock().toISOString();

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('an unknown user', () => {
  test.each([
    ['get_live_expired_strategies_v2', {}],
    ['get_live_expired_strategies_v2', { search_key: 'a', page: '3' }],
    ['get_live_deps_pnl', { deployment_ids: '7' }],
    ['get_p_l_live_deployed_strategies', {}],
    ['get_p_l_live_deployed_strategies', { deployment_id: '7' }],
    ['get_live_deployments_aggregated_stats', {}],
    ['get_live_deployment_strategies_volume', { strategy_ids: '7' }],
    ['check_trades_position', {}],
    ['get_live_deployments_order_status', { strategy_ids: '7' }],
  ])('is reported by %s %j', async (operation, query) => {
    expect(codeOf(await get(operation, { user_id: 'nobody', ...query }))).toEqual([404, 'user_unknown']);
  });
});

describe('a user without deployments', () => {
  test('has zeros without a currency', async () => {
    const { user_id, strategy_id } = await trader(hub);
    const stats = await get('get_live_deployments_aggregated_stats', { user_id });
    expect(stats.body).toMatchObject({
      deployments: { requested: 0, active: 0, paused: 0, halted: 0, stopped: 0, expired: 0, error: 0 },
      deployments_count: 0,
      orders_count: 0,
      realized_pnl: 0,
      unrealized_pnl: 0,
      today_pnl: 0,
      total_pnl: 0,
      currency: null,
      win_rate_pct: null,
      by_currency: [],
      by_broker: [],
      as_of: null,
    });
    expect(stats.body.orders).toMatchObject({ pending: 0, filled: 0, rejected: 0, expired: 0 });
    expect((await get('get_live_expired_strategies_v2', { user_id })).body).toEqual({
      items: [],
      total: 0,
      page: 1,
      size: 10,
      pages: 0,
      summary: { total_pnl: 0, wins: 0, losses: 0, currency: null, as_of: null },
      by_currency: [],
    });
    expect((await get('check_trades_position', { user_id }, 2)).body).toEqual({ positions: [], as_of: null });
    expect((await get('get_p_l_live_deployed_strategies', { user_id }, 2)).body).toEqual({
      deployments: [],
      totals: [],
      as_of: null,
    });
    const { body } = await get('get_live_deployment_strategies_volume', {
      user_id,
      strategy_ids: String(strategy_id),
    });
    expect(body).toEqual({
      volume: [
        {
          strategy_id,
          orders: 0,
          trades: 0,
          fills: 0,
          lots: 0,
          traded_value: 0,
          currency: null,
          by_currency: [],
          from: null,
          to: null,
        },
      ],
      unknown_ids: [],
      as_of: null,
    });
  });
});

describe('/get_live_deps_pnl', () => {
  const pnl = (user_id: string, ids: readonly (number | string)[]) =>
    get('get_live_deps_pnl', { user_id, deployment_ids: ids.join(',') }, 2);

  test('answers in the requested order, for ended ones too, and names deployments of others as unknown', async () => {
    const { user_id, keygen, strategy_id, strategy_name, id } = await deployed();
    const second = (await deployTrading(hub, keygen, { currency: 'JPY', engine_rates: 'true' })).body
      .deployment_id;
    const stranger = (await deployed()).id;
    const { body: notes } = await hub.call('POST /deploy_notification_strategy', {
      query: { keygen },
      form: { channels: 'push' },
    });
    await buy(id, 10, 100, { fees: '1.005' });
    await quote(id, 'AAPL', 101);
    const asOf = now();
    await buy(second, 3, 100.5);
    await sell(second, 3, 99, { fees: '0.4' });
    await undeployTrading(hub, user_id, second);
    const { body } = await pnl(user_id, [second, stranger, id, notes.deployment_id, 12, second]);
    expect(body).toEqual({
      pnl: [
        expect.objectContaining({
          deployment_id: second,
          status: 'stopped',
          realized_pnl: -5,
          unrealized_pnl: 0,
          total_pnl: -5,
          currency: 'JPY',
          as_of: null,
        }),
        {
          deployment_id: id,
          strategy_id,
          strategy_name,
          broker_id: null,
          mode: 'virtual',
          status: 'requested',
          phase: 'entered',
          realized_pnl: -1,
          unrealized_pnl: 10,
          today_pnl: 9,
          total_pnl: 9,
          gross_pnl: 0,
          fees: 1,
          swap: 0,
          currency: 'USD',
          starting_capital: 10_000,
          return_pct: 0.08995,
          as_of: asOf,
        },
      ],
      unknown_ids: [stranger, notes.deployment_id, 12],
      as_of: asOf,
    });
  });

  test('has no unrealised result without a quote of each open position', async () => {
    const { user_id, id } = await deployed();
    await buy(id, 1, 100);
    await buy(id, 1, 50, { symbol: 'MSFT' });
    await quote(id, 'AAPL', 103);
    const { body } = await pnl(user_id, [id]);
    expect(body.pnl).toMatchObject([
      {
        unrealized_pnl: null,
        realized_pnl: 0,
        total_pnl: null,
        today_pnl: null,
        return_pct: null,
        as_of: now(),
      },
    ]);
    await quote(id, 'MSFT', 49);
    expect((await pnl(user_id, [id])).body.pnl).toMatchObject([{ unrealized_pnl: 2, total_pnl: 2 }]);
  });

  test('values a position at its last fill if that is newer than the quote', async () => {
    const { user_id, id } = await deployed();
    await buy(id, 1, 100);
    await quote(id, 'AAPL', 90);
    hub.advance(1000);
    await buy(id, 1, 110);
    const { body } = await pnl(user_id, [id]);
    expect(body.pnl).toMatchObject([{ unrealized_pnl: 10, total_pnl: 10, as_of: now() }]);
    const positions = await get('check_trades_position', { user_id });
    expect(positions.body.positions).toMatchObject([{ last_price: 110, average_price: 105, as_of: now() }]);
  });

  test('accepts at most 50 ids', async () => {
    const { user_id } = await trader(hub);
    const ids = Array.from({ length: 51 }, (_, n) => n + 1);
    expect((await pnl(user_id, ids.slice(0, 50))).body.unknown_ids.length).toBe(50);
    expect((await pnl(user_id, ids)).status).toBe(422);
    expect((await pnl(user_id, ['7a'])).body.detail[0].loc).toEqual(['query', 'deployment_ids']);
  });
});

describe('a list of ids', () => {
  const LISTS = [
    ['get_live_deps_pnl', 'deployment_ids'],
    ['get_live_deployment_strategies_volume', 'strategy_ids'],
    ['get_live_deployments_order_status', 'strategy_ids'],
    ['get_strategies_performance_metrics', 'strategy_ids'],
  ] as const;

  test.each(LISTS)('of %s names unknown ids as they are given', async (operation, parameter) => {
    const { user_id } = await trader(hub);
    const { body } = await get(operation, { user_id, [parameter]: `-7,0,${Number.MAX_SAFE_INTEGER}` });
    expect(body.unknown_ids).toEqual([-7, 0, Number.MAX_SAFE_INTEGER]);
  });

  test.each(LISTS)('of %s refuses an id that would lose digits', async (operation, parameter) => {
    const { user_id } = await trader(hub);
    for (const id of ['9007199254740992', '-9007199254740993', `1${'0'.repeat(30)}`, '9'.repeat(4300)]) {
      const { status, body } = await get(operation, { user_id, [parameter]: `7,${id}` });
      expect(status).toBe(422);
      expect(body.detail).toEqual([
        { loc: ['query', parameter], msg: 'value is out of range', type: 'value_error.number' },
      ]);
    }
  });
});

describe('/get_p_l_live_deployed_strategies', () => {
  const pnl = (user_id: string, query: Query = {}, most = 3) =>
    get('get_p_l_live_deployed_strategies', { user_id, ...query }, most);

  test('lists running deployments and those with open positions, with sums by currency', async () => {
    const { user_id, keygen, id } = await deployed();
    hub.advance(1000);
    const euros = (await deployTrading(hub, keygen, { currency: 'EUR', engine_rates: 'true' })).body
      .deployment_id;
    hub.advance(1000);
    const more = (await deployTrading(hub, keygen)).body.deployment_id;
    const over = (await deployTrading(hub, keygen)).body.deployment_id;
    await buy(id, 2, 100, { fees: '0.125' });
    await quote(id, 'AAPL', 110);
    const oldest = now();
    hub.advance(1000);
    await buy(more, 1, 100, { fees: '0.25' });
    await sell(more, 1, 90);
    await buy(more, 1, 80);
    await quote(more, 'AAPL', 85);
    await buy(euros, 1, 100);
    await undeployTrading(hub, user_id, more);
    await undeployTrading(hub, user_id, over);
    const { body } = await pnl(user_id);
    expect(body.deployments.map((each: { deployment_id: number }) => each.deployment_id)).toEqual([
      more,
      euros,
      id,
    ]);
    expect(body.totals).toEqual([
      {
        currency: 'EUR',
        realized_pnl: 0,
        unrealized_pnl: null,
        today_pnl: null,
        total_pnl: null,
        gross_pnl: 0,
        fees: 0,
        swap: 0,
        as_of: null,
      },
      {
        currency: 'USD',
        realized_pnl: -10.38,
        unrealized_pnl: 25,
        today_pnl: 14.62,
        total_pnl: 14.62,
        gross_pnl: -10,
        fees: 0.38,
        swap: 0,
        as_of: oldest,
      },
    ]);
    expect(body.as_of).toBe(oldest);
    expect((await pnl(user_id, { broker_id: '101' })).body.deployments).toEqual([]);
  });

  test('answers for one deployment, also an ended one, only to its owner', async () => {
    const { user_id, id } = await deployed();
    await buy(id, 1, 100);
    await sell(id, 1, 104);
    await undeployTrading(hub, user_id, id);
    const { body } = await pnl(user_id, { deployment_id: String(id) }, 2);
    expect(body).toMatchObject({
      deployments: [{ deployment_id: id, status: 'stopped', total_pnl: 4 }],
      totals: [{ currency: 'USD', total_pnl: 4 }],
    });
    const { user_id: other } = await trader(hub);
    const refused = await pnl(other, { deployment_id: String(id) });
    expect(codeOf(refused)).toEqual([404, 'deployment_unknown']);
    for (const unknown of ['12', 'x', '1.5', '']) {
      expect((await pnl(other, { deployment_id: unknown })).text).toBe(refused.text);
    }
  });
});

describe('/get_swap_values', () => {
  const swap = (user_id: string, strategy_id: number, id: number) =>
    get('get_swap_values', { user_id, strategy_id: String(strategy_id), deployment_id: String(id) }, 2);
  const charge = (id: number, charge_id: string, symbol: string, amount: string, occurred_at: string) =>
    report(hub, 'Swap Charged', id, { charge_id, symbol, amount, occurred_at });

  test('shows rates, and charges of open and of closed positions', async () => {
    const { user_id, strategy_id, id } = await deployed({ engine_rates: 'true' }, 'EURUSD,USDJPY,AAPL');
    await buy(id, 2, 1.1, { symbol: 'EURUSD' });
    await sell(id, 1, 150, { symbol: 'USDJPY' });
    await buy(id, 1, 100);
    hub.advance(3_600_000);
    const [first, second] = [now(), new Date(hub.runtime.clock().getTime() + 1000).toISOString()];
    hub.advance(2000);
    // The later charge is received first.
    await charge(id, 'b', 'EURUSD', '-1.25', second);
    await charge(id, 'a', 'EURUSD', '-2.5', first);
    await charge(id, 'a', 'EURUSD', '-2.5', first);
    await charge(id, 'c', 'USDJPY', '0.755', first);
    await buy(id, 1, 151, { symbol: 'USDJPY' });
    const { body } = await swap(user_id, strategy_id, id);
    const rates = await hub.call('GET /get_instrument_suggestions_v2', {
      query: { user_id, instrument: 'EURUSD', type: 'forex' },
    });
    const { swap_long, swap_short, swap_calculation, triple_swap_weekday } = rates.body[0];
    expect(swap_long).not.toBeNull();
    expect(body).toEqual({
      deployment_id: id,
      strategy_id,
      positions: [
        {
          symbol: 'EURUSD',
          side: 'long',
          quantity: 2,
          swap_long,
          swap_short,
          calculation_type: swap_calculation,
          triple_swap_weekday,
          realized_swap: 0,
          accrued_swap: -3.75,
          total_swap: -3.75,
          currency: 'USD',
          last_rollover_at: second,
        },
        expect.objectContaining({
          symbol: 'USDJPY',
          side: null,
          quantity: 0,
          realized_swap: 0.76,
          accrued_swap: 0,
          total_swap: 0.76,
          last_rollover_at: first,
        }),
        expect.objectContaining({ symbol: 'AAPL', side: 'long', total_swap: 0, last_rollover_at: null }),
      ],
      totals: { realized_swap: 0.76, accrued_swap: -3.75, total_swap: -3, currency: 'USD' },
      as_of: now(),
    });
  });

  test('finds only deployments of the owner, by their strategy', async () => {
    const { user_id, strategy_id, id } = await deployed();
    const unknown = [404, 'deployment_unknown'];
    expect((await swap(user_id, strategy_id, id)).body.positions).toEqual([]);
    expect(codeOf(await swap((await trader(hub)).user_id, strategy_id, id))).toEqual(unknown);
    expect(codeOf(await swap(user_id, strategy_id + 1, id))).toEqual(unknown);
    expect(codeOf(await swap(user_id, strategy_id, 12))).toEqual(unknown);
  });
});

describe('/check_trades_position', () => {
  test('shows open positions of running deployments and of ended ones', async () => {
    const { user_id, strategy_id, strategy_name, keygen, id } = await deployed();
    const opened = now();
    await buy(id, 2, 100);
    await quote(id, 'AAPL', 99.5);
    hub.advance(1000);
    await sell(id, 1, 50, { symbol: 'MSFT' });
    const second = (await deployTrading(hub, keygen, { currency: 'EUR', engine_rates: 'true' })).body
      .deployment_id;
    await sell(second, 4, 10, { symbol: 'MSFT' });
    await buy(second, 1, 10);
    await sell(second, 1, 12);
    await undeployTrading(hub, user_id, second);
    const { body } = await get('check_trades_position', { user_id });
    expect(body.as_of).toBe(opened);
    expect(body.positions).toMatchObject([
      { deployment_id: second, status: 'stopped', currency: 'EUR', side: 'short', quantity: 4, as_of: null },
      {},
      {},
    ]);
    expect(body.positions.find((each: { symbol: string }) => each.symbol === 'AAPL')).toEqual({
      deployment_id: id,
      strategy_id,
      strategy_name,
      broker_id: null,
      mode: 'virtual',
      status: 'requested',
      currency: 'USD',
      symbol: 'AAPL',
      side: 'long',
      quantity: 2,
      average_price: 100,
      last_price: 99.5,
      unrealized_pnl: -1,
      as_of: opened,
      opened_at: opened,
    });
  });
});

describe('/get_live_expired_strategies_v2', () => {
  const expired = (user_id: string, query: Query = {}, most = 3) =>
    get('get_live_expired_strategies_v2', { user_id, ...query }, most);

  test('lists ended ones of a market, with sums that include late fills', async () => {
    const { user_id, keygen, strategy_name, id } = await deployed();
    const bet = (
      await deployTrading(hub, keygen, { prediction_market: 'true', currency: 'EUR', engine_rates: 'true' })
    ).body;
    await buy(id, 10, 100, { fees: '1' });
    await undeployTrading(hub, user_id, id);
    const stopped = now();
    await undeployTrading(hub, user_id, bet.deployment_id);
    await quote(id, 'AAPL', 105);
    expect((await expired(user_id)).body).toMatchObject({
      items: [
        { deployment_id: id, expired_at: stopped, final_pnl: 49, final_return_pct: 0.49, as_of: now() },
      ],
      total: 1,
      summary: { total_pnl: 49, wins: 1, losses: 0, currency: 'USD' },
    });
    for (const [search_key, sums] of [
      [strategy_name, { total_pnl: 49, wins: 1, losses: 0, currency: 'USD' }],
      ['nothing is called so', { total_pnl: 0, wins: 0, losses: 0, currency: null }],
    ] as const) {
      expect((await expired(user_id, { search_key }, 3)).body.summary).toMatchObject(sums);
    }
    hub.advance(1000);
    await sell(id, 10, 103, { fees: '1' });
    await enterAll(hub);
    const { body } = await expired(user_id);
    expect(body).toMatchObject({
      items: [{ strategy_name, status: 'stopped', final_pnl: 28, positions: [] }],
      summary: { total_pnl: 28, wins: 1, losses: 0, currency: 'USD', as_of: now() },
      by_currency: [{ currency: 'USD', deployments_count: 1, wins: 1, losses: 0, total_pnl: 28 }],
    });
    expect((await expired(user_id, { prediction_market: 'true' })).body).toMatchObject({
      items: [{ deployment_id: bet.deployment_id, prediction_market: true }],
      summary: { total_pnl: 0, wins: 0, losses: 0, currency: 'EUR' },
    });
  });

  test('is not changed by a quote', async () => {
    const { user_id, id } = await deployed();
    await buy(id, 1, 100);
    await undeployTrading(hub, user_id, id);
    await enterAll(hub);
    await quote(id, 'AAPL', 105);
    expect(await enterAll(hub)).toBe(0);
    expect((await expired(user_id)).body.items).toMatchObject([{ final_pnl: 5 }]);
  });

  test('costs the same on any page, and a search at most three calls', async () => {
    const { user_id, strategy_name, id } = await deployed();
    await buy(id, 10, 100, { fees: '1' });
    await sell(id, 10, 103, { fees: '1', symbol: 'AAPL' });
    await undeployTrading(hub, user_id, id);
    const { store } = hub.runtime;
    const list = endedList(user_id, { prediction_market: false });
    const [ended] = await store.query(
      { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': list.pk }, Limit: 1 },
      summaryItemSchema,
    );
    if (!ended) throw new Error('nothing has ended');
    for (let round = 0; round < 13; round++) {
      const edit = new ListEdit(list, await store.getMany(editKeys(list), { consistent: true }));
      for (let n = 0; n < 90; n++) {
        const strategy_name = round === 0 ? 'Too old to be found' : `Copy ${round} ${n}`;
        const summary = { ...ended.summary, deployment_id: n, strategy_name };
        edit.append({ entity: 'live_ended', summary });
      }
      await commit(store, [edit], []);
    }
    for (const page of ['1', '2', '60', '118', '200']) {
      const { body } = await expired(user_id, { page });
      expect([body.total, body.pages]).toEqual([1171, 118]);
    }
    expect((await expired(user_id, { page: '118' })).body.items).toMatchObject([{ strategy_name }]);
    const found = await expired(user_id, { search_key: ' COPY 12 ', page: '3', size: '40' }, 3);
    expect([found.body.total, found.body.pages, found.body.items.length]).toEqual([90, 3, 10]);
    expect((await expired(user_id, { search_key: 'too old' }, 3)).body.total).toBe(0);
    expect((await expired(user_id, { search_key: 'msf' }, 3)).body.total).toBe(1000);
    expect((await expired(user_id, { search_key: ' ' })).body.total).toBe(1171);
  });
});

describe('/get_live_deployments_aggregated_stats', () => {
  test('counts an ended deployment once, and its open positions separately', async () => {
    const { user_id, keygen, id } = await deployed();
    const bet = (await deployTrading(hub, keygen, { prediction_market: 'true' })).body.deployment_id;
    await buy(id, 10, 100, { fees: '1' });
    await undeployTrading(hub, user_id, id);
    await quote(id, 'AAPL', 101);
    const asOf = now();
    await buy(bet, 1, 100);
    await sell(bet, 1, 90);
    const stats = () => get('get_live_deployments_aggregated_stats', { user_id });
    const expected = { realized_pnl: -11, unrealized_pnl: 10, total_pnl: -1, today_pnl: -1, fees: 1 };
    const one = { ...expected, as_of: asOf, win_rate_pct: 0, currency: 'USD' };
    const { body } = await stats();
    expect(body).toMatchObject({ ...one, deployments: { stopped: 1, requested: 1 }, orders: { filled: 3 } });
    expect(body.by_currency).toMatchObject([{ ...one, deployments_count: 2, orders_count: 3 }]);
    expect(body.by_broker).toMatchObject([{ ...one, broker_id: null }]);
    await undeployTrading(hub, user_id, bet);
    expect((await stats()).body).toMatchObject({ realized_pnl: -11, deployments: { stopped: 2 } });
    await buy(id, 1, 100, { symbol: 'MSFT' });
    expect((await stats()).body).toMatchObject({
      unrealized_pnl: null,
      total_pnl: null,
      today_pnl: null,
      as_of: asOf,
    });
  });
});

describe('figures by strategy', () => {
  test('are limited to 50 strategies of the user', async () => {
    const { body: user } = await signUp(hub);
    const { user_id } = user;
    const made = await build(hub, { user_id, symbol: 'AAPL' });
    const { strategy_id } = made.body;
    const strange = (await trader(hub)).strategy_id;
    const ids = [strategy_id, strange, ...Array.from({ length: 48 }, (_, n) => n + 1)];
    const query = { user_id, strategy_ids: ids.join(',') };
    for (const operation of ['get_live_deployment_strategies_volume', 'get_live_deployments_order_status']) {
      const { body } = await get(operation, query);
      expect(body.unknown_ids).toEqual(ids.slice(1));
      // The session has already read the user.
      const headers = bearer(user.access_token);
      hub.takeCalls();
      expect((await hub.call(`GET /${operation}`, { query, headers })).status).toBe(200);
      expect(hub.takeCalls().length).toBe(3);
      const { status } = await get(operation, { user_id, strategy_ids: [...ids, 99].join(',') });
      expect(status).toBe(422);
    }
  });

  test('include the period of the volume', async () => {
    const { user_id, strategy_id, keygen, id } = await deployed();
    const from = now();
    hub.advance(1000);
    await buy(id, 2, 100);
    await undeployTrading(hub, user_id, id);
    const second = (await deployTrading(hub, keygen, { currency: 'EUR', engine_rates: 'true' })).body
      .deployment_id;
    hub.advance(1000);
    await sell(second, 0.5, 10);
    const query = { user_id, strategy_ids: String(strategy_id) };
    const { body } = await get('get_live_deployment_strategies_volume', query);
    expect(body).toMatchObject({
      as_of: now(),
      volume: [
        {
          orders: 2,
          trades: 0,
          fills: 2,
          lots: 2.5,
          traded_value: 5,
          currency: 'EUR',
          by_currency: [
            { currency: 'EUR', orders: 1, lots: 0.5, traded_value: 5 },
            { currency: 'USD', orders: 1, lots: 2, traded_value: 200 },
          ],
          from,
          to: now(),
        },
      ],
    });
  });

  test('include the orders by status, of each deployment that has not ended', async () => {
    const { user_id, strategy_id, keygen, id } = await deployed();
    await buy(id, 1, 100);
    await sell(id, 1, 101);
    await undeployTrading(hub, user_id, id);
    const second = (await deployTrading(hub, keygen)).body.deployment_id;
    await buy(second, 1, 100, { status: 'open', filled_quantity: '0', average_price: null });
    const query = { user_id, strategy_ids: String(strategy_id) };
    const { body } = await get('get_live_deployments_order_status', query);
    expect(body).toMatchObject({
      strategies: [
        {
          strategy_id,
          orders: { filled: 2, open: 1, cancelled: 0 },
          orders_count: 3,
          deployments: [
            {
              deployment_id: second,
              status: 'requested',
              phase: 'waiting',
              orders: { filled: 0, open: 1 },
              open_orders: 1,
              orders_count: 1,
              latest_order: { status: 'open', symbol: 'AAPL', quantity: 1, average_price: null },
              as_of: now(),
            },
          ],
        },
      ],
      unknown_ids: [],
    });
  });
});
