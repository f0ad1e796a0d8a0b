import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { type BarColumns, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, setupOf } from '../../support/hub-deployments.ts';
import { startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { barsUpTo, liveDeployed, startBus, TestBroker } from '../../support/live-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll, trader } from '../../support/trading.ts';
import type { Upstream } from '../../support/upstream.ts';

const WARM = 40;
const SETUP = setupOf(crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] }));
const environment = { ...process.env };

let bus: Upstream;
let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
let bars: BarColumns;
let one: Worker;
let id: number;
let broker: TestBroker;

beforeAll(async () => {
  bus = await startBus();
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
beforeEach(async () => {
  owner = await trader(hub, { symbol: 'BTCUSD' });
  bars = barsUpTo(hub, randomBars(7, 100), WARM - 1);
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(bars, 0, WARM));
  one = worker(hub);
  id = await liveDeployed(hub, owner, SETUP);
  await startEngine(one, id);
  broker = new TestBroker(hub, bus, [one, worker(hub)]);
});
afterEach(async () => {
  await command('undeploy_live_strategy');
  await broker.fillAll();
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
});

const command = async (path: string, more: Readonly<Record<string, string>> = {}) => {
  const query = { user_id: owner.user_id, deployment_id: String(id), ...more };
  const { status } = await hub.call(`POST /${path}`, { query });
  await broker.settle();
  return status;
};
const limit = (limits: Parameters<typeof setDeploymentLimits>[3]['limits']) =>
  setDeploymentLimits(hub.runtime, id, owner.user_id, { limits });

const stored = async () => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return deployment;
};
const held = async () =>
  Number(unpackLedger((await stored()).ledger).head.symbols.BTCUSD?.position?.quantity ?? 0);
const noticesOf = async (): Promise<string[]> => {
  await enterAll(hub);
  const { body } = await hub.call('GET /get_deployment_notifications', {
    query: { user_id: owner.user_id, size: '50' },
  });
  return body.items
    .map(({ kind }: { readonly kind: string }) => kind)
    .filter((kind: string) => kind.startsWith('risk_'));
};

/** Feeds the bar at an index, as if it had closed at a part of the close before. Returns the fall. */
const feedFallen = async (at: number, part: number): Promise<number> => {
  const before = broker.price;
  const close = Number((before * part).toFixed(2));
  const fallen = { open: before, high: before, low: close, close };
  const [bar] = [sliceBars(bars, at, at + 1)];
  const ofBar = Object.fromEntries(
    Object.entries(fallen).map(([field, price]) => [field, new Float64Array([price])]),
  );
  await broker.feed({ ...bar, ...ofBar });
  return before - close;
};

/** Feeds bars until a trade is open. Returns the index after the last bar, and the quantity. */
const entered = async (): Promise<{ readonly at: number; readonly quantity: number }> => {
  for (let at = WARM; at < bars.start.length; at += 1) {
    await broker.feed(sliceBars(bars, at, at + 1));
    await broker.fillAll();
    const quantity = await held();
    if (quantity > 0) return { at: at + 1, quantity };
  }
  throw new Error('no order came');
};

test('a loss at a close pauses the deployment: no entry leaves, and exits go on', async () => {
  const { at, quantity } = await entered();
  await limit({ daily_loss: '1' });
  const fall = await feedFallen(at, 0.95);
  const { status, stop_reason, risk, held: holding } = await stored();
  expect([status, stop_reason, holding?.by]).toEqual(['paused', null, 'risk_limit']);
  expect(risk?.tripped?.limit).toBe('daily_loss');
  expect(Number(risk?.tripped?.used)).toBeCloseTo(fall * quantity, 6);
  expect(await noticesOf()).toEqual(['risk_tripped']);
  expect([await held(), broker.working]).toEqual([quantity, []]);
  const asked = broker.orders.size;
  for (let next = at + 1; next < at + 8; next += 1) {
    await broker.feed(sliceBars(bars, next, next + 1));
    await broker.fillAll();
  }
  expect([...broker.orders.values()].slice(asked)).toMatchObject([
    { type: 'Position Close Requested', flatten: false, quantity: String(quantity) },
  ]);
  expect([await held(), broker.position]).toEqual([0, 0]);
  expect(await noticesOf()).toEqual(['risk_tripped']);
  await commandDeployment(hub.runtime, id, { action: 'resume', by: 'user', reason: 'A test.' });
  const resumed = await stored();
  expect([resumed.status, resumed.risk?.tripped]).toEqual(['active', undefined]);
});

test('with flatten, a loss at a close halts the deployment and closes everything at once', async () => {
  const { at, quantity } = await entered();
  await limit({ drawdown_pct: '0.01', action: 'flatten' });
  await feedFallen(at, 0.95);
  expect(await stored()).toMatchObject({ status: 'halted', stop_reason: 'risk_limit' });
  expect(broker.working).toMatchObject([{ flatten: true, quantity: String(quantity) }]);
  await broker.fillAll();
  expect([await held(), broker.position]).toEqual([0, 0]);
  expect(await noticesOf()).toEqual(['risk_tripped']);
});

test('most of a daily loss warns once a day, and losses of the day before do not count', async () => {
  const { at, quantity } = await entered();
  const fall = broker.price * 0.05 * quantity;
  await limit({ daily_loss: (fall / 0.9).toFixed(2) });
  await feedFallen(at, 0.95);
  expect(await noticesOf()).toEqual(['risk_warning']);
  await feedFallen(at + 1, 0.95);
  expect(await noticesOf()).toEqual(['risk_warning', 'risk_warning']);
  expect((await stored()).status).toBe('active');
  await broker.fillAll();
});

test('days of a deployment with real orders pass without bars', async () => {
  await limit({ orders_per_day: 5 });
  await entered();
  const query = { user_id: owner.user_id, deployment_id: String(id) };
  const { body: before } = await hub.call('GET /get_risk_limits', { query });
  hub.advance(3 * 86_400_000);
  const { body } = await hub.call('GET /get_risk_limits', { query });
  const today = hub.runtime.clock().toISOString().slice(0, 10);
  expect([before.state.orders_today, body.state.orders_today, body.state.day]).toEqual([1, 0, today]);
});

test('a deployment that its owner paused stays paused when a loss limit is reached', async () => {
  const { at, quantity } = await entered();
  await command('pause_deployment', { reason: 'A test.' });
  await limit({ daily_loss: '1' });
  await feedFallen(at, 0.95);
  const { status, risk } = await stored();
  expect([status, risk?.tripped?.limit]).toEqual(['paused', 'daily_loss']);
  expect([await held(), broker.working]).toEqual([quantity, []]);
});
