import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { advanceSeries } from '../../../functions/engine/advance-series.ts';
import { takeFeedEvent } from '../../../functions/engine/take-feed-event.ts';
import { findAllOrders, newOrderWrites, orderKey, orderWrite } from '../../../shared/data/books/orders.ts';
import { findTradeRange, tradeKey, tradeWrite } from '../../../shared/data/books/trades.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { correctBars } from '../../../shared/data/candles/corrections.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { readManyClosedBars } from '../../../shared/data/candles/read-closed.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import {
  type BarColumns,
  barAt,
  barCount,
  columnsOf,
  listBars,
  sliceBars,
} from '../../../shared/domain/candles/bars.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BITCOIN,
  expectedFills,
  feed,
  fillsOf,
  hubDeployed,
  setupOf,
} from '../../support/hub-deployments.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { randomBars, randomNumbers } from '../../support/random-bars.ts';
import { randomRulesJson } from '../../support/random-rules.ts';
import { crossRules } from '../../support/rules.ts';
import { SlowBus } from '../../support/slow-bus.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, trader, undeployTrading } from '../../support/trading.ts';

const WARM = 60;
const RULES = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] });
const BARS = randomBars(7, 120);

let hub: TestHub;
let store: Store;
let owner: Awaited<ReturnType<typeof trader>>;
const started: number[] = [];
beforeAll(async () => {
  hub = await startHub();
  store = hub.runtime.store;
  await furnishWithInstruments(hub, ['BTCUSD']);
  owner = await trader(hub, { symbol: 'BTCUSD' });
});
afterAll(() => hub.close());

const endAll = async () => {
  for (const id of started.splice(0)) {
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(worker(hub), id);
  }
};
afterEach(endAll);

const start = async (setup: BacktestSetup, bars: BarColumns): Promise<{ id: number; on: Worker }> => {
  await removeSeries(store, BITCOIN);
  await appendBars(store, BITCOIN, sliceBars(bars, 0, WARM));
  const id = await hubDeployed(hub, owner, setup);
  started.push(id);
  const on = worker(hub);
  await startEngine(on, id);
  return { id, on };
};

const parityOf = (id: number, more: Record<string, string> = {}) =>
  hub.call('GET /get_parity', {
    query: { user_id: owner.user_id, deployment_id: String(id), ...more },
  });

const feedAll = async (on: Worker, bars: BarColumns, step = 1): Promise<void> => {
  for (let bar = WARM; bar < barCount(bars); bar += step) {
    await feed(hub, sliceBars(bars, bar, Math.min(barCount(bars), bar + step)), [on]);
  }
};

test('a paper deployment is equal to its backtest', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  await feedAll(on, BARS);
  hub.takeCalls();
  const { status, body } = await parityOf(id);
  expect([status, hub.takeCalls()]).toEqual([
    200,
    ['BatchGetItem', 'Query', 'BatchGetItem', 'Query', 'Query', 'BatchGetItem', 'UpdateItem', 'UpdateItem'],
  ]);
  expect(body).toMatchObject({
    deployment_id: id,
    is_equal: true,
    is_complete: true,
    left_out: [],
    differences_count: 0,
    differences: [],
    compared: { symbols: ['BTCUSD'], from: new Date(BARS.start[WARM] ?? 0).toISOString() },
  });
  expect(body.compared.bars).toBeGreaterThan(40);
  expect(body.compared.orders).toBeGreaterThan(5);
  expect(body.compared.trades).toBeGreaterThan(2);
});

test('bars of a burst on a slow machine are traded in order through crashes; a late one is counted', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  const workers = [on, worker(hub)];
  const bus = new SlowBus(hub.runtime.clock());
  const lost = WARM + 20;
  const isoAt = (index: number) => new Date(BARS.start[index] ?? 0).toISOString();
  const eventOf = (index: number) => ({
    'detail-type': 'Bar Closed',
    source: BITCOIN.source,
    detail: {
      version: 1,
      symbol: BITCOIN.symbol,
      timeframe: BITCOIN.timeframe,
      ...barAt(BARS, index),
      start: isoAt(index),
      previous: isoAt(index - 1),
    },
  });
  let attempts = 0;
  const killed = new Set<string>();
  const take = async (event: object): Promise<void> => {
    attempts += 1;
    const text = JSON.stringify(event);
    // An event that died thrice would go to the dead letters.
    const isKilled = attempts % 5 === 0 && !killed.has(text);
    if (isKilled) killed.add(text);
    const { engine } = workers[attempts % 2] ?? on;
    await takeFeedEvent({ ...engine, clock: bus.clock }, event, {
      instruments: engine.memory.instruments,
      advance: async (series, timeframes) => {
        if (isKilled) throw new Error('the process died');
        await advanceSeries(engine, series, timeframes);
      },
      passSplit: async () => true,
      takeSplit: async () => undefined,
      scan: async () => undefined,
      sendAgain: async (detailType, detail) =>
        bus.put({ 'detail-type': detailType, source: 'strategy-hub', detail }),
      pauses: [1],
    });
  };
  const draw = randomNumbers(3);
  const sent = Array.from({ length: barCount(BARS) - WARM }, (_, index) => WARM + index);
  const shuffled = sent
    .filter((index) => index !== lost)
    .map((index) => ({ index, place: draw() }))
    .toSorted((one, other) => one.place - other.place);
  bus.put(...shuffled.map(({ index }) => eventOf(index)));
  await bus.drain(take, { workMs: 10_000, parallel: 2 });
  const [series] = await findSeries(store, BITCOIN.symbol, [BITCOIN.timeframe]);
  expect([bus.dead, series?.count, series?.late_bars]).toEqual([[], barCount(BARS) - 1, 0]);
  expect((await parityOf(id)).body).toMatchObject({ is_equal: true, compared: { late_bars: 0 } });
  bus.put(eventOf(lost));
  await bus.drain(take, { workMs: 1000, parallel: 1 });
  const { body } = await parityOf(id);
  expect(body).toMatchObject({
    is_equal: true,
    is_complete: true,
    differences: [],
    compared: { late_bars: 1 },
  });
  expect(body.compared.orders).toBeGreaterThan(5);
  const appended = columnsOf(listBars(BARS).toSpliced(lost, 1));
  expect(await fillsOf(hub, id)).toEqual(await expectedFills(hub, id, appended));
});

test('first bars of a deployment that arrive late are counted', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  await feed(hub, sliceBars(BARS, WARM + 3, WARM + 10), [on]);
  const [series] = await findSeries(store, BITCOIN.symbol, [BITCOIN.timeframe]);
  if (!series) throw new Error('no series');
  await correctBars(store, series, sliceBars(BARS, WARM, WARM + 3));
  expect((await parityOf(id)).body).toMatchObject({
    is_equal: true,
    compared: { bars: 7, late_bars: 3, from: new Date(BARS.start[WARM + 3] ?? 0).toISOString() },
  });
});

test('a falsified, a missing and a strange order of the book are reported', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  await feedAll(on, BARS, 10);
  const [order] = (await findAllOrders(store, id)).slice(2);
  if (!order) throw new Error('no orders');
  await store.transact([orderWrite({ ...order, average_price: '1' })]);
  const { body } = await parityOf(id);
  expect(body).toMatchObject({
    is_equal: false,
    differences_count: 1,
    differences: [{ kind: 'order', symbol: 'BTCUSD', at: new Date(order.updated_at).toISOString() }],
  });
  expect(body.differences[0].expected).toMatch(`at ${Number(order.average_price)}, fees 0`);
  expect(body.differences[0].found).toMatch('at 1, fees 0');
  await store.delete(orderKey(order));
  const strange = { ...order, client_order_id: 'strange', order_id: order.order_id + 1 };
  await store.transact(newOrderWrites(strange, 1000));
  const { differences } = (await parityOf(id)).body;
  expect(differences).toMatchObject([
    { expected: expect.stringContaining(order.client_order_id), found: null },
    { expected: null, found: expect.stringContaining('strange') },
  ]);
});

test('a falsified and a missing trade of the books are reported', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  await feedAll(on, BARS, 10);
  const [first, second] = (await findTradeRange(store, id, { first: 1, last: 100 })).toReversed();
  if (!first || !second) throw new Error('no trades');
  const key = tradeKey(id, 1);
  await store.transact([
    tradeWrite(first, { ...first, entry_value: '1', net: '7' }, { before: new Map(), isNew: false }),
  ]);
  const { body } = await parityOf(id);
  expect(body).toMatchObject({
    is_equal: false,
    differences: [{ kind: 'trade', symbol: 'BTCUSD', at: first.closed_at }],
  });
  expect(body.differences[0].expected).toMatch(`net ${Number(first.net)},`);
  expect(body.differences[0].found).toMatch('net 7,');
  await store.delete(key);
  const { differences } = (await parityOf(id)).body;
  expect(differences[0]).toMatchObject({
    kind: 'trade',
    found: expect.stringContaining(second.client_order_id),
  });
  expect(differences.at(-1)).toMatchObject({ kind: 'trade', found: null });
});

test('manual closes are part of the backtest', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  let bar = WARM;
  const query = { user_id: owner.user_id, deployment_id: String(id) };
  const held = async () => (await findAllOrders(store, id)).length % 2 === 1;
  while (!(await held())) await feed(hub, sliceBars(BARS, bar, ++bar), [on]);
  const [order] = (await hub.call('GET /get_live_strategy_order_book', { query })).body.items;
  const closed = await hub.call('POST /update_live_trade', {
    query: { user_id: owner.user_id, order_id: String(order.order_id), close_value: '123.5' },
  });
  expect(closed.status).toBe(200);
  expect((await parityOf(id)).body).toMatchObject({ is_equal: true });
  while (bar < barCount(BARS)) await feed(hub, sliceBars(BARS, bar, ++bar), [on]);
  const { body } = await parityOf(id);
  expect(body.differences).toEqual([]);
  expect(body.compared.orders).toBeGreaterThan(5);
});

test('an ended deployment keeps its parity; one that has not begun is refused', async () => {
  const { id, on } = await start(setupOf(RULES), BARS);
  await feedAll(on, BARS, 7);
  await endAll();
  const { body } = await parityOf(id);
  expect(body.differences).toEqual([]);
  expect(body.compared.orders).toBeGreaterThan(5);
  const waiting = await hubDeployed(hub, owner, setupOf(RULES));
  expect(await parityOf(waiting)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  const { body: external } = await deployTrading(hub, owner.keygen);
  expect(await parityOf(external.deployment_id)).toMatchObject({
    status: 409,
    body: { code: 'engine_external' },
  });
  expect(await parityOf(1)).toMatchObject({ status: 404 });
  expect(await parityOf(id, { symbol: 'ETHUSD' })).toMatchObject({ status: 422 });
});

test('series whose bars do not fit into one call are left out', async () => {
  await start(setupOf(RULES), BARS);
  const [series] = await findSeries(store, BITCOIN.symbol, ['1d']);
  if (!series) throw new Error('no series');
  const daily = { series, timeframe: '1d' as const, after: series.first - 1, isBar: false };
  const first = series.last - 500 * 86_400_000;
  const minutes = { ...series, timeframe: '1m' as const, first, flushed: series.last };
  hub.takeCalls();
  const [left, read] = await readManyClosedBars(store, [
    { series: minutes, timeframe: '1m', after: first - 1, isBar: false },
    daily,
  ]);
  expect(left).toBeUndefined();
  expect(read).toEqual(sliceBars(BARS, 0, WARM));
  expect(hub.takeCalls()).toEqual(['BatchGetItem']);
});

const swap = {
  contract_size: 1,
  tick_size: 0.01,
  digits: 2,
  swap_long: -0.5,
  swap_short: 0.2,
  swap_calculation: 'points',
  triple_swap_weekday: 'wednesday',
} as const;

const setups = fc
  .record({
    rules: randomRulesJson('1d'),
    account: fc.record({
      starting_capital: fc.constantFrom(100, 10_000, 1e6),
      commission_rate: fc.constantFrom(0, 0.001),
      commission_fixed: fc.constantFrom(0, 1),
      commission_per_unit: fc.constantFrom(0, 0.01),
      commission_min: fc.constantFrom(0, 2),
      spread_rate: fc.constantFrom(0, 0.0005),
      slippage_rate: fc.constantFrom(0, 0.001),
      margin: fc.constantFrom(1, 0.5, 0.05),
      maintenance: fc.constantFrom(0, 0.02),
      financing: fc.constant('instrument' as const),
      fill_at: fc.constantFrom('next_open' as const, 'signal_close' as const),
      stop_basis: fc.constantFrom('fill' as const, 'signal_close' as const),
      entry_bar: fc.constantFrom('worst' as const, 'next_bar' as const),
      close_at_end: fc.constant('mark' as const),
    }),
    own: fc.record({
      size_step: fc.constantFrom(1, 0.001),
      direction: fc.constantFrom('both' as const, 'long' as const, 'short' as const),
      swap: fc.constantFrom({}, { swap }),
    }),
  })
  .map(({ rules, account, own: { swap: rates, ...own } }) => {
    const setup = setupOf(rules, undefined, { account });
    return { ...setup, legs: setup.legs.map((leg) => ({ ...leg, ...own, ...rates })) };
  });

test('deployments of random rules and costs, in random walks with repeats, have no difference', async () => {
  let orders = 0;
  await fc.assert(
    fc.asyncProperty(setups, fc.nat(1e6), fc.integer({ min: 3, max: 30 }), async (setup, seed, step) => {
      const bars = randomBars(seed, WARM + soakable(90, 120));
      const { id, on } = await start(setup, bars);
      const workers = [on, worker(hub)];
      for (let bar = WARM; bar < barCount(bars); bar += step) {
        // Two workers take the same bars, and those before again.
        const from = Math.max(WARM, bar - 2);
        await feed(hub, sliceBars(bars, from, Math.min(barCount(bars), bar + step)), workers);
      }
      const { body } = await parityOf(id);
      expect(body).toMatchObject({ is_equal: true, is_complete: true, differences: [] });
      orders += body.compared.orders;
      await endAll();
    }),
    { numRuns: soakable(3, 40), endOnFailure: true, examples: [[setupOf(RULES), 7, 3]] },
  );
  expect(orders).toBeGreaterThan(0);
});
