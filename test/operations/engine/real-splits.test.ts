import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { setupOf } from '../../support/hub-deployments.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { barsUpTo, liveDeployed, startBus, TestBroker } from '../../support/live-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { rulesWith } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll, trader } from '../../support/trading.ts';
import type { Upstream } from '../../support/upstream.ts';

/** An odd number, so that workers die before a write and after one. */
const WRITES_APART = soakable(5, 1);
const WARM = 30;
const DAY_MS = 86_400_000;
const RULES = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } });
/** Rules that leave after some bars. Each number is a program of its own. */
const leaving = (bars: number) => ({ ...RULES, exits: [{ side: 'long', when: { bars_in_trade: bars } }] });
const WAITING = {
  ...RULES,
  entries: RULES.entries.map((entry) => ({ ...entry, limit: { percent: -30 }, valid_bars: 50 })),
};
const environment = { ...process.env };

let bus: Upstream;
let hub: TestHub;
beforeAll(async () => {
  bus = await startBus();
});
beforeEach(async () => {
  bus.received.length = 0;
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
afterEach(() => hub.close());
afterAll(async () => {
  process.env = environment;
  await bus.close();
});

const NOTICE = 'split 4:1: check the position at your broker';

/** Starts a deployment with real orders, and feeds bars until its first order is at the broker. */
const ordered = async (rules: unknown) => {
  const bars = barsUpTo(hub, randomBars(7, 80), WARM - 1);
  const market = new SplitMarket(hub, bars, { units: 4, of: 1 });
  await market.begin(WARM);
  const one = worker(hub);
  const { user_id, ...owner } = await trader(hub, { symbol: 'BTCUSD' });
  const id = await liveDeployed(hub, { user_id, ...owner }, setupOf(rules));
  await startEngine(one, id);
  const broker = new TestBroker(hub, bus, [one]);
  /** Lets the time of the next bar pass. */
  const close = (): void =>
    hub.advance(Math.max(0, (bars.start[market.next] ?? 0) + DAY_MS - hub.runtime.clock().getTime()));
  const next = async (): Promise<void> => {
    close();
    const event = market.event();
    broker.price = event.detail.close;
    await takeEngineEvent(one.engine, event);
    market.next += 1;
    await broker.settle();
  };
  while (broker.working.length === 0) await next();
  return {
    broker,
    market,
    next,
    dieAt: async (writes: number): Promise<boolean> => {
      close();
      const dying = worker(hub, { store: new DyingStore(hub.runtime.store, writes, writes % 2 === 0) });
      const [settled] = await Promise.allSettled([takeEngineEvent(dying.engine, market.event())]);
      return settled?.status === 'rejected';
    },
    shown: async () => {
      const { items } = (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body;
      return items.find(({ deployment_id }: { deployment_id: number }) => deployment_id === id);
    },
    /** Reports a fill of an order at a time, and lets everything that follows happen. */
    fill: async (share: number, at: Date) => {
      const [order] = broker.working;
      if (!order) throw new Error('no order is working');
      const { client_order_id, symbol, side, order_type, quantity } = order;
      const filled = String(Number(quantity) * share);
      await takeEvent(hub.runtime, {
        'detail-type': 'Order Updated',
        source: 'strategy-hub.test',
        detail: {
          ...{ version: 1, deployment_id: id, client_order_id, symbol, side, order_type },
          sequence: share === 1 ? 1001 : 1000,
          occurred_at: at.toISOString(),
          quantity,
          status: share === 1 ? 'filled' : 'partially_filled',
          filled_quantity: filled,
          average_price: String(broker.price),
          fees: '0',
        },
      });
      if (share === 1) broker.orders.delete(client_order_id);
      await broker.settle();
      return Number(filled);
    },
    notified: async (kind: string) => {
      await enterAll(hub);
      const query = { user_id, kind };
      return (await hub.call('GET /get_deployment_notifications', { query })).body.items;
    },
    end: async () => {
      await hub.call('POST /undeploy_live_strategy', { query: { user_id, deployment_id: String(id) } });
      await broker.settle();
    },
  };
};

test('a position at a broker is restated in the books once, and its owner has to look at it', async () => {
  for (let writes = 1; ; writes += WRITES_APART) {
    const { broker, market, next, dieAt, shown, notified, end } = await ordered(RULES);
    await broker.fillAll();
    // A fill after the last close is in new units.
    await next();
    const before = await shown();
    const [was] = before.positions;
    await market.declare();
    const hasDied = await dieAt(writes);
    await next();
    await next();
    const after = await shown();
    expect(after).toMatchObject({
      status: 'error',
      realized_pnl: before.realized_pnl,
      positions: [{ quantity: was.quantity * 4, average_price: was.average_price / 4 }],
    });
    expect(Math.abs(after.total_pnl)).toBeLessThan(3000);
    expect(broker.working).toEqual([]);
    expect(await notified('split')).toHaveLength(1);
    expect(await notified('deployment_error')).toMatchObject([{ body: expect.stringContaining(NOTICE) }]);
    await end();
    if (!hasDied) break;
    expect(writes).toBeLessThan(20);
  }
});

test.each([
  [0.5, 2],
  [1, 3],
])('a fill (%d) after the split and before the first bar is in new units', async (share, bars) => {
  const { broker, market, next, shown, notified, fill, end } = await ordered(leaving(bars));
  await broker.fillAll();
  while (broker.working.length === 0) await next();
  const [was] = (await shown()).positions;
  await market.declare();
  hub.advance(60_000);
  broker.price = was.average_price / 4;
  const sold = await fill(share, hub.runtime.clock());
  await next();
  await next();
  const { status, positions, realized_pnl, trades_count } = await shown();
  expect(positions).toMatchObject([
    { quantity: expect.closeTo(was.quantity * 4 - sold, 9), average_price: was.average_price / 4 },
  ]);
  expect([status, trades_count]).toEqual(['error', 0]);
  expect(realized_pnl).toBeCloseTo(0, 6);
  expect(await notified('split')).toHaveLength(1);
  expect(await notified('deployment_error')).toMatchObject([{ body: expect.stringContaining(NOTICE) }]);
  await end();
});

test('an order that is filled on both sides of a split fails the account with the reason', async () => {
  const { market, next, notified, fill, end } = await ordered(leaving(4));
  await market.declare();
  await fill(0.5, new Date((market.at ?? 0) - 60_000));
  hub.advance(60_000);
  await fill(1, hub.runtime.clock());
  await next();
  await next();
  const reason = 'split 4:1: the books have passed the time of the split: check the position at your broker';
  expect(await notified('deployment_error')).toMatchObject([{ body: expect.stringContaining(reason) }]);
  expect(await notified('split')).toEqual([]);
  await end();
});

test('a fill from before the split that arrives late counts in old units', async () => {
  const { broker, market, next, shown, fill, end } = await ordered(WAITING);
  await market.declare();
  await next();
  broker.price = 100;
  const bought = await fill(1, new Date((market.at ?? 0) - 60_000));
  expect((await shown()).positions).toMatchObject([{ quantity: bought * 4, average_price: 25 }]);
  await end();
});

test('an order that waits at a broker is cancelled', async () => {
  const { broker, market, next, shown, notified, end } = await ordered(WAITING);
  const [order] = broker.working;
  await market.declare();
  await next();
  expect(broker.cancels).toContain(order?.client_order_id);
  expect(await shown()).toMatchObject({ status: 'error', positions: [] });
  expect(await notified('deployment_error')).toMatchObject([{ body: expect.stringContaining(NOTICE) }]);
  await end();
});
