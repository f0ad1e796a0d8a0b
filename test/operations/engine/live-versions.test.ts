import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { BarColumns } from '../../../shared/domain/candles/bars.ts';
import type { TestHub } from '../../support/hub.ts';
import type { Worker } from '../../support/hub-engine.ts';
import type { TestBroker as Broker } from '../../support/live-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import type { Upstream } from '../../support/upstream.ts';

/** Versions that the code of a test can run. */
const versions: number[] = [1, 2];
jest.unstable_mockModule('../../../shared/domain/engine/versions.ts', () => ({ ENGINE_VERSIONS: versions }));

const { advanceSeries } = await import('../../../functions/engine/advance-series.ts');
const { findAllOrders } = await import('../../../shared/data/books/orders.ts');
const { appendBars } = await import('../../../shared/data/candles/append-bars.ts');
const { importBars, removeSeries } = await import('../../../shared/data/candles/import-bars.ts');
const { concatBars, sliceBars } = await import('../../../shared/domain/candles/bars.ts');
const { startHub } = await import('../../support/hub.ts');
const { BITCOIN, expectedRun, fillsOfRun, setupOf } = await import('../../support/hub-deployments.ts');
const { serveEngine, startEngine, worker } = await import('../../support/hub-engine.ts');
const { barsUpTo, liveDeployed, startBus, TestBroker } = await import('../../support/live-deployments.ts');
const { furnishWithInstruments } = await import('../../support/strategies.ts');
const { trader, undeployTrading } = await import('../../support/trading.ts');

const PLAIN = setupOf(crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] }));
const SETUP = { ...PLAIN, account: { ...PLAIN.account, fill_at: 'signal_close' as const } };
const WARM = 40;
/** A candle of the warm-up that is imported later. */
const MISSING = 20;
const END = 65;
const environment = { ...process.env };

let bus: Upstream;
let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
let bars: BarColumns;
let id: number;
let broker: Broker;
/** The container that works. */
const workers: Worker[] = [];

const on = (version: string): Worker => worker(hub.with({ HUB_ENGINE_VERSION: version }));

beforeAll(async () => {
  bus = await startBus();
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
beforeEach(async () => {
  owner = await trader(hub, { symbol: 'BTCUSD' });
  bars = barsUpTo(hub, randomBars(7, 100), WARM - 1);
  await removeSeries(hub.runtime.store, BITCOIN);
  const warm = [sliceBars(bars, 0, MISSING), sliceBars(bars, MISSING + 1, WARM)];
  await importBars(hub.runtime.store, BITCOIN, concatBars(warm));
  workers.splice(0, workers.length, on('2'));
  id = await liveDeployed(hub, owner, SETUP);
  for (const each of workers) await startEngine(each, id);
  broker = new TestBroker(hub, bus, workers);
});
afterEach(async () => {
  versions.splice(0, versions.length, 1, 2);
  await undeployTrading(hub, owner.user_id, id);
  await broker.settle();
  await broker.fillAll();
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
});

const feedBar = (at: number): Promise<void> => broker.feed(sliceBars(bars, at, at + 1));

/** Feeds bars until the broker has an order to work on. Returns the index after the last bar. */
const feedUntilOrder = async (from: number): Promise<number> => {
  for (let at = from; at < bars.start.length; at += 1) {
    await feedBar(at);
    if (broker.working.length > 0) return at + 1;
  }
  throw new Error('no order came');
};

/**
 * Imports the missing candle, and lets the version 1 of the engine go on.
 *
 * @param isKnown false if the code no longer has the version before: the next bar computes the program again.
 */
const importAndChange = async (isKnown: boolean): Promise<void> => {
  const { store } = hub.runtime;
  await importBars(store, BITCOIN, sliceBars(bars, MISSING, MISSING + 1));
  workers.splice(0, workers.length, on('1'));
  if (!isKnown) versions.pop();
  const { series } = await appendBars(store, BITCOIN, sliceBars(bars, 0, 0));
  for (const { engine } of workers) await advanceSeries(engine, series, ['1d']);
};

test.each([true, false])(
  'an account with real orders counts each bar once after an import and a change of version: %s',
  async (isKnown) => {
    let at = await feedUntilOrder(WARM);
    await broker.fillAll();
    // The trade is open.
    await importAndChange(isKnown);
    for (; at < END; at += 1) {
      await feedBar(at);
      await broker.fillAll();
    }
    const expected = fillsOfRun(await expectedRun(hub, id, sliceBars(bars, 0, END)));
    const orders = (await findAllOrders(hub.runtime.store, id)).toReversed();
    const filled = orders.map(({ side, filled_quantity, average_price }) => ({
      side,
      quantity: Number(filled_quantity),
      price: Number(average_price),
    }));
    expect(expected.length).toBeGreaterThan(2);
    // Fills at the last close are booked with the next bar in a backtest.
    expect(filled.slice(0, expected.length)).toEqual(
      expected.map(({ side, quantity, price }) => ({ side, quantity, price })),
    );
  },
);

test.each([true, false])(
  'a rejected close waits for the next bar although candles were imported meanwhile: %s',
  async (isKnown) => {
    let at = await feedUntilOrder(WARM);
    await broker.fillAll();
    at = await feedUntilOrder(at);
    const [close] = broker.working;
    await broker.report(close?.client_order_id ?? '', 'rejected');
    expect(broker.working).toEqual([]);
    await importAndChange(isKnown);
    await serveEngine(on('1'), id);
    await broker.settle();
    expect(broker.working).toEqual([]);
    await feedBar(at);
    const { closes, quantity } = close ?? {};
    expect(broker.working).toMatchObject([
      { closes, quantity, client_order_id: `BTCUSD:${bars.start[at]}:x2` },
    ]);
  },
);
