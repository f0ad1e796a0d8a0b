import { beforeEach, describe, expect, test } from '@jest/globals';
import { approvedBroker, registerAtBroker, type TestBroker } from '../../support/brokers.ts';
import { accessOf, readAs } from '../../support/integrators.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const SLIPPAGE = 'GET /broker/get_broker_user_slippage_by_email';
const TRADES = 'GET /broker/get_all_trades_by_user_deployments';
const PERFORMANCE = 'GET /broker/get_user_strategy_performance';
const DAY = 24 * 3_600_000;

const hub = await openHub(furnishWithInstruments);
let desk: TestBroker;
let token: string;
let customer: { readonly user_id: string; readonly email: string };
let deployment: { readonly deployment_id: number; readonly strategy_id: number };
beforeEach(async () => {
  hub.advance(1000);
  desk = await approvedBroker(hub);
  token = await accessOf(hub, desk);
  customer = (await registerAtBroker(hub, desk.subdomain)).body;
  const strategy = (await build(hub, { user_id: customer.user_id, symbol: 'AAPL' })).body;
  deployment = (await deployTrading(hub, strategy.keygen)).body;
});

const read = (route: string, query: Record<string, string> = {}, by = token) =>
  readAs(hub, by, route, { user_email: customer.email, ...query });
const performance = (by = token, ids: { deployment_id: number; strategy_id: number } = deployment) =>
  readAs(hub, by, PERFORMANCE, {
    strategy_id: String(ids.strategy_id),
    deployment_id: String(ids.deployment_id),
  });

/** Buys and sells again, with the expected prices of both. */
const roundTrip = async (
  name: string,
  [entry, exit]: readonly [string, string],
  expected = ['100', '110'],
) => {
  const { deployment_id: id } = deployment;
  const order = { quantity: '2', filled_quantity: '2', fees: '0.5' };
  const signal = { status: 'open', filled_quantity: '0', average_price: null, fees: '0' };
  const [entryExpected, exitExpected] = expected;
  for (const [side, average_price, expected_price] of [
    ['buy', entry, entryExpected],
    ['sell', exit, exitExpected],
  ]) {
    const client_order_id = `${name}-${side}`;
    await reportOrder(hub, id, { ...order, ...signal, client_order_id, side, expected_price });
    hub.advance(250);
    await reportOrder(hub, id, { ...order, client_order_id, sequence: 2, side, average_price });
    hub.advance(1000);
  }
};

describe('slippage', () => {
  test('is listed for each order with an expected price, newest first, with its summary', async () => {
    await roundTrip('a', ['100.1', '109']);
    await reportOrder(hub, deployment.deployment_id, { client_order_id: 'unexpected' });
    await enterAll(hub);
    const { body } = await read(SLIPPAGE);
    expect(body).toMatchObject({ total: 2, limit: 30 });
    expect(body.items).toMatchObject([
      {
        side: 'sell',
        expected_price: 110,
        fill_price: 109,
        slippage: 1,
        slippage_amount: 2,
        latency_ms: 250,
      },
      {
        side: 'buy',
        expected_price: 100,
        fill_price: 100.1,
        slippage: 0.1,
        slippage_bps: 10,
        slippage_amount: 0.2,
      },
    ]);
    // 1 of 110 is 90.9091 basis points.
    expect(body.summary).toEqual({
      count: 2,
      mean_bps: 50.4546,
      median_bps: 50.4546,
      p95_bps: 90.9091,
      worst_bps: 90.9091,
      total_amount: 2.2,
      currency: 'USD',
    });
    expect(JSON.stringify(body)).not.toContain(customer.user_id);
    hub.takeCalls();
    expect((await read(SLIPPAGE, { limit: '1' })).body).toMatchObject({
      items: [{ side: 'sell' }],
      limit: 1,
    });
    expect(hub.takeCalls().length).toBe(3);
  });

  test('lists an order once, also if all of its fill was taken back, or its expected price, and given again', async () => {
    const filled = {
      client_order_id: 'again',
      quantity: '2',
      filled_quantity: '1',
      status: 'partially_filled',
    };
    const none = { ...filled, status: 'open', filled_quantity: '0', average_price: null };
    const reports = [
      { ...filled, expected_price: '99' },
      none,
      filled,
      none,
      { ...filled, expected_price: null },
      { ...filled, expected_price: '98' },
      { ...filled, expected_price: null },
      { ...filled, expected_price: '97' },
    ];
    for (const [index, report] of reports.entries()) {
      await reportOrder(hub, deployment.deployment_id, { ...report, sequence: index + 1 });
    }
    await enterAll(hub);
    const { status, body } = await read(SLIPPAGE);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 1, items: [{ expected_price: 97, slippage: 3 }] });
  });

  test.each(['0', '101', '-1', 'x'])('refuses a limit of %s', async (limit) => {
    const { status, body } = await read(SLIPPAGE, { limit });
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'limit']]);
  });

  test('without orders is an empty list', async () => {
    const { body } = await read(SLIPPAGE);
    expect(body).toMatchObject({ items: [], total: 0, summary: { count: 0, mean_bps: null } });
  });
});

describe('trades', () => {
  test('are the closed ones, page by page, with the same calls', async () => {
    for (const name of ['a', 'b', 'c']) await roundTrip(name, ['100', '110']);
    await reportOrder(hub, deployment.deployment_id, { client_order_id: 'open' });
    await enterAll(hub);
    await read(TRADES);
    const numbers: number[] = [];
    for (const page of ['1', '2', '3']) {
      hub.takeCalls();
      const { body } = await read(TRADES, { page, size: '1' });
      expect(hub.takeCalls()).toEqual(['BatchGetItem', 'Query', 'BatchGetItem']);
      expect(body).toMatchObject({ total: 3, pages: 3, items: [{ side: 'long', quantity: 2, fees: 1 }] });
      expect(body.items[0]).toMatchObject({ entry_price: 100, exit_price: 110, gross_pnl: 20, net_pnl: 19 });
      numbers.push(body.items[0].trade_number);
    }
    expect(numbers).toEqual([3, 2, 1]);
  });

  test('that a late fill undoes are removed from the list', async () => {
    const at = hub.runtime.clock().toISOString();
    hub.advance(60_000);
    await reportOrder(hub, deployment.deployment_id, { client_order_id: 'a' });
    hub.advance(60_000);
    await reportOrder(hub, deployment.deployment_id, { client_order_id: 'b', side: 'sell' });
    await enterAll(hub);
    expect((await read(TRADES)).body.total).toBe(1);
    // The late fill comes before both: the position was never flat.
    await reportOrder(hub, deployment.deployment_id, { client_order_id: 'early', occurred_at: at });
    await enterAll(hub);
    expect((await read(TRADES)).body).toMatchObject({ total: 0, items: [] });
  });
});

describe('performance', () => {
  test('has statistics, curve and periods of a deployment', async () => {
    await runJob(hub.runtime, { job: 'close-equity-days' });
    await roundTrip('a', ['100', '110']);
    const today = (await performance(await accessOf(hub, desk))).body;
    expect(today.metrics).toMatchObject({
      total_return_pct: 0.19,
      cagr_pct: expect.any(Number),
      max_drawdown_pct: 0,
      max_drawdown_equity_pct: 0,
    });
    expect(today.equity_curve.map(({ equity }: { equity: number }) => equity)).toEqual([10_000, 10_019]);
    hub.advance(DAY);
    await runJob(hub.runtime, { job: 'close-equity-days' });
    await roundTrip('b', ['100', '95']);
    await report(hub, 'Quote Marked', deployment.deployment_id, { symbol: 'AAPL', price: 95 });
    const later = await accessOf(hub, desk);
    hub.takeCalls();
    const { status, body } = await performance(later);
    expect([status, hub.takeCalls().length]).toEqual([200, 2]);
    expect(body).toMatchObject({
      ...deploymentIds(),
      mode: 'virtual',
      currency: 'USD',
      starting_capital: 10_000,
    });
    expect(body.metrics).toMatchObject({
      trades_count: 2,
      wins: 1,
      losses: 1,
      largest_win: 19,
      largest_loss: -11,
      win_rate_pct: 50,
      // The current day counts: 10,019 to 10,008.
      total_return_pct: 0.08,
      max_drawdown_equity_pct: 0.109791,
      sample_sufficient: false,
    });
    const days = body.pnl.by_day.map(({ pnl, trades }: { pnl: number; trades: number }) => [pnl, trades]);
    expect(days).toEqual([
      [19, 1],
      [-11, 1],
    ]);
    expect(body.pnl.by_month).toMatchObject([
      { period: body.pnl.by_day[0].period.slice(0, 7), pnl: 8, trades: 2 },
    ]);
    expect(body.equity_curve.map(({ equity }: { equity: number }) => equity)).toEqual([
      10_000, 10_019, 10_008,
    ]);
  });

  test('of a deployment of an unlinked user, or of an unknown one, is a 404', async () => {
    const rival = await approvedBroker(hub);
    const theirs = await accessOf(hub, rival);
    hub.takeCalls();
    const foreign = await performance(theirs);
    const calls = hub.takeCalls();
    const unknown = await performance(token, { ...deployment, deployment_id: 17 });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'deployment_unknown']);
    expect([unknown.text, hub.takeCalls()]).toEqual([foreign.text, calls]);
    const mismatched = await performance(token, { ...deployment, strategy_id: 18 });
    expect(mismatched.text).toBe(foreign.text);
  });
});

const deploymentIds = () => ({
  deployment_id: deployment.deployment_id,
  strategy_id: deployment.strategy_id,
});

test('no data of another broker’s user is returned', async () => {
  const rival = await approvedBroker(hub);
  const theirs = await accessOf(hub, rival);
  // A read of one broker is not remembered for another.
  await read(TRADES);
  for (const route of [SLIPPAGE, TRADES]) {
    hub.takeCalls();
    const known = await read(route, {}, theirs);
    const calls = hub.takeCalls();
    const nobody = await read(route, { user_email: 'nobody@example.com' }, theirs);
    expect([known.status, known.text]).toEqual([404, nobody.text]);
    expect(hub.takeCalls()).toEqual(calls);
  }
});
