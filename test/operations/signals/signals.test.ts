import { beforeEach, describe, expect, test } from '@jest/globals';
import { passSplit } from '../../../functions/engine/split/pass-split.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { withdrawSplit } from '../../../shared/lifecycle/declare-split.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import type { Response } from '../../support/hub.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
import { worker } from '../../support/hub-engine.ts';
import { runJob } from '../../support/jobs.ts';
import { signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const MINUTE = 60_000;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(2 * MINUTE));

type Owner = Awaited<ReturnType<typeof signedTrader>>;
type Json = Readonly<Record<string, unknown>>;

const about = ({ user_id, headers }: Owner, id: number) => ({
  query: { user_id, deployment_id: String(id) },
  headers,
});

const hookOf = async (owner: Owner, id: number): Promise<string> => {
  const { status, body } = await hub.call('POST /create_signal_hook', about(owner, id));
  expect(status).toBe(200);
  expect(body.url).toMatch(/\/hooks\/[0-9a-z]+-[\w-]{32}$/);
  return body.url.slice(body.url.lastIndexOf('/') + 1);
};

const send = (token: string, json: Json): Promise<Response> =>
  hub.call('POST /hooks/{token}', { params: { token }, json });

/** Returns a feed of bars of BTCUSD. */
const feedOf = (timeframe: '1m' | '5m' = '1m') => {
  const { engine } = worker(hub);
  const length = (timeframe === '1m' ? 1 : 5) * MINUTE;
  const minute = (): number => Math.floor(hub.runtime.clock().getTime() / length) * length;
  const put = (type: string, detail: Json) =>
    takeEngineEvent(engine, {
      'detail-type': type,
      source: 'test',
      time: hub.runtime.clock().toISOString(),
      detail: { version: 1, symbol: 'BTCUSD', timeframe, ...detail },
    });
  const bar = (start: number, price: number) =>
    put('Bar Closed', {
      ...{
        start: new Date(start).toISOString(),
        open: price,
        high: price,
        low: price,
        close: price,
        volume: 1,
      },
    });
  const close = async (price: number): Promise<void> => {
    const start = minute();
    hub.advance(length);
    await bar(start, price);
  };
  return { engine, minute, put, bar, close };
};

/** Makes a deployment with a hook that holds 10 BTCUSD, bought at 400. */
const holding = async ({ close }: ReturnType<typeof feedOf>) => {
  for (const timeframe of ['1m', '5m'] as const) {
    await removeSeries(hub.runtime.store, { ...BITCOIN, timeframe });
  }
  const owner = await signedTrader(hub, 'BTCUSD');
  const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  const token = await hookOf(owner, id);
  await close(400);
  const bought = await send(token, { action: 'buy', quantity: 10 });
  expect(bought.body.order).toMatchObject({ quantity: '10', price: '400' });
  const shown = async (): Promise<Response['body']> =>
    (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } })).body.items[0];
  return { owner, id, token, shown };
};

/** Makes a deployment with a hook. */
const hooked = async (kind: 'order' | 'notification' = 'order') => {
  const owner = await signedTrader(hub, 'AAPL,MSFT');
  const { body } =
    kind === 'order'
      ? await deployTrading(hub, owner.keygen)
      : await hub.call('POST /deploy_notification_strategy', {
          query: { keygen: owner.keygen },
          form: { frequency: 'every_signal' },
        });
  const id: number = body.deployment_id;
  return { owner, id, token: await hookOf(owner, id) };
};

const ordersOf = async ({ user_id }: Owner, id: number): Promise<Response['body'][]> => {
  const query = { user_id, deployment_id: String(id), size: '50' };
  return (await hub.call('GET /get_live_strategy_order_book', { query })).body.items;
};

const BUY = { action: 'buy', symbol: 'AAPL', quantity: 2, price: '101.5' };

describe('a signal to a paper deployment', () => {
  test('is an order that fills at its price, and closes with the opposite one', async () => {
    const { owner, id, token } = await hooked();
    hub.takeCalls();
    const bought = await send(token, BUY);
    expect(hub.takeCalls()).toHaveLength(3);
    expect(bought.body).toMatchObject({
      result: 'taken',
      order: { symbol: 'AAPL', side: 'buy', quantity: '2', price: '101.5' },
    });
    // The names of TradingView: a symbol with its exchange, numbers as text, other fields.
    const sold = await send(token, {
      action: 'SELL',
      symbol: 'NASDAQ:aapl',
      price: '110',
      interval: '15',
    });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: '2' });
    const [last, first] = await ordersOf(owner, id);
    expect(first).toMatchObject({ side: 'buy', status: 'filled', quantity: 2 });
    expect(last).toMatchObject({ side: 'sell', status: 'filled' });
    expect(await send(token, { action: 'close', symbol: 'AAPL', price: 1 })).toMatchObject({
      status: 409,
      body: { code: 'position_closed' },
    });
  });

  test.each([
    ['stop', 'stopped'],
    ['halt', 'halted'],
  ] as const)('keeps a position that a %s cannot close, and the owner is told', async (action, status) => {
    const { owner, id, token } = await hooked();
    await send(token, BUY);
    const command = { action, by: 'user', reason: 'test', flatten: true } as const;
    const commanded = await commandDeployment(hub.runtime, id, command);
    expect(commanded).toMatchObject({ deployment: { status } });
    await enterAll(hub);
    const { body } = await hub.call('GET /get_deployment_notifications', about(owner, id));
    const texts = body.items.map((one: { body: string }) => one.body).join('\n');
    expect(texts).toContain('Its positions stay open: it takes signals');
    const query = { user_id: owner.user_id };
    const listed = await hub.call(
      action === 'halt' ? 'GET /get_all_live_deployments_v2' : 'GET /get_live_expired_strategies_v2',
      { query },
    );
    expect(listed.body.items).toMatchObject([{ deployment_id: id, status }]);
    const orders = await ordersOf(owner, id);
    expect(orders).toMatchObject([{ side: 'buy', status: 'filled' }]);
  });

  test('counts once within a minute, over its end, and as long as its time is the same', async () => {
    const { owner, id, token } = await hooked();
    const timed = { ...BUY, time: hub.runtime.clock().toISOString() };
    for (const [json, after] of [
      [BUY, 0],
      [timed, MINUTE],
    ] as const) {
      expect((await send(token, json)).body.result).toBe('taken');
      hub.advance(after || 40_000);
      expect((await send(token, json)).body).toEqual({ result: 'repeated', order: null, note: null });
      hub.advance(MINUTE);
    }
    expect(await ordersOf(owner, id)).toHaveLength(2);
    hub.advance(MINUTE);
    expect((await send(token, BUY)).body.result).toBe('taken');
    hub.advance(5 * MINUTE);
    expect(await send(token, timed)).toMatchObject({ status: 422 });
    expect(await ordersOf(owner, id)).toHaveLength(3);
  });

  test('reads numbers as texts and times as other programs write them', async () => {
    const { token } = await hooked();
    const orderOf = async (json: Json) => {
      const { status, body } = await send(token, { action: 'buy', symbol: 'AAPL', ...json });
      return status === 200 ? { ...body.order, note: body.note } : body.detail[0].loc;
    };
    expect(await orderOf({ quantity: '2E-05', price: ' 1e2 ' })).toMatchObject({
      quantity: '0.00002',
      price: '100',
      note: null,
    });
    expect(await orderOf({ quantity: 0.1 + 0.2, price: 1.05e-5 })).toMatchObject({
      quantity: '0.3',
      price: '0.0000105',
    });
    expect(await orderOf({ quantity: '0.0036000000000000003', price: 1 })).toMatchObject({
      quantity: '0.0036',
      note: 'Rounded to 18 decimals: quantity.',
    });
    expect(await orderOf({ quantity: '1e', price: 1 })).toEqual(['body', 'quantity']);
    const local = new Date(hub.runtime.clock().getTime() - 5 * 3_600_000)
      .toISOString()
      .replace('Z', '-05:00');
    expect(await orderOf({ quantity: 1, price: 1, time: local })).toMatchObject({ quantity: '1' });
    expect(await orderOf({ quantity: 1, price: 1, time: '2026-02-30T10:00:00Z' })).toEqual(['body', 'time']);
    const message = `of\nlines ${'x'.repeat(1200)}`;
    expect(await orderOf({ quantity: 3, price: 1, message })).toMatchObject({ quantity: '3' });
  });

  test('takes parallel repeats once', async () => {
    const { owner, id, token } = await hooked();
    const all = await Promise.all(Array.from({ length: 5 }, () => send(token, BUY)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(all.filter(({ body }) => body.result === 'taken')).toHaveLength(1);
    expect(await ordersOf(owner, id)).toHaveLength(1);
  });

  test("fills at the close of the hub's candles while it is new", async () => {
    const { token } = await hooked();
    const now = Math.floor(hub.runtime.clock().getTime() / MINUTE) * MINUTE;
    const bar = { start: now - MINUTE, open: 99, high: 99, low: 99, close: 99, volume: 1 };
    const facts = { timeframe: '1m', asset_class: 'equity', calendar: 'us' } as const;
    await appendBars(
      hub.runtime.store,
      { ...facts, symbol: 'MSFT', source: 'test', adjustment: 'none' },
      columnsOf([bar]),
    );
    const cheap = { action: 'buy', symbol: 'MSFT', quantity: 1, price: 1 };
    expect((await send(token, cheap)).body.order).toMatchObject({ price: '99' });
    hub.advance(16 * MINUTE);
    expect((await send(token, cheap)).body.order).toMatchObject({ price: '1' });
    expect(await send(token, { ...cheap, price: undefined })).toMatchObject({ status: 422 });
  });

  test.each([
    { days: 0, ratio: '4:1', held: 10, before: 400, restated: 40, price: 100 },
    { days: 1, ratio: '4:1', held: 10, before: 400, restated: 40, price: 100 },
    { days: 3, ratio: '4:1', held: 10, before: 400, restated: 40, price: 100 },
    { days: 1, ratio: '1:4', held: 40, before: 100, restated: 10, price: 400 },
    { days: 3, ratio: '1:4', held: 40, before: 100, restated: 10, price: 400 },
  ])('$days days after a split of $ratio closes what it opened, in new units', async (one) => {
    const { days, ratio, held, before, restated, price } = one;
    await removeSeries(hub.runtime.store, { ...BITCOIN, timeframe: '1m' });
    const owner = await signedTrader(hub, 'BTCUSD');
    const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
    const token = await hookOf(owner, id);
    const { minute, put, close } = feedOf();
    const nextDay = async (): Promise<void> => {
      hub.advance(24 * 60 * MINUTE);
      await close(price);
      await runJob(hub.runtime, { job: 'close-equity-days' });
    };
    await close(before);
    const bought = await send(token, { action: 'buy', quantity: held });
    expect(bought.body.order).toMatchObject({ quantity: `${held}`, price: `${before}` });
    hub.advance(MINUTE);
    await put('Split Declared', { ratio, at: new Date(minute()).toISOString() });
    await close(price);
    for (let day = 0; day < days; day++) await nextDay();
    const more = await send(token, { action: 'buy', quantity: 4 });
    expect(more.body.order).toMatchObject({ price: `${price}` });
    const shown = async (): Promise<Response['body']> =>
      (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } })).body
        .items[0];
    expect((await shown()).positions).toMatchObject([{ quantity: restated + 4, average_price: price }]);
    await nextDay();
    const sold = await send(token, { action: 'close' });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: `${restated + 4}`, price: `${price}` });
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 0 });
    await nextDay();
    const query = { user_id: owner.user_id, deployment_id: String(id) };
    const performance = await hub.call('GET /get_deployment_performance', { query });
    const curve: { equity: number }[] = performance.body.equity_curve;
    expect(new Set(curve.map(({ equity }) => equity))).toEqual(new Set([10_000]));
    const { body } = await hub.call('GET /get_audit_trail', { query: { user_id: owner.user_id } });
    const splits = body.items.filter(({ action }: { action: string }) => action === 'split_booked');
    expect(splits).toMatchObject([
      { details: { quantity_before: `${held}`, quantity_after: `${restated}` } },
    ]);
  });

  test('is not in new units while a split is done and its first bar is not there', async () => {
    const feed = feedOf();
    const { token, shown } = await holding(feed);
    await feed.close(404);
    const last = feed.minute() - MINUTE;
    await feed.put('Split Declared', { ratio: '4:1', at: new Date(feed.minute()).toISOString() });
    const [series] = await findSeries(hub.runtime.store, 'BTCUSD', ['1m']);
    expect(series && (await passSplit(feed.engine, series))).toBe(true);
    // Events may be delivered again.
    await feed.bar(last, 404);
    expect((await shown()).positions).toMatchObject([{ quantity: 10, last_price: 404 }]);
    expect(await shown()).toMatchObject({ total_pnl: 40 });
    await feed.close(101);
    expect((await shown()).positions).toMatchObject([{ quantity: 10, last_price: 404 }]);
    const sold = await send(token, { action: 'close' });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: '40', price: '101' });
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 40 });
  });

  test.each([
    { name: "the hub's own", later: 0, price: undefined },
    { name: "the sender's", later: 5, price: '100' },
  ])('at $name price between the time of a split and its first bar is in new units', async (given) => {
    const feed = feedOf();
    const { token, shown } = await holding(feed);
    const at = new Date(feed.minute() + MINUTE).toISOString();
    await feed.put('Split Declared', { ratio: '4:1', at });
    hub.advance((1 + given.later) * MINUTE);
    const bought = await send(token, { action: 'buy', quantity: 4, price: given.price });
    expect(bought.body.order).toMatchObject({ quantity: '4', price: '100' });
    expect((await shown()).positions).toMatchObject([{ quantity: 44, average_price: 100 }]);
    hub.advance(MINUTE);
    await feed.close(101);
    expect((await shown()).positions).toMatchObject([{ quantity: 44, last_price: 101 }]);
    const sold = await send(token, { action: 'close' });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: '44', price: '101' });
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 44 });
  });

  test('is in old units before a split that is declared, and after one that was withdrawn', async () => {
    const feed = feedOf();
    const { token, shown } = await holding(feed);
    const at = new Date(feed.minute() + MINUTE).toISOString();
    await feed.put('Split Declared', { ratio: '4:1', at });
    const one = { action: 'buy', quantity: 1 };
    expect((await send(token, one)).body.order).toMatchObject({ price: '400' });
    const [series] = await findSeries(hub.runtime.store, 'BTCUSD', ['1m']);
    expect(series && (await withdrawSplit(hub.runtime.store, series))).toMatchObject({ units: 4, of: 1 });
    hub.advance(2 * MINUTE);
    expect((await send(token, { ...one, price: '1' })).body.order).toMatchObject({ price: '400' });
    expect((await shown()).positions).toMatchObject([{ quantity: 12, average_price: 400 }]);
  });

  test('of several that opened a position is closed by hand in new units after a split', async () => {
    const feed = feedOf();
    const { owner, id, token, shown } = await holding(feed);
    hub.advance(1000);
    expect((await send(token, { action: 'buy', quantity: 5 })).status).toBe(200);
    hub.advance(MINUTE);
    await feed.put('Split Declared', { ratio: '4:1', at: new Date(feed.minute()).toISOString() });
    await feed.close(100);
    const [last] = await ordersOf(owner, id);
    const query = { user_id: owner.user_id, order_id: String(last?.order_id), close_value: '101' };
    expect((await hub.call('POST /update_live_trade', { query })).status).toBe(200);
    expect((await shown()).positions).toMatchObject([{ quantity: 40, average_price: 100 }]);
    expect(await shown()).toMatchObject({ realized_pnl: 20 });
    const { body } = await hub.call('GET /get_audit_trail', { query: { user_id: owner.user_id } });
    expect(body.items[0]).toMatchObject({ action: 'split_booked' });
    hub.advance(1000);
    const sold = await send(token, { action: 'close' });
    expect(sold.body.order).toMatchObject({ quantity: '40', price: '100' });
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 20 });
  });

  test('of an engine outside is closed by hand in the units of its reports', async () => {
    const feed = feedOf();
    await removeSeries(hub.runtime.store, { ...BITCOIN, timeframe: '1m' });
    const owner = await signedTrader(hub, 'BTCUSD');
    const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
    await feed.close(400);
    const bought = { symbol: 'BTCUSD', quantity: '10', average_price: '400' };
    await reportOrder(hub, id, { ...bought, client_order_id: 'first' });
    hub.advance(1000);
    await reportOrder(hub, id, { ...bought, client_order_id: 'second' });
    hub.advance(MINUTE);
    await feed.put('Split Declared', { ratio: '4:1', at: new Date(feed.minute()).toISOString() });
    await feed.close(101);
    const query = { user_id: owner.user_id };
    const shown = async (): Promise<Response['body']> =>
      (await hub.call('GET /get_all_live_deployments_v2', { query })).body.items[0];
    expect((await shown()).positions).toMatchObject([{ quantity: 20, last_price: 404 }]);
    const [last] = await ordersOf(owner, id);
    const closed = await hub.call('POST /update_live_trade', {
      query: { ...query, order_id: String(last?.order_id), close_value: '404' },
    });
    expect(closed.status).toBe(200);
    expect(await shown()).toMatchObject({
      positions: [{ quantity: 10, average_price: 400 }],
      realized_pnl: 40,
    });
  });

  test('is in the units of a series that begins after a split of another one', async () => {
    const feed = feedOf();
    const { token, shown } = await holding(feed);
    hub.advance(MINUTE);
    await feed.put('Split Declared', { ratio: '4:1', at: new Date(feed.minute()).toISOString() });
    await feed.close(101);
    hub.advance(10 * MINUTE - (hub.runtime.clock().getTime() % (5 * MINUTE)));
    await feedOf('5m').close(102);
    expect((await shown()).positions).toMatchObject([{ quantity: 10, last_price: 408 }]);
    const sold = await send(token, { action: 'close' });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: '40', price: '102' });
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 80 });
  });

  test('that is the first one after a split, and loses what a limit allows, is in the audit trail as such', async () => {
    const feed = feedOf();
    const { owner, id, token } = await holding(feed);
    await setDeploymentLimits(hub.runtime, id, owner.user_id, { daily_loss: '100' }, undefined);
    hub.advance(MINUTE);
    await feed.put('Split Declared', { ratio: '4:1', at: new Date(feed.minute()).toISOString() });
    await feed.close(90);
    const sold = await send(token, { action: 'close' });
    expect(sold.body.order).toMatchObject({ quantity: '40', price: '90' });
    const { body } = await hub.call('GET /get_audit_trail', { query: { user_id: owner.user_id } });
    expect(body.items[0]).toMatchObject({ action: 'risk_limit_tripped', details: { limit: 'daily_loss' } });
    await enterAll(hub);
    const news = await hub.call('GET /get_deployment_notifications', { query: { user_id: owner.user_id } });
    const kinds: string[] = news.body.items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['split', 'risk_tripped']));
  });

  test('at a price of the sender, or closed by hand, does not show on the cards of the strategy', async () => {
    const { owner, token } = await hooked();
    const { user_id, strategy_id, keygen } = owner;
    const card = async (): Promise<Response['body']> => {
      await enterAll(hub);
      const query = { user_id, strategy_ids: String(strategy_id) };
      return (await hub.call('GET /get_strategies_performance_metrics', { query })).body.metrics[0];
    };
    expect((await send(token, { ...BUY, price: 1 })).status).toBe(200);
    hub.advance(1000);
    expect((await send(token, { action: 'close', symbol: 'AAPL', price: 1000 })).status).toBe(200);
    expect(await card()).toMatchObject({ trades_count: 0, total_return_pct: null });
    const { deployment_id: run } = (await deployTrading(hub, keygen)).body;
    await report(hub, 'Deployment Started', run);
    await reportOrder(hub, run, { client_order_id: 'bought' });
    const [{ order_id }] = await ordersOf(owner, run);
    const closing = { user_id, order_id: String(order_id), close_value: '1000' };
    expect((await hub.call('POST /update_live_trade', { query: closing })).status).toBe(200);
    expect(await card()).toMatchObject({ trades_count: 0, total_return_pct: null });
    const { deployment_id: honest } = (await deployTrading(hub, keygen)).body;
    await report(hub, 'Deployment Started', honest);
    await reportOrder(hub, honest, { client_order_id: 'in' });
    hub.advance(1000);
    await reportOrder(hub, honest, { client_order_id: 'out', side: 'sell', average_price: '101' });
    expect(await card()).toMatchObject({ trades_count: 1, win_rate_pct: 100 });
  });

  test.each([
    ['an unknown action', { action: 'hold' }],
    ['a symbol of another deployment', { symbol: 'BTCUSD' }],
    ['no symbol where there are several', { symbol: undefined }],
    ['a quantity of zero', { quantity: 0 }],
    ['a price that is no number', { price: 'NaN' }],
    ['no quantity to open with', { quantity: undefined }],
  ])('is 422 for %s', async (_, change) => {
    const { owner, id, token } = await hooked();
    expect(await send(token, { ...BUY, ...change })).toMatchObject({ status: 422 });
    expect(await ordersOf(owner, id)).toEqual([]);
  });

  test('places nothing while the deployment is paused, the switch is thrown or a limit forbids it', async () => {
    const { owner, id, token } = await hooked();
    await setDeploymentLimits(hub.runtime, id, owner.user_id, { order_value: '150' }, undefined);
    expect(await send(token, BUY)).toMatchObject({ status: 409, body: { code: 'risk_limit' } });
    expect(await send(token, { ...BUY, quantity: 1 })).toMatchObject({ status: 200 });
    expect(await send(token, { action: 'close', symbol: 'AAPL', price: 300 })).toMatchObject({ status: 200 });
    const paused = await hub.call('POST /pause_deployment', about(owner, id));
    expect(paused.status).toBe(200);
    const small = { ...BUY, quantity: 0.5 };
    expect(await send(token, small)).toMatchObject({ body: { code: 'state_conflict' } });
    await hub.call('POST /resume_deployment', about(owner, id));
    // Nothing has halted the deployment yet.
    await switchOwn(hub, owner, 'throw');
    expect(await send(token, small)).toMatchObject({ body: { code: 'kill_switch' } });
    expect(await ordersOf(owner, id)).toHaveLength(2);
  });

  test('takes 30 a minute', async () => {
    const { owner, id, token } = await hooked();
    await hub.runtime.store.transact([
      {
        key: keys.signalHook(id),
        set: { minute: Math.floor(hub.runtime.clock().getTime() / MINUTE), in_minute: 29 },
      },
    ]);
    expect((await send(token, BUY)).status).toBe(200);
    const refused = await send(token, { ...BUY, quantity: 3 });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_signals' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    hub.advance(MINUTE);
    expect((await send(token, { ...BUY, quantity: 3 })).status).toBe(200);
    expect(await ordersOf(owner, id)).toHaveLength(2);
  });
});

test('a signal to a notification deployment notifies its owner once', async () => {
  const { owner, token } = await hooked('notification');
  const json = { action: 'buy', symbol: 'AAPL', price: 99.5, message: 'Crossed up.' };
  expect((await send(token, json)).body).toEqual({ result: 'taken', order: null, note: null });
  expect((await send(token, json)).body).toEqual({ result: 'repeated', order: null, note: null });
  expect(await send(token, { action: 'close', symbol: 'AAPL' })).toMatchObject({ status: 422 });
  const { body } = await hub.call('GET /get_deployment_notifications', {
    query: { user_id: owner.user_id },
  });
  expect(body.items).toMatchObject([
    { kind: 'signal_buy', symbol: 'AAPL', body: 'Crossed up.' },
    { kind: 'signal_hook_created' },
    { kind: 'deployment_started' },
  ]);
});

test('a signal with a long message of many lines notifies its owner', async () => {
  const { owner, token } = await hooked('notification');
  const message = `Crossed\r\nup. ${'x'.repeat(1200)}`;
  expect((await send(token, { ...BUY, message })).status).toBe(200);
  const { body } = await hub.call('GET /get_deployment_notifications', {
    query: { user_id: owner.user_id },
  });
  expect(body.items[0]).toMatchObject({ kind: 'signal_buy', body: `Crossed up. ${'x'.repeat(987)}…` });
});

test.each(['notification', 'order'] as const)(
  'signals of a day to a deployment (%s) send at most 100 e-mails',
  async (kind) => {
    const owner = await signedTrader(hub, 'AAPL,MSFT');
    const verified = { key: keys.user(owner.user_id), set: { email_verified: true } };
    await hub.runtime.store.transact([verified]);
    const form = { channels: 'email', ...(kind === 'notification' && { frequency: 'every_signal' }) };
    const { body } =
      kind === 'order'
        ? await deployTrading(hub, owner.keygen, form)
        : await hub.call('POST /deploy_notification_strategy', { query: { keygen: owner.keygen }, form });
    const id: number = body.deployment_id;
    const token = await hookOf(owner, id);
    const day = hub.runtime.clock().toISOString().slice(0, 10);
    await hub.runtime.store.transact([
      { key: keys.deployment(id), set: { sent: { day, email: 99, sms: 0 } } },
    ]);
    for (const action of ['buy', 'sell', 'buy']) {
      expect((await send(token, { ...BUY, action })).status).toBe(200);
      await enterAll(hub);
    }
    const mails = (await outbox(hub)).filter(
      ({ message }) =>
        message?.kind === 'notification_mail' &&
        message.to === owner.email &&
        message.group !== 'security' &&
        !message.title.endsWith('is running'),
    );
    expect(mails).toHaveLength(1);
  },
);

describe('the address for signals', () => {
  test('is for the session of the owner', async () => {
    const { owner, id } = await hooked();
    const other = await signedTrader(hub, 'AAPL,MSFT');
    const { query } = about(owner, id);
    for (const route of ['POST /create_signal_hook', 'GET /get_signal_hook', 'POST /revoke_signal_hook']) {
      expect(await hub.call(route, { query })).toMatchObject({ body: { code: 'session_required' } });
      expect(await hub.call(route, { query, headers: other.headers })).toMatchObject({
        body: { code: 'session_mismatch' },
      });
      expect(await hub.call(route, about(other, id))).toMatchObject({ body: { code: 'deployment_unknown' } });
    }
  });

  test('is replaced by a new one, and revoked, at once', async () => {
    const { owner, id, token } = await hooked();
    const second = await hookOf(owner, id);
    const gone = { status: 404, body: { code: 'hook_unknown' } };
    expect(await send(token, BUY)).toMatchObject(gone);
    expect(await send(second, BUY)).toMatchObject({ status: 200 });
    const shown = await hub.call('GET /get_signal_hook', about(owner, id));
    expect(shown.body).toMatchObject({ deployment_id: id, effect: 'order' });
    expect(shown.text).not.toContain(second.slice(-20));
    expect(await hub.call('POST /revoke_signal_hook', about(owner, id))).toMatchObject({ status: 200 });
    expect(await send(second, { ...BUY, quantity: 1 })).toMatchObject(gone);
    expect(await hub.call('GET /get_signal_hook', about(owner, id))).toMatchObject(gone);
    for (const wrong of ['none', `${id.toString(36)}-${'x'.repeat(32)}`, `0-${'x'.repeat(32)}`]) {
      expect(await send(wrong, BUY)).toMatchObject(gone);
    }
  });

  test('is in the audit trail of its deployment', async () => {
    const { owner, id } = await hooked();
    const trail = await hub.call('GET /get_audit_trail', about(owner, id));
    expect(trail.body.items).toMatchObject([
      { action: 'signal_hook_created', by: 'user', deployment_id: id },
    ]);
  });

  test('is not made unseen by the owner, as it stays after a password reset', async () => {
    const { owner, id } = await hooked();
    await enterAll(hub);
    const { query, headers } = about(owner, id);
    const { body, text } = await hub.call('GET /get_deployment_notifications', { query, headers });
    const made = { kind: 'signal_hook_created', severity: 'warning', deployment_id: id };
    expect(body.items).toContainEqual(expect.objectContaining(made));
    expect(text).not.toContain('/hooks/');
  });

  test('is stored as a hash only', async () => {
    const { id, token } = await hooked();
    const items = await hub.runtime.store.getMany([keys.signalHook(id)], { consistent: true });
    expect(JSON.stringify(items)).not.toContain(token.slice(token.indexOf('-') + 1));
  });

  test('is refused to deployments that an engine or rules run, scanners and ended ones', async () => {
    const owner = await signedTrader(hub, 'AAPL,MSFT');
    const deploy = async () => (await deployTrading(hub, owner.keygen)).body.deployment_id as number;
    const [run, ended] = [await deploy(), await deploy()];
    await report(hub, 'Deployment Started', run);
    const make = (by: Owner, id: number) => hub.call('POST /create_signal_hook', about(by, id));
    expect(await make(owner, run)).toMatchObject({ status: 409, body: { code: 'engine_external' } });
    await hub.call('POST /undeploy_live_strategy', about(owner, ended));
    expect(await make(owner, ended)).toMatchObject({ body: { code: 'state_conflict' } });
    const single = await signedTrader(hub);
    const scanner = await hub.call('POST /deploy_scanner', {
      query: { keygen: single.keygen, universe_id: 'forex-majors' },
    });
    expect(await make(single, scanner.body.deployment_id)).toMatchObject({
      body: { code: 'strategy_unsuitable' },
    });
  });
});
