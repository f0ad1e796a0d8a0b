import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { restateSeries } from '../../../functions/engine/split/restate-series.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { readSub, storeSub } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Limits } from '../../../shared/domain/risk/limits.ts';
import { parseRatio, type Ratio } from '../../../shared/domain/splits/ratio.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { expectedFills, type Fill, fillsOf } from '../../support/hub-deployments.ts';
import { commandEngine, endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, undeployTrading } from '../../support/trading.ts';

const WARM = 30;
const BARS = randomBars(11, WARM + soakable(48, 60));
const RULES = crossRules(2, 5, {
  entries: [
    {
      side: 'long',
      when: {
        left: { indicator: 'sma', length: 2 },
        op: 'crosses_above',
        right: { indicator: 'sma', length: 5 },
      },
      stop_loss: { type: 'percent', percent: 8 },
      take_profit: { type: 'percent', percent: 12 },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 12 } }],
});
/** An order that waits for many bars. */
const PATIENT = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'gt', right: { price: 'open' } },
      limit: { percent: -4 },
      valid_bars: 12,
      stop_loss: { type: 'percent', percent: 6 },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 5 } }],
};
const SHORT = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'short',
      when: { left: { price: 'close' }, op: 'lt', right: { price: 'open' } },
      stop_loss: { type: 'percent', percent: 15 },
    },
  ],
  exits: [{ side: 'short', when: { bars_in_trade: 15 } }],
};

/** An odd number, so that workers die before a write and after one. */
const WRITES_APART = soakable(5, 1);

const ratioOf = (text: string): Ratio => parseRatio(text) ?? { units: 1, of: 1 };

interface Run {
  readonly id: number;
  readonly user_id: string;
}

let hub: TestHub;
let store: Store;
/** Deployments of the market. */
let running: Run[];
let market: SplitMarket;
let workers: Worker[];

const endAll = async (): Promise<void> => {
  for (const { id, user_id } of running.splice(0)) {
    await undeployTrading(hub, user_id, id);
    await endEngine(worker(hub), id);
  }
};

const begin = async (ratio: string, bars = BARS, later: readonly string[] = []): Promise<void> => {
  if (running.length > 0 && (await market.head()).split) await market.feed(workers);
  await endAll();
  market = new SplitMarket(hub, bars, ratioOf(ratio), undefined, later.map(ratioOf));
  await market.begin(WARM);
};

beforeEach(async () => {
  hub = await startHub();
  ({ store } = hub.runtime);
  await furnishWithInstruments(hub, ['BTCUSD']);
  running = [];
  workers = [worker(hub), worker(hub)];
});
afterEach(() => hub.close());

const started = async (rules: unknown, form: Readonly<Record<string, string>> = {}): Promise<Run> => {
  const { keygen, user_id } = await ruleTrader(hub, { symbol: 'BTCUSD', rules });
  const { body } = await deployTrading(hub, keygen, form);
  const run = { id: body.deployment_id as number, user_id };
  running.push(run);
  await startEngine(worker(hub), run.id);
  return run;
};

const get = async (path: string, query: Readonly<Record<string, string>>) => {
  const { status, body } = await hub.call(`GET /${path}`, { query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

/** Returns a deployment as its owner sees it. */
const shownOf = async ({ id, user_id }: Run) => {
  const { items } = await get('get_all_live_deployments_v2', { user_id });
  return items.find(({ deployment_id }: { deployment_id: number }) => deployment_id === id);
};

const ordersShown = async ({ id, user_id }: Run) =>
  (await get('get_live_strategy_order_book', { user_id, deployment_id: String(id) })).items;

const notificationsOf = async ({ user_id }: Run, kind: string) => {
  await enterAll(hub);
  return (await get('get_deployment_notifications', { user_id, kind })).items;
};

const feedUntil = async (isReached: () => Promise<boolean>): Promise<void> => {
  for (let bars = 0; bars < 40; bars += 1) {
    if (await isReached()) return;
    await market.feed(workers);
  }
  throw new Error('the bars do not lead there');
};

const holds = async (run: Run): Promise<boolean> => (await shownOf(run)).positions.length > 0;
const waits = async (run: Run): Promise<boolean> =>
  (await findAllOrders(store, run.id)).some(({ status }) => status === 'open');

const plain = (fills: readonly Fill[]) =>
  fills.map(({ at, side, price }) => [at, side, Number(price.toFixed(8))]);

const feedAll = async (): Promise<void> => {
  while (market.next < BARS.start.length) {
    // Warm containers, and now and then a cold one.
    await market.feed(market.next % 7 === 0 ? [worker(hub)] : workers);
  }
};

const expectFills = async (run: Run, moreThan = 2): Promise<Fill[]> => {
  const at = market.at ?? 0;
  // A rest that makes no whole step is sold before the split.
  const fills = (await fillsOf(hub, run.id)).filter((fill) => fill.at !== at - 1);
  const expected = await expectedFills(hub, run.id, BARS);
  expect(market.shown(fills)).toEqual(plain(expected));
  expect(fills.length).toBeGreaterThan(moreThan);
  return fills;
};

const noErrors = () => expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);

/** Begins the split as the first bar from it on does, and restates the series, without the bar. */
const restate = async (on: Worker = worker(hub)): Promise<void> => {
  const series = await changeHead(store, await market.head(), (head) =>
    head.split ? { ...head, split: { ...head.split, started: true } } : undefined,
  );
  if (!series?.split) throw new Error('no split');
  expect(await restateSeries(on.engine, series, series.split)).toBe(true);
};

describe.each(['4:1', '1:4', '2:1'].slice(0, soakable(2, 3)))('at a split %s', (ratio) => {
  test('accounts trade on as a backtest over adjusted candles does', async () => {
    await begin(ratio);
    const runs = [await started(RULES), await started(RULES), await started(PATIENT), await started(SHORT)];
    const [held, , patient, short] = runs as [Run, Run, Run, Run];
    await feedUntil(async () => (await holds(held)) && (await waits(patient)) && (await holds(short)));
    await market.declare();
    await feedAll();
    for (const run of runs) await expectFills(run);
    expect((await market.head()).splits).toEqual([{ at: market.at, ...ratioOf(ratio) }]);
    noErrors();
  });
});

const TWO_SPLITS = [
  ['4:1', '1:10', 7],
  ['4:1', '3:1', 0],
  ['1:4', '1:2', 1],
] as const;

describe.each(TWO_SPLITS.slice(0, soakable(1, 3)))(
  'at two splits %s and %s with %d bars between them',
  (first, second, between) => {
    test('accounts trade on as a backtest over adjusted candles does', async () => {
      await begin(first, BARS, [second]);
      const runs = [await started(RULES), await started(PATIENT), await started(SHORT)];
      const [held, patient, short] = runs as [Run, Run, Run];
      await feedUntil(async () => (await holds(held)) && (await waits(patient)) && (await holds(short)));
      const ats: (number | undefined)[] = [];
      for (const bars of [between + 1, 0]) {
        await market.declare();
        ats.push(market.at);
        for (let count = 0; count < bars; count += 1) await market.feed(workers);
      }
      await feedAll();
      for (const run of runs) {
        const fills = await fillsOf(hub, run.id);
        // A rest that makes no whole step is sold before each split.
        const traded = fills.filter(({ at }) => !ats.includes(at + 1));
        expect(market.shown(traded)).toEqual(plain(await expectedFills(hub, run.id, BARS)));
        expect(traded.length).toBeGreaterThan(2);
      }
      for (const run of [held, short]) {
        const kinds = await notificationsOf(run, 'split');
        expect(kinds.length).toBeGreaterThan(0);
      }
      const { splits } = await market.head();
      expect(splits).toEqual([first, second].map((ratio, index) => ({ at: ats[index], ...ratioOf(ratio) })));
      noErrors();
    });
  },
);

test('the owner sees the same equity, cost and result in new units, before and after the next bar', async () => {
  await begin('4:1');
  const long = await started(RULES);
  const short = await started(SHORT);
  await feedUntil(async () => (await holds(long)) && (await holds(short)));
  const runs = [long, short];
  const before = await Promise.all(runs.map(shownOf));
  await market.declare();
  await restate();
  for (const [index, run] of runs.entries()) {
    const [was, is] = [before[index], await shownOf(run)];
    expect(is.positions).toMatchObject([
      {
        quantity: was.positions[0].quantity * 4,
        average_price: was.positions[0].average_price / 4,
        last_price: was.positions[0].last_price / 4,
        unrealized_pnl: was.positions[0].unrealized_pnl,
      },
    ]);
    for (const field of ['equity', 'total_pnl', 'realized_pnl', 'unrealized_pnl', 'return_pct']) {
      expect([field, is[field]]).toEqual([field, was[field]]);
    }
    expect(await notificationsOf(run, 'split')).toMatchObject([
      { kind: 'split', symbol: 'BTCUSD', data: { ratio: '4:1', quantity_after: expect.any(String) } },
    ]);
    const audit = await get('get_audit_trail', { user_id: run.user_id, deployment_id: String(run.id) });
    expect(audit.items.filter(({ action }: { action: string }) => action === 'split_booked')).toMatchObject([
      { by: 'engine', details: { ratio: '4:1', symbol: 'BTCUSD' } },
    ]);
    const query = { user_id: run.user_id, deployment_id: String(run.id) };
    const { equity_curve } = await get('get_deployment_performance', query);
    expect(equity_curve.at(-1).equity).toBe(10_000 + was.total_pnl);
  }
  await market.feed(workers);
  noErrors();
});

test('an order that waits has the prices and the quantity of new units in the order book', async () => {
  await begin('4:1');
  const run = await started(PATIENT);
  await feedUntil(() => waits(run));
  const [before] = (await ordersShown(run)).filter(({ status }: { status: string }) => status === 'open');
  await market.declare();
  await restate();
  const [after] = (await ordersShown(run)).filter(({ status }: { status: string }) => status === 'open');
  expect(after).toMatchObject({
    order_id: before.order_id,
    quantity: before.quantity * 4,
    price: expect.closeTo(before.price / 4, 9),
    stop_loss: expect.closeTo(before.stop_loss / 4, 9),
    filled_quantity: 0,
  });
  await restate();
  const orders = (await ordersShown(run)).filter(({ status }: { status: string }) => status === 'open');
  expect(orders).toEqual([after]);
  await market.feed(workers);
});

/** Writes that are counted, and those of them after which a worker dies: odd ones or even ones. */
const DEATHS = [
  ['together', 1],
  ['together', 0],
  ['single', 1],
  ['single', 0],
] as const;

describe('a worker that dies', () => {
  const dieAt = async (
    writes: number,
    isAfter: boolean,
    counted: 'together' | 'single',
  ): Promise<boolean> => {
    const dying = worker(hub, { store: new DyingStore(store, writes, isAfter, counted) });
    const event = market.event();
    const [settled] = await Promise.allSettled([takeEngineEvent(dying.engine, event)]);
    return settled?.status === 'rejected';
  };

  test.each(DEATHS.slice(0, soakable(1, 4)))(
    'at any write of a split leaves it to the next event (%s, %d)',
    async (counted, after) => {
      for (let writes = 1; ; writes += WRITES_APART) {
        await begin('2:1');
        const runs = [await started(RULES), await started(PATIENT), await started(SHORT)];
        const [held, patient, short] = runs as [Run, Run, Run];
        await feedUntil(async () => (await holds(held)) && (await waits(patient)) && (await holds(short)));
        await market.declare();
        const hasDied = await dieAt(writes, writes % 2 === after, counted);
        for (let bars = 0; bars < 6; bars += 1) await market.feed(bars % 2 ? workers : [worker(hub)]);
        for (const run of runs) {
          const fills = await fillsOf(hub, run.id);
          const expected = await expectedFills(hub, run.id, BARS);
          const last = BARS.start[market.next - 1] ?? 0;
          const due = expected.filter(({ at }) => at <= last);
          expect(market.shown(fills)).toEqual(plain(due));
          expect(await notificationsOf(run, 'split')).toHaveLength(1);
        }
        hub.log.splice(0);
        if (!hasDied) break;
        expect(writes).toBeLessThan(40);
      }
    },
  );
});

test('no limit trips at a split, and the use of limits stays', async () => {
  await begin('4:1');
  const runs = [await started(SHORT), await started(RULES)];
  const [short, long] = runs as [Run, Run];
  const limits: Limits = { daily_loss_pct: '30', drawdown_pct: '40', order_value: '1000000' };
  for (const { id, user_id } of runs) await setDeploymentLimits(hub.runtime, id, user_id, { limits });
  for (const { id } of runs) await commandEngine(worker(hub), id);
  await feedUntil(async () => (await holds(short)) && (await holds(long)));
  const usageOf = async ({ id, user_id }: Run) =>
    (await get('get_risk_limits', { user_id, deployment_id: String(id) })).usage;
  const before = new Map<number, unknown>();
  for (const run of runs) before.set(run.id, await usageOf(run));
  await market.declare();
  await restate();
  for (const { id, user_id } of runs) {
    expect(await usageOf({ id, user_id })).toEqual(before.get(id));
  }
  await feedAll();
  for (const run of runs) {
    expect((await shownOf(run)).status).toBe('active');
    await expectFills(run);
    expect(await notificationsOf(run, 'risk_warning,risk_tripped')).toEqual([]);
  }
  noErrors();
});

test('a close by hand before a split counts in old units, one after it in new ones', async () => {
  await begin('4:1');
  const run = await started(RULES);
  await feedUntil(() => holds(run));
  await market.feed(workers);
  const close = async (price: string) => {
    const [order] = (await ordersShown(run)).filter(({ side }: { side: string }) => side === 'buy');
    return hub.call('POST /update_live_trade', {
      query: { user_id: run.user_id, order_id: String(order.order_id), close_value: price },
    });
  };
  const { quantity } = (await shownOf(run)).positions[0];
  await market.declare();
  expect((await close('300')).status).toBe(200);
  const { total_pnl } = await shownOf(run);
  await feedUntil(() => holds(run));
  const fills = await fillsOf(hub, run.id);
  expect(fills.filter(({ price }) => price === 300)).toMatchObject([{ side: 'sell', quantity }]);
  const after = await shownOf(run);
  expect(after.realized_pnl).toBe(total_pnl);
  const again = after.positions[0];
  expect((await close('80')).status).toBe(200);
  expect((await shownOf(run)).positions).toEqual([]);
  await market.feed(workers);
  expect((await fillsOf(hub, run.id)).filter(({ price }) => price === 80)).toMatchObject([
    { side: 'sell', quantity: again.quantity },
  ]);
  noErrors();
});

test('a close by hand and a join wait while a series is split', async () => {
  await begin('4:1');
  const run = await started(RULES);
  await feedUntil(() => holds(run));
  await market.declare();
  await restate();
  const [order] = (await ordersShown(run)).filter(({ side }: { side: string }) => side === 'buy');
  const query = { user_id: run.user_id, order_id: String(order.order_id), close_value: '300' };
  expect((await hub.call('POST /update_live_trade', { query })).status).toBe(409);
  await expect(started(RULES)).rejects.toThrow('the series is being split');
  const [joining] = running.slice(-1);
  await market.feed(workers);
  if (joining) await startEngine(worker(hub), joining.id);
  await feedAll();
  await expectFills(run);
  if (joining) {
    const { status, body } = await hub.call('GET /get_parity', {
      query: { user_id: joining.user_id, deployment_id: String(joining.id) },
    });
    expect([status, body.differences]).toEqual([200, []]);
  }
  const parity = await hub.call('GET /get_parity', {
    query: { user_id: run.user_id, deployment_id: String(run.id) },
  });
  expect(parity).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  noErrors();
});

test('a halt that flattens before a split closes old units, one during it new ones', async () => {
  for (const isDuring of [false, true]) {
    await begin('2:1');
    const run = await started(RULES);
    await feedUntil(() => holds(run));
    await market.declare();
    const { total_pnl } = await shownOf(run);
    if (isDuring) await restate();
    await commandDeployment(hub.runtime, run.id, {
      action: 'halt',
      by: 'user',
      reason: 'Stop.',
      flatten: true,
    });
    if (!isDuring) await commandEngine(worker(hub), run.id);
    await market.feed(workers);
    await commandEngine(worker(hub), run.id);
    const { positions, realized_pnl } = await shownOf(run);
    expect(positions).toEqual([]);
    expect(realized_pnl).toBeCloseTo(total_pnl, 1);
  }
  noErrors();
});

test('a failed account keeps its position, in new units', async () => {
  await begin('4:1');
  const run = await started(RULES);
  await feedUntil(() => holds(run));
  const [before] = (await shownOf(run)).positions;
  const setup = asDeploymentSetup(
    (await store.getMany([keys.deploymentSetup(run.id)], { consistent: true }))[0],
  );
  const sub = await readSub(store, setup?.program_ids[0] ?? '', run.id);
  if (!sub || sub.kind === 'N') throw new Error('no account');
  await storeSub(store, sub, { ...sub, paper: { ...sub.paper, saved: '{}' } });
  await market.declare();
  await market.feed(workers);
  await market.feed(workers);
  const shown = await shownOf(run);
  expect(shown.status).toBe('error');
  expect(shown.positions).toMatchObject([
    { quantity: before.quantity * 4, average_price: before.average_price / 4 },
  ]);
  expect(Math.abs(shown.total_pnl)).toBeLessThan(3000);
  expect(await notificationsOf(run, 'split')).toHaveLength(1);
});

test('trades of a pyramid are paid out one by one, and a crash between them changes nothing', async () => {
  const rules = {
    schema: 'hub.rules/1',
    entries: [
      {
        side: 'long',
        when: { left: { price: 'close' }, op: 'gt', right: { price: 'open' } },
        size: { type: 'units', units: 0.0023 },
      },
    ],
    pyramid: true,
    max_trades: 3,
    exits: [{ side: 'long', when: { bars_in_trade: 25 } }],
  };
  for (let writes = 1; ; writes += WRITES_APART) {
    await begin('1:10');
    const run = await started(rules);
    await feedUntil(async () => (await shownOf(run)).positions[0]?.quantity === 0.0069);
    const [before] = (await shownOf(run)).positions;
    const { total_pnl } = await shownOf(run);
    await market.declare();
    const dying = worker(hub, { store: new DyingStore(store, writes, writes % 2 === 0) });
    const [settled] = await Promise.allSettled([takeEngineEvent(dying.engine, market.event())]);
    await market.feed(workers);
    const paid = (await ordersShown(run)).filter(
      ({ status_message: text }: { status_message: string | null }) => text?.includes('whole step'),
    );
    expect(paid.length).toBeGreaterThan(1);
    const sold = paid.reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0);
    const { positions } = await shownOf(run);
    expect(positions[0].quantity * 10 + sold).toBeCloseTo(before.quantity, 9);
    expect(Math.abs((await shownOf(run)).total_pnl - total_pnl)).toBeLessThan(1);
    if (settled?.status === 'fulfilled') break;
    expect(writes).toBeLessThan(30);
  }
});
