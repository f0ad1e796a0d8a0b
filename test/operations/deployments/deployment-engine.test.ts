import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type Bar, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, feed, hubDeployed, setupOf } from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { rulesWith } from '../../support/rules.ts';
import { build, furnishWithInstruments, person } from '../../support/strategies.ts';
import { deployTrading, trader, undeployTrading } from '../../support/trading.ts';

const DAY = 86_400_000;
let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
let today: number;
const started: number[] = [];
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD', 'ETHUSD']);
  owner = await trader(hub, { symbol: 'BTCUSD' });
  today = Math.floor(hub.runtime.clock().getTime() / DAY) * DAY;
});
afterAll(() => hub.close());

/** Returns a daily bar, counted from today, which has not closed. */
const bar = (day: number, close: number): Bar => ({
  start: today + day * DAY,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});

const LIMIT_RULES = {
  ...rulesWith({ left: { indicator: 'sma', length: 2 }, op: 'lt', right: 95 }),
  exits: [{ side: 'long', when: { left: { price: 'close' }, op: 'gt', right: 120 } }],
};
const withStops = {
  ...LIMIT_RULES,
  entries: [
    {
      ...LIMIT_RULES.entries[0],
      stop_loss: { type: 'percent', percent: 10 },
      take_profit: { type: 'percent', percent: 50 },
    },
  ],
};

beforeEach(async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(
    hub.runtime.store,
    BITCOIN,
    columnsOf([bar(-6, 100), bar(-5, 100), bar(-4, 100), bar(-3, 100)]),
  );
});
afterEach(async () => {
  for (const id of started.splice(0)) {
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(worker(hub), id);
  }
});

const explained = (id: number, more: Record<string, string> = {}, user_id = owner.user_id) =>
  hub.call('GET /get_deployment_engine', { query: { user_id, deployment_id: String(id), ...more } });

const running = async (rules: unknown) => {
  const id = await hubDeployed(hub, owner, setupOf(rules));
  started.push(id);
  const on = worker(hub);
  await startEngine(on, id);
  return { id, on, close: (day: number, close: number) => feed(hub, columnsOf([bar(day, close)]), [on]) };
};

test('a deployment tells why it does not buy, in at most three calls', async () => {
  const { id, close } = await running(withStops);
  await close(-2, 101);
  await close(-1, 102);
  hub.takeCalls();
  const { status, body } = await explained(id);
  expect([status, hub.takeCalls()]).toEqual([200, ['BatchGetItem', 'BatchGetItem']]);
  const [btc] = body.symbols;
  expect(body).toMatchObject({ deployment_type: 'live', status: 'active', scanner: null, errors: [] });
  expect(body).toMatchObject({ rules: rulesSchema.parse(withStops), params: {} });
  expect(btc).toMatchObject({
    symbol: 'BTCUSD',
    waits_for: 'waits for an entry: SMA(2) = 101.5 < 95 does not hold',
    last_bar: {
      start: new Date(today - DAY).toISOString(),
      closed_at: new Date(today).toISOString(),
    },
    next_bar_due_at: new Date(today + DAY).toISOString(),
    data_delay_s: 0,
    data_delay_note: null,
    evaluation: {
      at: new Date(today - DAY).toISOString(),
      is_evaluated: true,
      values: [
        { name: 'SMA(2)', value: 101.5 },
        { name: 'close', value: 102 },
      ],
      entries: [
        {
          side: 'long',
          holds: false,
          blocked: null,
          conditions: [{ level: 0, text: 'SMA(2) = 101.5 < 95', holds: false }],
        },
      ],
      exits: [{ holds: false, blocked: 'no long trade is open' }],
    },
    orders: [],
    trades: [],
    decisions: [],
    error: null,
  });
});

test('an order that waits and a trade show with stop and target, and decisions with their reasons', async () => {
  const { id, close } = await running(withStops);
  await close(-2, 80);
  const [placed] = (await explained(id)).body.symbols;
  expect(placed.waits_for).toBe('waits for the next bar to buy at the market');
  expect(placed.orders).toMatchObject([{ side: 'long', order_type: 'market', price: null, quantity: null }]);
  await close(-1, 80);
  const [held] = (await explained(id)).body.symbols;
  expect(held.waits_for).toBe(
    `holds 125 since ${new Date(today - DAY).toISOString()}, stop at 72, target at 120; ` +
      'no exit: close = 80 > 120 does not hold',
  );
  expect(held.trades).toMatchObject([
    { side: 'long', quantity: 125, entry_price: 80, stop_loss: 72, take_profit: 120, closing_quantity: 0 },
  ]);
  expect(held.decisions).toMatchObject([
    { text: 'bought 125 at 80' },
    { text: 'SMA(2) = 90 < 95: buy', at: new Date(today - 2 * DAY).toISOString() },
  ]);
});

test('bars that the engine has not booked show no trade that the books do not have', async () => {
  const { id, close } = await running(withStops);
  await close(-2, 80);
  await appendBars(hub.runtime.store, BITCOIN, columnsOf([bar(-1, 80)]));
  const [waiting] = (await explained(id)).body.symbols;
  expect(waiting).toMatchObject({
    waits_for: `waits for the engine to book the bars up to ${new Date(today - DAY).toISOString()}`,
    trades: [],
    orders: [{ order_type: 'market' }],
  });
});

test('a symbol whose bars stopped coming, a paused and an ended deployment say so', async () => {
  const { id } = await running(withStops);
  const newest = new Date(today - 3 * DAY).toISOString();
  const [late] = (await explained(id)).body.symbols;
  expect(late.waits_for).toMatch(`waits for bars: the newest is of ${newest}; waits for an entry: `);
  expect(late.next_bar_due_at).toBe(new Date(today - DAY).toISOString());
  expect(late.data_delay_s).toBe((hub.runtime.clock().getTime() - today + DAY) / 1000);
  await undeployTrading(hub, owner.user_id, id);
  await endEngine(worker(hub), id);
  const { body } = await explained(id);
  expect(body.symbols[0].waits_for).toMatch(/has ended \(stopped\)/);
});

test('bars of a past time have no delay', async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, columnsOf([bar(-500, 100), bar(-499, 100), bar(-498, 100)]));
  const { id } = await running(withStops);
  expect((await explained(id)).body.symbols[0]).toMatchObject({
    waits_for: 'waits for an entry: SMA(2) = 100 < 95 does not hold',
    data_delay_s: null,
    data_delay_note: 'The bars are those of a past time, in which the deployment lives.',
  });
});

test('a scanner shows its instruments, those without candles and its last run, and explains one', async () => {
  const { store } = hub.runtime;
  const universe = { universe_id: 'two-coins', name: 'Two', description: '', symbols: ['BTCUSD', 'ETHUSD'] };
  await store.put({ ...universe, ...keys.universe('two-coins'), entity: 'universe' });
  const { user_id } = await person(hub);
  const { body: strategy } = await build(hub, { user_id, symbol: 'BTCUSD', timeframe: '1d' });
  const query = { user_id, strategy_id: String(strategy.strategy_id) };
  await hub.call('POST /set_strategy_rules', { query, json: LIMIT_RULES });
  const { body: scanner } = await hub.call('POST /deploy_scanner', {
    query: { keygen: strategy.keygen, universe_id: 'two-coins' },
  });
  await startEngine(worker(hub), scanner.deployment_id);
  hub.takeCalls();
  const { body } = await explained(scanner.deployment_id, {}, user_id);
  expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem']);
  const last_run_at = new Date(today - 3 * DAY).toISOString();
  expect(body).toMatchObject({
    deployment_type: 'scanner',
    symbols: [],
    scanner: {
      waits_for: `waits for bars that are complete after ${last_run_at}`,
      watched_count: 1,
      watched: ['BTCUSD'],
      without_candles_count: 1,
      without_candles: ['ETHUSD'],
      last_run_at,
    },
  });
  const [coin] = (await explained(scanner.deployment_id, { symbol: 'BTCUSD' }, user_id)).body.symbols;
  expect(coin.waits_for).toMatch('waits for an entry: SMA(2) = 100 < 95 does not hold');
});

test('a notification deployment tells which signal it waits for', async () => {
  const { user_id } = await person(hub);
  const { body: strategy } = await build(hub, { user_id, symbol: 'BTCUSD', timeframe: '1d' });
  const query = { user_id, strategy_id: String(strategy.strategy_id) };
  await hub.call('POST /set_strategy_rules', { query, json: LIMIT_RULES });
  const { body: listener } = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen: strategy.keygen },
    form: { channels: 'push' },
  });
  const on = worker(hub);
  await startEngine(on, listener.deployment_id);
  const show = async () => (await explained(listener.deployment_id, {}, user_id)).body.symbols[0];
  expect((await show()).waits_for).toMatch('waits for an entry: SMA(2) = 100 < 95 does not hold');
  await feed(hub, columnsOf([bar(-2, 80), bar(-1, 80)]), [on]);
  expect(await show()).toMatchObject({
    waits_for: `holds a position since ${new Date(today - DAY).toISOString()}; no exit: close = 80 > 120 does not hold`,
    trades: [],
    orders: [],
  });
});

test('deployments of external engines, of other users and unknown symbols are refused', async () => {
  const { body: deployed } = await deployTrading(hub, owner.keygen);
  expect(await explained(deployed.deployment_id)).toMatchObject({
    status: 409,
    body: { code: 'engine_external' },
  });
  const { id } = await running(withStops);
  const { user_id } = await person(hub);
  expect(await explained(id, {}, user_id)).toMatchObject({
    status: 404,
    body: { code: 'deployment_unknown' },
  });
  expect(await explained(id, { symbol: 'ETHUSD' })).toMatchObject({ status: 422 });
  expect((await explained(id, { symbol: 'btcusd' })).body.symbols).toHaveLength(1);
});
