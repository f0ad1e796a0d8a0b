import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { summaryItemSchema } from '../../../shared/data/books/summary.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import type { SeriesFacts } from '../../../shared/data/candles/series.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { ENGINE_COMMANDED } from '../../../shared/data/engine/events.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import type { Limits } from '../../../shared/domain/risk/limits.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { advanceSeries, takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const WARM = 20;
const CAPITAL = 10_000;
const RULES = crossRules(2, 3, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] });
const HOURLY: SeriesFacts = { ...BITCOIN, timeframe: '1h' };
const HOURLY_ETHER: SeriesFacts = { ...HOURLY, symbol: 'ETHUSD' };
const BARS = randomBars(11, WARM + 36, '1h');
const ETHER = randomBars(12, WARM + 36, '1h');
const COUNT = 36;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD', 'ETHUSD']);
});
afterAll(() => hub.close());

interface Run {
  readonly id: number;
  readonly user_id: string;
}

let running: Run[] = [];
beforeEach(async () => {
  for (const facts of [HOURLY, HOURLY_ETHER]) await removeSeries(hub.runtime.store, facts);
  await appendBars(hub.runtime.store, HOURLY, sliceBars(BARS, 0, WARM));
  await appendBars(hub.runtime.store, HOURLY_ETHER, sliceBars(ETHER, 0, WARM));
});

const endAll = async (): Promise<void> => {
  for (const { id, user_id } of running) {
    await undeployTrading(hub, user_id, id);
    await endEngine(worker(hub), id);
  }
  running = [];
};
afterEach(endAll);

const started = async (limits: Limits, symbol = 'BTCUSD'): Promise<Run> => {
  const owner = await ruleTrader(hub, { symbol, timeframe: '1h', rules: RULES });
  const { body } = await deployTrading(hub, owner.keygen);
  const run = { id: body.deployment_id as number, user_id: owner.user_id };
  running.push(run);
  await startEngine(worker(hub), run.id);
  await setDeploymentLimits(hub.runtime, run.id, run.user_id, { limits });
  return run;
};

const command = (on: Worker, { id: deployment_id }: Run): Promise<void> =>
  takeEngineEvent(on.engine, { 'detail-type': ENGINE_COMMANDED, detail: { version: 1, deployment_id } });

const resume = async ({ id, user_id }: Run): Promise<void> => {
  const query = { user_id, deployment_id: String(id), reason: 'Go on.' };
  expect(await hub.call('POST /resume_deployment', { query })).toMatchObject({ status: 200 });
};

const deploymentOf = async ({ id }: Run) => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'live') throw new Error('no deployment');
  return deployment;
};

const ordersOf = ({ id }: Run) => findAllOrders(hub.runtime.store, id);

const differences = async ({ id, user_id }: Run): Promise<unknown[]> => {
  const query = { user_id, deployment_id: String(id) };
  const { status, body } = await hub.call('GET /get_parity', { query });
  expect(status).toBe(200);
  return body.differences;
};

/** Appends bars, and lets all workers advance over them at the same time. */
const feed = async (
  workers: readonly Worker[],
  from: number,
  to: number,
  facts = HOURLY,
  bars = BARS,
): Promise<void> => {
  const { series } = await appendBars(hub.runtime.store, facts, sliceBars(bars, WARM + from, WARM + to));
  await Promise.all(workers.map(({ engine }) => advanceSeries(engine, series, ['1h'])));
};

/** Lets a worker take bars, and follow commands, that dies at a write. */
const feedDying = async ({ writes, isAfter }: Death, run: Run, from: number, to: number): Promise<void> => {
  const { store } = hub.runtime;
  const dead = worker(hub, { store: new DyingStore(store, writes, isAfter) });
  await Promise.allSettled([feed([dead], from, to)]);
  await Promise.allSettled([command(dead, run)]);
};

const isEntry = (order: { client_order_id: string }): boolean => /:e\d+$/.test(order.client_order_id);
const placedAt = (order: { client_order_id: string }): number => Number(order.client_order_id.split(':')[1]);
const isRefused = ({ status_message: reason }: { status_message: string | null }): boolean =>
  reason?.includes(' the risk limit of ') ?? false;

test('an entry beyond a limit is cancelled with the reason at its own bar, and parity repeats it', async () => {
  const run = await started({ order_value: '1' });
  const one = worker(hub);
  for (let bar = 0; bar < 20; bar++) await feed([one], bar, bar + 1);
  const orders = await ordersOf(run);
  expect(orders.length).toBeGreaterThan(0);
  for (const order of orders) {
    expect(order).toMatchObject({ status: 'cancelled', filled_quantity: '0' });
    expect(order.created_at).toBe(placedAt(order));
    expect(order.status_message).toMatch(
      /^An order worth [\d,.]+ USD exceeds the risk limit of 1 USD an order$/,
    );
  }
  expect(await differences(run)).toEqual([]);
  expect((await deploymentOf(run)).status).toBe('active');
});

test('positions of several symbols never exceed their number, with workers at the same time', async () => {
  const run = await started({ open_positions: 1 }, 'BTCUSD,ETHUSD');
  const workers = [worker(hub), worker(hub)];
  for (let bar = 0; bar < 20; bar++) {
    await Promise.all([feed(workers, bar, bar + 1), feed(workers, bar, bar + 1, HOURLY_ETHER, ETHER)]);
    const { ledger } = await deploymentOf(run);
    const open = Object.values(unpackLedger(ledger).head.symbols).filter(({ position }) => position);
    expect(open.length).toBeLessThanOrEqual(1);
  }
  const orders = await ordersOf(run);
  expect(orders.some(isRefused)).toBe(true);
  expect(orders.some(({ status }) => status === 'filled')).toBe(true);
  expect(await differences(run)).toEqual([]);
});

test('an entry that waits counts at once, and in the summary of the lists with its order', async () => {
  const run = await started({ orders_per_day: 500 });
  const one = worker(hub);
  const summary = async () => {
    const item = await hub.runtime.store.get(
      keys.listedTrading(run.user_id, false, run.id),
      summaryItemSchema,
    );
    return item?.summary;
  };
  let waits = 0;
  for (let bar = 0; bar < 20; bar++) {
    const before = await summary();
    await feed([one], bar, bar + 1);
    const { risk } = await deploymentOf(run);
    const after = await summary();
    if (!risk?.entering) {
      expect(after?.risk?.state?.orders_today ?? 0).toBe(risk?.orders_today ?? 0);
      continue;
    }
    waits += 1;
    expect(risk.orders_today).toBeGreaterThan(0);
    const orders = await ordersOf(run);
    // An exit on the same bar is written with the books.
    if (orders.every(({ updated_at }) => updated_at < (BARS.start[WARM + bar] ?? 0)))
      expect(after).toEqual(before);
  }
  expect(waits).toBeGreaterThan(1);
});

/** Plain books of one account: cash, units and the close of each bar, from the orders alone. */
const equities = (
  orders: Awaited<ReturnType<typeof ordersOf>>,
  to: number,
): { at: number; equity: number }[] => {
  const fills = orders.filter(({ filled_quantity }) => filled_quantity !== '0');
  const points: { at: number; equity: number }[] = [];
  for (let index = WARM; index < BARS.start.length; index++) {
    const at = BARS.start[index] ?? 0;
    if (at > to) break;
    const done = fills.filter(({ updated_at }) => updated_at <= at);
    const [cash, units] = done.reduce(
      ([money, held], { side, filled_quantity, average_price }) => {
        const quantity = Number(filled_quantity) * (side === 'buy' ? 1 : -1);
        return [money - quantity * Number(average_price), held + quantity];
      },
      [CAPITAL, 0],
    );
    points.push({ at, equity: cash + units * (BARS.close[index] ?? 0) });
  }
  return points;
};

interface OwnLimits {
  readonly daily_loss: string;
  readonly orders_per_day?: number;
  readonly action?: 'pause' | 'flatten';
}

/** Write at which a worker of a batch dies. */
interface Death {
  readonly writes: number;
  readonly isAfter: boolean;
  /** True if no other worker takes the batch up before the next one. */
  readonly isLeft: boolean;
}

/**
 * Limits and batches with which an account is flat in the middle of a batch, while other workers look for those that
 * are not.
 */
const MIDWAY: [OwnLimits, number[], number, (Death | undefined)[]] = [
  { daily_loss: '158', orders_per_day: 7, action: 'pause' },
  [
    6, 5, 4, 1, 1, 4, 3, 8, 2, 9, 6, 8, 6, 7, 3, 9, 6, 9, 3, 8, 9, 9, 2, 8, 7, 7, 1, 5, 1, 3, 4, 4, 8, 8, 7,
    2,
  ],
  3,
  [],
];

/** Limits that are reached while a worker dies at every batch, before or after one of its first writes. */
const DYING: typeof MIDWAY = [
  { daily_loss: '120', orders_per_day: 5, action: 'flatten' },
  Array.from({ length: 36 }, (_, index) => 1 + (index % 3)),
  2,
  Array.from({ length: 36 }, (_, index) => ({
    writes: 1 + (index % 4),
    isAfter: index % 2 === 0,
    isLeft: index % 3 === 0,
  })),
];

/** All bars in one batch, for so many workers that one comes too late at bar after bar. */
const CROWDED: typeof MIDWAY = [{ daily_loss: '400', action: 'flatten' }, [COUNT], 6, []];

const dayOf = (at: number): number => Math.floor(at / 86_400_000);

/** Returns the first bar whose close reaches a limit, by plain recomputation. */
const firstReached = (
  points: readonly { at: number; equity: number }[],
  { daily_loss, drawdown_pct }: Limits,
): number | undefined => {
  let began = CAPITAL;
  let last = CAPITAL;
  let day = dayOf(points[0]?.at ?? 0);
  for (const [index, { at, equity }] of points.entries()) {
    if (dayOf(at) !== day) [began, day] = [last, dayOf(at)];
    last = equity;
    if (daily_loss !== undefined && began - equity >= Number(daily_loss) - 1e-9) return at;
    const known = points.slice(0, index + 1).map((point) => point.equity);
    if (drawdown_pct === undefined) continue;
    const peak = Math.max(CAPITAL, ...known);
    if (((peak - equity) / peak) * 100 >= Number(drawdown_pct) - 1e-9) return at;
  }
  return undefined;
};

describe('loss limits', () => {
  test('flatten at the close of the bar that reaches them, and trading goes on after a resume', async () => {
    const run = await started({ daily_loss: '40', action: 'flatten' });
    const one = worker(hub);
    let tripped = Number.POSITIVE_INFINITY;
    for (let bar = 0; bar < COUNT; bar++) {
      await feed([one], bar, bar + 1);
      if ((await deploymentOf(run)).status !== 'halted') continue;
      tripped = BARS.start[WARM + bar] ?? 0;
      await command(one, run);
      const { head } = unpackLedger((await deploymentOf(run)).ledger);
      expect(Object.values(head.symbols).filter(({ position }) => position !== null)).toEqual([]);
      await resume(run);
      await command(one, run);
    }
    const later = (await ordersOf(run)).filter((order) => isEntry(order) && placedAt(order) > tripped);
    expect(later.some(({ status }) => status === 'filled')).toBe(true);
    expect(await differences(run)).toEqual([]);
  });

  test('leave a deployment that its owner paused paused, so that its exits go on', async () => {
    const run = await started({});
    const one = worker(hub);
    const heldBy = async () =>
      Object.values(unpackLedger((await deploymentOf(run)).ledger).head.symbols).filter(
        ({ position }) => position !== null,
      ).length;
    let bar = 0;
    for (; bar < COUNT && (await heldBy()) === 0; bar++) await feed([one], bar, bar + 1);
    const query = { user_id: run.user_id, deployment_id: String(run.id), reason: 'A test.' };
    expect(await hub.call('POST /pause_deployment', { query })).toMatchObject({ status: 200 });
    await setDeploymentLimits(hub.runtime, run.id, run.user_id, { limits: { drawdown_pct: '0.0001' } });
    await command(one, run);
    for (; bar < COUNT; bar++) await feed([one], bar, bar + 1);
    const { status, risk } = await deploymentOf(run);
    expect([status, risk?.tripped?.limit, await heldBy()]).toEqual(['paused', 'drawdown_pct', 0]);
    expect(await differences(run)).toEqual([]);
  });

  test('stop at the bar that a plain recomputation names, whatever runs in parallel or dies', async () => {
    const batches = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: COUNT, maxLength: COUNT });
    const limits = fc.record(
      {
        daily_loss: fc.integer({ min: 50, max: 400 }).map(String),
        orders_per_day: fc.integer({ min: 1, max: 9 }),
        action: fc.constantFrom('pause' as const, 'flatten' as const),
      },
      { requiredKeys: ['daily_loss'] },
    );
    const death = fc.record({
      writes: fc.integer({ min: 1, max: 6 }),
      isAfter: fc.boolean(),
      isLeft: fc.boolean(),
    });
    const deaths = fc.array(fc.option(death, { nil: undefined }), { minLength: COUNT, maxLength: COUNT });
    const counts = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(limits, batches, counts, deaths, async (own, sizes, count, dying) => {
        await endAll();
        await removeSeries(hub.runtime.store, HOURLY);
        await appendBars(hub.runtime.store, HOURLY, sliceBars(BARS, 0, WARM));
        const run = await started(own);
        const workers = Array.from({ length: count }, () => worker(hub));
        let from = 0;
        for (const [index, size] of sizes.entries()) {
          if (from >= COUNT) break;
          const to = Math.min(COUNT, from + size);
          const end = dying[index];
          if (end) await feedDying(end, run, from, to);
          // The last batch is always taken up.
          if (!end?.isLeft || to === COUNT) {
            await feed(workers, from, to);
            await Promise.all(workers.map((one) => command(one, run)));
          }
          from = to;
        }
        const [orders, deployment] = [await ordersOf(run), await deploymentOf(run)];
        const tripped = deployment.risk?.tripped;
        const at = tripped ? Date.parse(tripped.at) : Number.POSITIVE_INFINITY;
        expect(firstReached(equities(orders, at), own)).toBe(tripped ? at : undefined);
        const accepted = orders.filter((order) => isEntry(order) && !isRefused(order));
        for (const order of accepted) {
          if (order.filled_quantity !== '0') expect(order.updated_at).toBeLessThanOrEqual(at);
          if (own.orders_per_day === undefined) continue;
          const placed = placedAt(order);
          const before = orders.filter((other) => {
            if (isRefused(other)) return false;
            const counted = isEntry(other) ? placedAt(other) : other.created_at;
            return dayOf(counted) === dayOf(placed) && counted < placed;
          });
          expect(before.length).toBeLessThan(own.orders_per_day);
        }
        expect(await differences(run)).toEqual([]);
      }),
      { numRuns: soakable(3, 20), endOnFailure: true, examples: [MIDWAY, DYING, CROWDED] },
    );
  });
});
