import { beforeEach, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import type { Response } from '../../support/hub.ts';
import { commandEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { runJob } from '../../support/jobs.ts';
import { signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, report } from '../../support/trading.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FREE = { commission_rate: '0', slippage_rate: '0', financing: 'none' };

const hub = await openHub(furnishWithInstruments);
const on = worker(hub);
beforeEach(() => hub.advance(2 * MINUTE));

type Owner = Awaited<ReturnType<typeof signedTrader>>;
type Json = Readonly<Record<string, unknown>>;

const about = ({ user_id, headers }: Owner, id: number) => ({
  query: { user_id, deployment_id: String(id) },
  headers,
});

const hookOf = async (
  owner: Owner,
  id: number,
  form: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { status, body } = await hub.call('POST /create_signal_hook', { ...about(owner, id), form });
  expect(status).toBe(200);
  expect(body.url).toMatch(/\/hooks\/[0-9a-z]+-[\w-]{32}$/);
  return body.url.slice(body.url.lastIndexOf('/') + 1);
};

const send = (token: string, json: Json): Promise<Response> =>
  hub.call('POST /hooks/{token}', { params: { token }, json });

const ordersOf = async ({ user_id }: Owner, id: number): Promise<Response['body'][]> => {
  const query = { user_id, deployment_id: String(id), size: '50' };
  return (await hub.call('GET /get_live_strategy_order_book', { query })).body.items;
};

/** Sends the bar of a minute of BTCUSD. */
const put = (type: string, detail: Json) =>
  takeEngineEvent(on.engine, {
    'detail-type': type,
    source: 'test',
    time: hub.runtime.clock().toISOString(),
    detail: { version: 1, symbol: 'BTCUSD', timeframe: '1m', ...detail },
  });

const minute = (): number => Math.floor(hub.runtime.clock().getTime() / MINUTE) * MINUTE;

type Prices = readonly [open: number, high: number, low: number, close: number];
const flat = (price: number): Prices => [price, price, price, price];

/** Passes the current minute and sends its bar. */
const pass = async ([open, high, low, close]: Prices): Promise<void> => {
  const start = new Date(minute()).toISOString();
  hub.advance(minute() + MINUTE - hub.runtime.clock().getTime() + 1000);
  await put('Bar Closed', { start, open, high, low, close, volume: 1 });
};

/** Makes a deployment of BTCUSD that takes signals, after a bar at 400. */
const signalled = async (form: Readonly<Record<string, string>> = FREE) => {
  await pass(flat(400));
  const owner = await signedTrader(hub, 'BTCUSD');
  const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  const token = await hookOf(owner, id, form);
  await startEngine(on, id);
  const order = async (json: Json): Promise<Response> => {
    const answer = await send(token, json);
    await commandEngine(on, id);
    return answer;
  };
  const shown = async (): Promise<Response['body']> =>
    (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } })).body.items[0];
  return { owner, id, token, order, shown };
};

/** Makes a deployment with a hook. Its symbols have no candles. */
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

const BUY = { action: 'buy', symbol: 'AAPL', quantity: 2, price: '101.5' };

describe('an order of a signal', () => {
  test('fills at the open of the first bar that begins after its arrival, not at a price known before', async () => {
    const { owner, id, order, shown } = await signalled();
    const taken = await order({ action: 'buy', quantity: 10, price: '1' });
    expect(taken.body).toMatchObject({
      result: 'taken',
      order: { symbol: 'BTCUSD', side: 'buy', quantity: '10', price: '1' },
    });
    expect(await ordersOf(owner, id)).toMatchObject([{ status: 'open', filled_quantity: 0 }]);
    const explained = await hub.call('GET /get_deployment_engine', about(owner, id));
    const waits_for = expect.stringMatching(/^waits for the first bar from .* on to buy 10$/);
    expect(explained.body.symbols).toMatchObject([{ symbol: 'BTCUSD', waits_for }]);
    expect(explained.body.rules).toBeNull();
    // This bar began before the signal arrived.
    await pass([300, 500, 300, 450]);
    expect(await ordersOf(owner, id)).toMatchObject([{ status: 'open' }]);
    await pass([460, 480, 440, 470]);
    expect(await ordersOf(owner, id)).toMatchObject([
      { status: 'filled', average_price: 460, filled_quantity: 10, expected_price: 1 },
    ]);
    expect((await shown()).positions).toMatchObject([{ quantity: 10, average_price: 460 }]);
    // The names of TradingView: a symbol with its exchange, numbers as text, other fields.
    const sold = await order({ action: 'SELL', symbol: 'BINANCE:btcusd', price: '110', interval: '1' });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: '10' });
    await pass(flat(470));
    await pass([475, 480, 470, 471]);
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 150 });
    expect((await order({ action: 'close', price: 1 })).body.code).toBe('position_closed');
  });

  test('makes no result by the prices of its sender', async () => {
    const { order, shown } = await signalled();
    await order({ action: 'buy', quantity: 25, price: '0.01' });
    await pass(flat(400));
    await pass(flat(400));
    await order({ action: 'close', price: '1000000' });
    await pass(flat(400));
    await pass(flat(400));
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 0, total_pnl: 0 });
  });

  test('beyond what the account pays for is cancelled with the reason, with any margin', async () => {
    for (const [margin, most] of [
      ['1', 25],
      ['0.5', 50],
    ] as const) {
      const { owner, id, order, shown } = await signalled({ ...FREE, margin });
      await order({ action: 'buy', quantity: most + 1 });
      await order({ action: 'buy', quantity: most });
      await pass(flat(400));
      await pass(flat(400));
      const [second, first] = await ordersOf(owner, id);
      expect(first).toMatchObject({
        status: 'cancelled',
        status_message: 'the account cannot pay for the order',
        filled_quantity: 0,
      });
      expect(second).toMatchObject({ status: 'filled', filled_quantity: most });
      expect((await shown()).positions).toMatchObject([{ quantity: most }]);
    }
  });

  test('pays the costs of its class, unless the owner sets others', async () => {
    const { owner, id, order } = await signalled({});
    await order({ action: 'buy', quantity: 10 });
    await pass(flat(400));
    await pass(flat(400));
    const [bought] = await ordersOf(owner, id);
    // Crypto: 0.05 % of slippage and 0.1 % of commission.
    expect(bought).toMatchObject({ average_price: 400.2, fees: 4 });
    const again = { ...about(owner, id), form: FREE };
    expect((await hub.call('POST /create_signal_hook', again)).status).toBe(422);
  });

  test('is liquidated within a bar, and orders after ruin are cancelled', async () => {
    const { owner, id, order } = await signalled({ ...FREE, margin: '0.1' });
    await order({ action: 'buy', quantity: 250 });
    await pass(flat(400));
    await pass([400, 400, 100, 390]);
    const [liquidated, bought] = await ordersOf(owner, id);
    expect(bought).toMatchObject({ status: 'filled', average_price: 400 });
    expect(liquidated).toMatchObject({ side: 'sell', status: 'filled', average_price: 360 });
    expect(liquidated.status_message).toContain('liquidated');
    expect((await order({ action: 'buy', quantity: 1 })).status).toBe(200);
    await pass(flat(400));
    await pass(flat(400));
    const [after] = await ordersOf(owner, id);
    expect(after).toMatchObject({ status: 'cancelled', filled_quantity: 0 });
  });

  test('closes what is held against it and opens the rest; a close counts the orders that wait', async () => {
    const { order, shown } = await signalled();
    await order({ action: 'buy', quantity: 4 });
    hub.advance(1000);
    const closing = await order({ action: 'close' });
    expect(closing.body.order).toMatchObject({ side: 'sell', quantity: '4' });
    await pass(flat(400));
    await pass(flat(410));
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 0 });
    await order({ action: 'buy', quantity: 3 });
    await pass(flat(410));
    await pass(flat(410));
    await order({ action: 'sell', quantity: 5 });
    await pass(flat(410));
    await pass(flat(420));
    expect(await shown()).toMatchObject({
      positions: [{ side: 'short', quantity: 2, average_price: 420 }],
      realized_pnl: 30,
    });
  });

  test('is decided by any worker alike, also after a crash between its booking and its account', async () => {
    const { owner, id, order, shown } = await signalled();
    await order({ action: 'buy', quantity: 2 });
    await pass(flat(400));
    const start = new Date(minute()).toISOString();
    hub.advance(MINUTE);
    const bar = { start, open: 405, high: 405, low: 405, close: 405, volume: 1 };
    await put('Bar Closed', bar);
    await takeEngineEvent(worker(hub).engine, {
      'detail-type': 'Bar Closed',
      source: 'test',
      time: hub.runtime.clock().toISOString(),
      detail: { version: 1, symbol: 'BTCUSD', timeframe: '1m', ...bar },
    });
    await commandEngine(worker(hub), id);
    expect(await ordersOf(owner, id)).toHaveLength(1);
    expect((await shown()).positions).toMatchObject([{ quantity: 2, average_price: 405 }]);
  });

  test('that arrives before the engine has opened the account waits as well', async () => {
    await pass(flat(400));
    const owner = await signedTrader(hub, 'BTCUSD');
    const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
    const token = await hookOf(owner, id, FREE);
    expect((await send(token, { action: 'buy', quantity: 1 })).status).toBe(200);
    await commandEngine(on, id);
    await startEngine(on, id);
    await pass(flat(400));
    await pass(flat(411));
    expect(await ordersOf(owner, id)).toMatchObject([{ status: 'filled', average_price: 411 }]);
  });

  test('expires without a price, and no later bar fills it', async () => {
    const { owner, id, token } = await hooked();
    await startEngine(on, id);
    expect((await send(token, BUY)).body.order).toMatchObject({ price: '101.5' });
    await commandEngine(on, id);
    hub.advance(9 * DAY);
    await runJob(hub.runtime, { job: 'expire-deployments' });
    expect(await ordersOf(owner, id)).toMatchObject([{ status: 'open' }]);
    hub.advance(DAY + MINUTE);
    await runJob(hub.runtime, { job: 'expire-deployments' });
    const expired = [{ status: 'expired', status_message: 'no price arrived in time', filled_quantity: 0 }];
    expect(await ordersOf(owner, id)).toMatchObject(expired);
    await commandEngine(on, id);
    const bar = { open: 9, high: 9, low: 9, close: 9, volume: 1 };
    const old = Math.floor((hub.runtime.clock().getTime() - 9 * DAY) / DAY) * DAY + 15 * 60 * MINUTE;
    for (const start of [old, old + MINUTE]) {
      await put('Bar Closed', { ...bar, symbol: 'AAPL', start: new Date(start).toISOString() });
    }
    expect(await ordersOf(owner, id)).toMatchObject(expired);
    expect((await send(token, { action: 'close', symbol: 'AAPL' })).body.code).toBe('position_closed');
  });

  test('leaves what it opened to a pause, a stop and the owner as other paper accounts', async () => {
    const { owner, id, order, shown } = await signalled();
    await order({ action: 'buy', quantity: 2 });
    await pass(flat(400));
    await pass(flat(400));
    const [bought] = await ordersOf(owner, id);
    await order({ action: 'buy', quantity: 1 });
    await hub.call('POST /pause_deployment', about(owner, id));
    await commandEngine(on, id);
    await pass(flat(400));
    await pass(flat(400));
    const [paused] = await ordersOf(owner, id);
    expect(paused).toMatchObject({ status: 'cancelled', status_message: 'the deployment is paused' });
    const query = { user_id: owner.user_id, order_id: String(bought.order_id), close_value: '450' };
    expect((await hub.call('POST /update_live_trade', { query })).status).toBe(200);
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 100 });
    await hub.call('POST /resume_deployment', about(owner, id));
    await order({ action: 'sell', quantity: 1 });
    await pass(flat(400));
    await pass(flat(400));
    expect((await shown()).positions).toMatchObject([{ side: 'short', quantity: 1 }]);
    await order({ action: 'sell', quantity: 1 });
    await commandDeployment(hub.runtime, id, { action: 'stop', by: 'user', reason: 'test', flatten: true });
    await commandEngine(on, id);
    const [, waiting] = await ordersOf(owner, id);
    expect(waiting).toMatchObject({ status: 'cancelled', status_message: 'the deployment has ended' });
    const ended = await hub.call('GET /get_live_expired_strategies_v2', {
      query: { user_id: owner.user_id },
    });
    expect(ended.body.items).toMatchObject([{ deployment_id: id, status: 'stopped' }]);
    expect(await hub.call('GET /get_parity', about(owner, id))).toMatchObject({
      status: 409,
      body: { code: 'engine_external' },
    });
  });

  test('before a split is cancelled, one after it is in new units, and a position is restated', async () => {
    const { order, shown, owner, id } = await signalled();
    await order({ action: 'buy', quantity: 10 });
    await pass(flat(400));
    await pass(flat(400));
    await order({ action: 'buy', quantity: 1 });
    await pass(flat(400));
    await put('Split Declared', { ratio: '4:1', at: new Date(minute()).toISOString() });
    await pass(flat(100));
    await pass(flat(100));
    expect((await shown()).positions).toMatchObject([{ quantity: 40, average_price: 100 }]);
    const [old] = await ordersOf(owner, id);
    expect(old).toMatchObject({
      status: 'cancelled',
      status_message: 'the units of the symbol changed before it could fill',
    });
    const sold = await order({ action: 'close' });
    expect(sold.body.order).toMatchObject({ side: 'sell', quantity: '40', price: '100' });
    await pass(flat(100));
    await pass(flat(101));
    expect(await shown()).toMatchObject({ positions: [], realized_pnl: 40 });
  });
});

describe('a signal to a paper deployment', () => {
  test('costs the reads of its deployment and of its market, and one transaction', async () => {
    const { token } = await hooked();
    hub.takeCalls();
    expect((await send(token, BUY)).status).toBe(200);
    expect(hub.takeCalls()).toHaveLength(3);
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
    expect(await orderOf({ quantity: '2E1', price: ' 1e2 ' })).toMatchObject({
      quantity: '20',
      price: '100',
      note: null,
    });
    expect(await orderOf({ quantity: 2.7, price: 1.05e-5 })).toMatchObject({
      quantity: '2',
      price: '0.0000105',
      note: 'Rounded down to steps of 1: quantity.',
    });
    expect(await orderOf({ quantity: '3.0036000000000000003', price: 1 })).toMatchObject({
      quantity: '3',
      note: 'Rounded to 18 decimals: quantity. Rounded down to steps of 1: quantity.',
    });
    expect(await orderOf({ quantity: 0.9, price: 1 })).toEqual(['body', 'quantity']);
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
    const MSFT = { ...BUY, symbol: 'MSFT' };
    await setDeploymentLimits(hub.runtime, id, owner.user_id, { limits: { position_value: '250' } });
    const limited = { status: 409, body: { code: 'risk_limit' } };
    expect(await send(token, { ...MSFT, quantity: 3 })).toMatchObject(limited);
    expect(await send(token, { ...MSFT, price: undefined })).toMatchObject(limited);
    expect(await send(token, { ...MSFT, quantity: 1 })).toMatchObject({ status: 200 });
    // An order that waits counts as a position.
    expect(await send(token, MSFT)).toMatchObject(limited);
    expect(await send(token, { action: 'close', symbol: 'MSFT', price: 300 })).toMatchObject({ status: 200 });
    const paused = await hub.call('POST /pause_deployment', about(owner, id));
    expect(paused.status).toBe(200);
    const small = { ...MSFT, quantity: 1, price: 20 };
    expect(await send(token, small)).toMatchObject({ body: { code: 'state_conflict' } });
    await hub.call('POST /resume_deployment', about(owner, id));
    // Nothing has halted the deployment yet.
    await switchOwn(hub, owner, 'throw');
    expect(await send(token, small)).toMatchObject({ body: { code: 'kill_switch' } });
    expect(await ordersOf(owner, id)).toHaveLength(2);
  });

  test('lets at most 50 orders wait', async () => {
    const { id, token } = await hooked();
    const [first] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
    expect(first).not.toHaveProperty('waiting');
    const waits = { symbol: 'AAPL', side: 'buy', quantity: '1', until: hub.runtime.clock().getTime() + DAY };
    const waiting = Array.from({ length: 49 }, (_, index) => ({ ...waits, client_order_id: `x${index}` }));
    await hub.runtime.store.transact([{ key: keys.deployment(id), set: { waiting } }]);
    expect((await send(token, BUY)).status).toBe(200);
    expect(await send(token, { ...BUY, quantity: 1 })).toMatchObject({ body: { code: 'signal_refused' } });
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

test('signals of a day to a deployment send at most 100 e-mails', async () => {
  const owner = await signedTrader(hub, 'AAPL,MSFT');
  const verified = { key: keys.user(owner.user_id), set: { email_verified: true } };
  await hub.runtime.store.transact([verified]);
  const { body } = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen: owner.keygen },
    form: { channels: 'email', frequency: 'every_signal' },
  });
  const id: number = body.deployment_id;
  const token = await hookOf(owner, id);
  const day = hub.runtime.clock().toISOString().slice(0, 10);
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { sent: { day, email: 99, sms: 0 } } }]);
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
});

/** Sends a text as TradingView sends a message that is no JSON. */
const sendText = (token: string, body: string): Promise<Response> =>
  hub.call('POST /hooks/{token}', {
    params: { token },
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });

describe('an alert that is no JSON', () => {
  /** Makes a deployment of two symbols that takes 1,000 units of one. */
  const texted = async () => {
    const owner = await signedTrader(hub, 'AAPL,BTCUSD');
    const id: number = (await deployTrading(hub, owner.keygen, { starting_capital: '10000000' })).body
      .deployment_id;
    return { owner, id, token: await hookOf(owner, id) };
  };

  test.each([
    ['buy 2 AAPL', { side: 'buy', symbol: 'AAPL', quantity: '2' }],
    ['BUY AAPL 2 189.5', { side: 'buy', symbol: 'AAPL', quantity: '2', price: '189.5' }],
    ['long 3 NASDAQ:AAPL @ 189.5', { side: 'buy', symbol: 'AAPL', quantity: '3', price: '189.5' }],
    ['Short 1 aapl @189.5', { side: 'sell', symbol: 'AAPL', quantity: '1', price: '189.5' }],
    ['sell BTC/USD qty=2', { side: 'sell', symbol: 'BTCUSD', quantity: '2' }],
    ['BINANCE:BTC-USD; buy; q=2', { side: 'buy', symbol: 'BTCUSD', quantity: '2' }],
    ['side=buy, ticker=AAPL, qty=4, price=189.5', { side: 'buy', quantity: '4', price: '189.5' }],
    ['action: sell\nsymbol: "AAPL"\nquantity: 5', { side: 'sell', quantity: '5' }],
    [
      'My strategy (9, 21): order sell @ 7 filled on AAPL. New strategy position is -7',
      { side: 'sell', symbol: 'AAPL', quantity: '7' },
    ],
    ['{"action": "buy", "symbol": "AAPL", "quantity": 6}', { side: 'buy', quantity: '6' }],
  ])('is read: %j', async (text, order) => {
    const { token } = await texted();
    const { status, body } = await sendText(token, text);
    expect([status, body.order]).toEqual([200, expect.objectContaining(order)]);
  });

  test.each(['exit AAPL', 'flat AAPL 189.5', 'close', 'exit long AAPL', 'CLOSELONG aapl', 'sell AAPL 189.5'])(
    'closes what is held: %j',
    async (text) => {
      const owner = await signedTrader(hub, 'AAPL');
      const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
      const token = await hookOf(owner, id);
      await sendText(token, 'buy 2 AAPL');
      expect((await sendText(token, 'exit short AAPL')).body.code).toBe('position_closed');
      expect((await sendText(token, text)).body.order).toMatchObject({ side: 'sell', quantity: '2' });
    },
  );

  test.each([
    '',
    'Crossing 189.50',
    'Do not buy AAPL today',
    'buy AAPL 1,000',
    'buy 189.5',
    'buy symbol=AAPL 2',
    'buy AAPL sl=300 qty=2',
    'buy AAPL qty=2 qty=3',
    'buy sell AAPL 2 1',
    'buy 2 AAPL 1 3',
    'buy AAPL constructor=2',
    '{"action": "buy"',
    '["buy"]',
    `${'['.repeat(200)}`,
    'buy 2 MSFT',
  ])('is refused if it may mean something else: %j', async (text) => {
    const { owner, id, token } = await texted();
    expect((await sendText(token, text)).status).toBe(422);
    expect(await ordersOf(owner, id)).toEqual([]);
  });

  test('counts once, by its id for as long as it is known', async () => {
    const { owner, id, token } = await texted();
    const time = () => hub.runtime.clock().toISOString();
    expect((await sendText(token, `buy 2 AAPL id=a1 time=${time()}`)).body.result).toBe('taken');
    hub.advance(10 * MINUTE);
    expect((await sendText(token, `buy 3 AAPL id=a1 time=${time()}`)).body.result).toBe('repeated');
    expect((await sendText(token, `buy 3 AAPL id=a2 time=${time()}`)).body.result).toBe('taken');
    expect(await ordersOf(owner, id)).toHaveLength(2);
  });
});

describe('refused alerts', () => {
  const refusedOf = async (owner: Owner, id: number): Promise<Response['body'][]> =>
    (await hub.call('GET /get_signal_hook', about(owner, id))).body.refused;

  test('are listed with reason and text, newest first, without what may be a secret', async () => {
    const { owner, id, token } = await hooked();
    await sendText(token, 'hello AAPL');
    await send(token, { action: 'buy', symbol: 'TSLA', quantity: 1, password: 'hunter2' });
    await sendText(
      token,
      `MyPassword\nbuy AAPL token=${'x1'.repeat(4)} {{strategy.order.contracts}} ${'a9'.repeat(16)}`,
    );
    await hub.call('POST /pause_deployment', about(owner, id));
    await send(token, BUY);
    await hub.call('POST /hooks/{token}', {
      params: { token },
      body: '{"action"',
      headers: { 'content-type': 'application/json' },
    });
    const refused = await refusedOf(owner, id);
    expect(refused.map(({ code }) => code)).toEqual([
      'invalid',
      'state_conflict',
      'invalid',
      'invalid',
      'invalid',
    ]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('body'),
      'The deployment is paused and takes no signals.',
      'body: a named field is not one of a signal',
      'body.symbol: symbol is not one of the deployment',
      'body: the text names no action, such as buy, sell or exit',
    ]);
    expect(refused[2].text).toBe('… buy AAPL token=… {{strategy.order.contracts}} …');
    expect(refused[3].text).toBe('{"action":"buy","symbol":"TSLA","quantity":1,"password":…}');
  });

  test('are bounded in number, length and rate, and strangers write none', async () => {
    const { owner, id, token } = await hooked();
    await sendText(`${id.toString(36)}-${'x'.repeat(32)}`, 'hello');
    expect(await refusedOf(owner, id)).toEqual([]);
    for (let number = 0; number < 31; number += 1) await sendText(token, `${number} ${'long '.repeat(100)}`);
    const refused = await refusedOf(owner, id);
    expect(refused).toHaveLength(20);
    expect(refused[0].text).toMatch(/^29 .{196}…$/);
    await hub.call('POST /revoke_signal_hook', about(owner, id));
    await hookOf(owner, id);
    expect(await refusedOf(owner, id)).toEqual([]);
  });
});

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
