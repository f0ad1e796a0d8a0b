import { beforeEach, describe, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import type { SeriesFacts } from '../../../shared/data/candles/series.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { approvedBroker, registerAtBroker } from '../../support/brokers.ts';
import { accessOf, readAs } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder, undeployTrading } from '../../support/trading.ts';

const MINUTE = 60_000;

const hub = await openHub((opened) => furnishWithInstruments(opened, ['AAPL', 'MSFT', 'BTCUSD']));

const MINUTES: SeriesFacts = {
  symbol: 'AAPL',
  timeframe: '1m',
  asset_class: 'equity',
  calendar: 'us',
  source: 'test',
  adjustment: 'none',
};

/** Stores a bar of a minute that has just closed. @returns the time of its close */
const trade = async (close: number, facts: SeriesFacts = MINUTES): Promise<string> => {
  const end = Math.ceil(hub.runtime.clock().getTime() / MINUTE + 1) * MINUTE;
  hub.advance(end - hub.runtime.clock().getTime());
  const bar = { start: end - MINUTE, open: close, high: close, low: close, close, volume: 1 };
  await appendBars(hub.runtime.store, facts, columnsOf([bar]));
  return new Date(end).toISOString();
};

const makeTrader = async (form: Record<string, string> = {}) => {
  const desk = await approvedBroker(hub);
  const { user_id, email } = (await registerAtBroker(hub, desk.subdomain)).body;
  const { keygen, strategy_id } = (await build(hub, { user_id, symbol: 'AAPL,MSFT' })).body;
  const { body } = await deployTrading(hub, keygen, form);
  return {
    user_id,
    email,
    strategy_id: String(strategy_id),
    id: Number(body.deployment_id),
    token: await accessOf(hub, desk),
  };
};

/** Buys ten at 100. */
const buy = async (id: number, symbol = 'AAPL'): Promise<void> => {
  await reportOrder(hub, id, { client_order_id: `buy ${symbol}`, symbol, quantity: '10' });
};

let owner: Awaited<ReturnType<typeof makeTrader>>;
beforeEach(async () => {
  hub.advance(MINUTE);
  owner = await makeTrader();
});

const ask = async (route: string, query: Record<string, string> = {}) => {
  hub.takeCalls();
  const { status, body } = await hub.call(route, { query: { user_id: owner.user_id, ...query } });
  expect({ status, body }).toMatchObject({ status: 200 });
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  return body;
};

/** Every answer that shows the result of open positions. */
const readAll = async () => {
  const { id, strategy_id, email, token } = owner;
  const one = { deployment_id: String(id), strategy_id };
  const broker = await readAs(hub, token, 'GET /broker/get_all_user_deployments', { user_email: email });
  return {
    deployments: (await ask('GET /get_all_live_deployments_v2')).items[0],
    pnl: (await ask('GET /get_live_deps_pnl', { deployment_ids: String(id) })).pnl[0],
    profit: (await ask('GET /get_p_l_live_deployed_strategies')).deployments[0],
    total: (await ask('GET /get_p_l_live_deployed_strategies')).totals[0],
    one: (await ask('GET /get_p_l_live_deployed_strategies', one)).deployments[0],
    stats: await ask('GET /get_live_deployments_aggregated_stats'),
    book: (await ask('GET /get_live_strategy_full_order_book', one)).deployment,
    broker: broker.body.items[0],
  };
};

const performance = async () => {
  hub.takeCalls();
  const { status, body } = await readAs(hub, owner.token, 'GET /broker/get_user_strategy_performance', {
    strategy_id: owner.strategy_id,
    deployment_id: String(owner.id),
  });
  expect({ status, calls: hub.takeCalls().length }).toEqual({ status: 200, calls: 2 });
  return body;
};

describe('open positions of symbols with candles', () => {
  test('count at the last price in every answer, without a quote of the engine', async () => {
    await buy(owner.id);
    const as_of = await trade(110.5);
    const written = { unrealized_pnl: 105, today_pnl: 105, total_pnl: 105, as_of };
    for (const [answer, found] of Object.entries(await readAll())) {
      expect({ answer, ...found }).toMatchObject({ answer, ...written });
    }
    expect((await ask('GET /check_trades_position')).positions).toMatchObject([
      { symbol: 'AAPL', last_price: 110.5, unrealized_pnl: 105, as_of },
    ]);
    const { metrics, equity_curve } = await performance();
    expect(metrics).toMatchObject({ total_return_pct: 1.05 });
    expect(equity_curve.at(-1)).toMatchObject({ equity: 10_105 });
  });

  test('count at the newest of last price, quote and fill', async () => {
    const shown = async () => (await ask('GET /check_trades_position')).positions[0];
    await trade(90);
    await buy(owner.id);
    expect(await shown()).toMatchObject({ last_price: null, unrealized_pnl: null });
    const first = await trade(101);
    expect(await shown()).toMatchObject({ last_price: 101, unrealized_pnl: 10, as_of: first });
    hub.advance(1000);
    await report(hub, 'Quote Marked', owner.id, { symbol: 'AAPL', price: 102 });
    expect(await shown()).toMatchObject({ last_price: 102, unrealized_pnl: 20 });
    const second = await trade(103);
    expect(await shown()).toMatchObject({ last_price: 103, unrealized_pnl: 30, as_of: second });
    hub.advance(1000);
    await reportOrder(hub, owner.id, { client_order_id: 'more', quantity: '10', average_price: '104' });
    expect(await shown()).toMatchObject({ last_price: 104, unrealized_pnl: 40 });
  });

  test('without candles keep their mark, next to those with candles', async () => {
    await buy(owner.id);
    await buy(owner.id, 'MSFT');
    await trade(110);
    const of = async () => (await ask('GET /get_all_live_deployments_v2')).items[0];
    expect(await of()).toMatchObject({ unrealized_pnl: null, positions: [{ unrealized_pnl: 100 }, {}] });
    await report(hub, 'Quote Marked', owner.id, { symbol: 'MSFT', price: 101 });
    expect(await of()).toMatchObject({ unrealized_pnl: 110 });
  });

  test('of prediction markets keep their mark', async () => {
    owner = await makeTrader({ prediction_market: 'true' });
    await buy(owner.id);
    await trade(110);
    expect((await ask('GET /check_trades_position')).positions).toMatchObject([{ last_price: null }]);
    expect(await performance()).toMatchObject({ metrics: { total_return_pct: null } });
  });

  test('of an ended deployment still follow the price', async () => {
    await buy(owner.id);
    await undeployTrading(hub, owner.user_id, owner.id);
    await trade(120);
    expect(await ask('GET /get_live_deployments_aggregated_stats')).toMatchObject({ total_pnl: 200 });
  });

  test('cost no call while nothing is open', async () => {
    await ask('GET /get_all_live_deployments_v2');
    await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'Query']);
  });
});
