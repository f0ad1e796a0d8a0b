import { beforeEach, describe, expect, test } from '@jest/globals';
import { restateSeries } from '../../../functions/engine/split/restate-series.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import type { Limits } from '../../../shared/domain/risk/limits.ts';
import { parseRatio, type Ratio } from '../../../shared/domain/splits/ratio.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { expectedFills, type Fill, fillsOf } from '../../support/hub-deployments.ts';
import { commandEngine, endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, undeployTrading } from '../../support/trading.ts';

const WARM = 30;
const BARS = randomBars(11, WARM + 60);
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

const ratioOf = (text: string): Ratio => parseRatio(text) ?? { units: 1, of: 1 };

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD']));
const { store } = hub.runtime;

interface Run {
  readonly id: number;
  readonly user_id: string;
}

const running: Run[] = [];
let market: SplitMarket;
let workers: Worker[];

const endAll = async (): Promise<void> => {
  for (const { id, user_id } of running.splice(0)) {
    await undeployTrading(hub, user_id, id);
    await endEngine(worker(hub), id);
  }
};

const begin = async (ratio: string, bars = BARS): Promise<void> => {
  if (market && (await market.head()).split) await market.feed(workers);
  await endAll();
  market = new SplitMarket(hub, bars, ratioOf(ratio));
  await market.begin(WARM);
};

beforeEach(() => {
  hub.advance(1000);
  workers = [worker(hub), worker(hub)];
});

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

describe.each(['4:1', '1:4', '2:1'])('at a split %s', (ratio) => {
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
    const { equity_curve } = await get('get_deployment', {
      user_id: run.user_id,
      deployment_id: String(run.id),
    }).then(({ performance }) => performance ?? { equity_curve: [] });
    for (const { equity } of equity_curve) expect(Math.abs(equity - 10_000)).toBeLessThan(4000);
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

describe('a worker that dies', () => {
  const dieAt = async (writes: number, isAfter: boolean): Promise<boolean> => {
    const dying = worker(hub, { store: new DyingStore(store, writes, isAfter) });
    const event = market.event();
    const [settled] = await Promise.allSettled([
      import('../../../functions/engine/take-event.ts').then(({ takeEngineEvent }) =>
        takeEngineEvent(dying.engine, event),
      ),
    ]);
    return settled?.status === 'rejected';
  };

  test.each([false, true])(
    'at any write of a split leaves it to the next event (after: %s)',
    async (isAfter) => {
      for (let writes = 1; ; writes += 1) {
        await begin('2:1');
        const runs = [await started(RULES), await started(PATIENT), await started(SHORT)];
        const [held, patient, short] = runs as [Run, Run, Run];
        await feedUntil(async () => (await holds(held)) && (await waits(patient)) && (await holds(short)));
        await market.declare();
        const hasDied = await dieAt(writes, isAfter);
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
