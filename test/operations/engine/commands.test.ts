import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { findInputs } from '../../../shared/data/engine/inputs.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { openPositions } from '../../../shared/domain/ledger/account.ts';
import type { Command } from '../../../shared/lifecycle/commands/command.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { BITCOIN, feed, hubDeployed, setupOf, subsOf } from '../../support/hub-deployments.ts';
import { commandEngine, endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { barsAt, closeIs } from '../../support/small-backtests.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader, undeployTrading } from '../../support/trading.ts';

const WARM = 20;
const COUNT = WARM + soakable(30, 90);
const SHARES = { ...BITCOIN, symbol: 'AAPL' };

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD', 'AAPL']));
let owner: Awaited<ReturnType<typeof trader>>;
beforeEach(async () => {
  owner = await trader(hub, { symbol: 'BTCUSD,AAPL' });
  for (const facts of [BITCOIN, SHARES]) await removeSeries(hub.runtime.store, facts);
});

const BY = { by: 'user', reason: 'Test.' } as const;

/** Deployments of a test. Those of others would keep the same programs. */
const running: number[] = [];
afterEach(async () => {
  for (const id of running.splice(0)) {
    await commandDeployment(hub.runtime, id, { ...BY, action: 'stop' });
    await endEngine(worker(hub), id);
  }
});

const command = (id: number, given: Pick<Command, 'action' | 'flatten'>) =>
  commandDeployment(hub.runtime, id, { ...BY, ...given });

const deploymentOf = async (id: number) => {
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return deployment;
};

const heldBy = async (id: number): Promise<string[]> =>
  openPositions(unpackLedger((await deploymentOf(id)).ledger).head).map(([symbol]) => symbol);

const parityOf = async (id: number) =>
  (await hub.call('GET /get_parity', { query: { user_id: owner.user_id, deployment_id: String(id) } })).body;

/** Checks that no entry was placed or filled between a pause or a halt and the next resume. */
const expectNoEntries = async (id: number): Promise<void> => {
  const { commands } = await findInputs(hub.runtime.store, id);
  const holds = commands.filter((command) => 'afters' in command);
  for (const order of await findAllOrders(hub.runtime.store, id)) {
    const [symbol = '', placed = '', kind = ''] = order.client_order_id.split(':');
    if (!kind.startsWith('e')) continue;
    const isHeld = (at: number) =>
      (holds.findLast(({ afters }) => (afters[symbol] ?? 0) < at)?.type ?? 'resume') !== 'resume';
    const filled = order.filled_quantity === '0' ? [] : [order.updated_at];
    expect([order.client_order_id, [Number(placed), ...filled].filter(isHeld)]).toEqual([
      order.client_order_id,
      [],
    ]);
  }
};

const STEPS = fc.oneof(
  { weight: 5, arbitrary: fc.record({ bars: fc.integer({ min: 1, max: 4 }), serve: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      action: fc.constantFrom<Command['action']>('pause', 'resume', 'resume', 'halt'),
      flatten: fc.boolean(),
      serve: fc.nat(3),
    }),
  },
);

test('accounts follow commands exactly, for any bars, crashes, backlogs and numbers of workers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEPS, { minLength: 10, maxLength: soakable(14, 40) }),
      fc.nat(),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (steps, seed, dyingCall, isFlatten) => {
        const bars = randomBars(seed, COUNT);
        for (const facts of [BITCOIN, SHARES]) {
          await removeSeries(hub.runtime.store, facts);
          await appendBars(hub.runtime.store, facts, sliceBars(bars, 0, WARM));
        }
        const exits = [{ side: 'long', when: { bars_in_trade: 4 } }];
        const id = await hubDeployed(hub, owner, setupOf(crossRules(1, 3, { exits }), ['BTCUSD', 'AAPL']));
        running.push(id);
        const warm = worker(hub);
        await startEngine(warm, id);
        let next = WARM;
        for (const [index, step] of steps.entries()) {
          hub.advance(1000);
          const store = new DyingStore(hub.runtime.store, dyingCall, index % 2 === 0, 'together');
          const workers = [[], [warm], [warm, worker(hub)], [worker(hub, { store }), warm]][step.serve] ?? [];
          if ('bars' in step) {
            const batch = sliceBars(bars, next, Math.min(COUNT, next + step.bars));
            next = Math.min(COUNT, next + step.bars);
            // The second symbol may lag behind.
            for (const facts of index % 3 === 0 ? [BITCOIN] : [BITCOIN, SHARES]) {
              await feed(hub, batch, workers, facts).catch((error: unknown) => {
                expect(String(error)).toMatch(/AggregateError|died/);
              });
            }
          } else {
            await command(id, step);
            for (const on of workers)
              await commandEngine(on, id).catch((error: unknown) => {
                expect(String(error)).toMatch(/AggregateError|died/);
              });
          }
        }
        await command(id, { action: 'stop', flatten: isFlatten });
        await endEngine(worker(hub), id);
        expect(await deploymentOf(id)).toMatchObject({ status: 'stopped', stop_reason: 'user' });
        const parity = await parityOf(id);
        expect(parity.differences).toEqual([]);
        expect(parity.is_complete).toBe(true);
        await expectNoEntries(id);
        const orders = await findAllOrders(hub.runtime.store, id);
        expect(orders.filter(({ status }) => status === 'open')).toEqual([]);
        if (isFlatten) expect(await heldBy(id)).toEqual([]);
      },
    ),
    { numRuns: soakable(2, 20) },
  );
});

/** Deploys rules over bars of both symbols, of which the last `left` are stored and not worked on. */
const backlogged = async (rules: unknown, closes: readonly number[], left: number) => {
  const bars = barsAt(closes);
  const head = closes.length - left;
  for (const facts of [BITCOIN, SHARES]) await appendBars(hub.runtime.store, facts, sliceBars(bars, 0, 2));
  const id = await hubDeployed(hub, owner, setupOf(rules, ['BTCUSD', 'AAPL']));
  running.push(id);
  const on = worker(hub);
  await startEngine(on, id);
  for (const facts of [BITCOIN, SHARES]) {
    await feed(hub, sliceBars(bars, 2, head), [on], facts);
    await appendBars(hub.runtime.store, facts, sliceBars(bars, head));
  }
  return { id, on, at: (index: number) => bars.start[index] };
};

const ordersOf = async (id: number) =>
  (await findAllOrders(hub.runtime.store, id))
    .map(({ client_order_id, status, status_message, average_price, updated_at }) => [
      client_order_id.split(':')[0],
      status,
      status_message ?? null,
      average_price ?? null,
      updated_at,
    ])
    .toSorted();

test('a stop with flattening cancels limit orders and closes trades of all symbols, also behind a backlog', async () => {
  const market = { side: 'long', when: closeIs(100), size: { type: 'units', units: 5 } };
  const limit = {
    side: 'long',
    when: closeIs(103),
    size: { type: 'units', units: 5 },
    limit: { percent: -50 },
  };
  const rules = { schema: 'hub.rules/1', entries: [market, limit], pyramid: true, max_trades: 2 };
  const { id, on, at } = await backlogged(rules, [98, 99, 100, 101, 103, 104, 106], 3);
  hub.takeCalls();
  const { body, status } = await hub.call('POST /stop_deployment', {
    query: { user_id: owner.user_id, deployment_id: String(id), flatten: 'true', reason: 'Enough.' },
  });
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  expect([status, body.status, body.stop_reason]).toEqual([200, 'stopped', 'user']);
  await endEngine(on, id);
  await endEngine(worker(hub), id);
  expect(await ordersOf(id)).toEqual(
    ['AAPL', 'BTCUSD'].flatMap((symbol) => [
      [symbol, 'cancelled', 'the deployment has ended', null, at(6)],
      [symbol, 'filled', null, '101', at(3)],
      [symbol, 'filled', 'all positions are closed', '106', at(6)],
    ]),
  );
  expect(await heldBy(id)).toEqual([]);
  expect(await subsOf(hub, setupOf(rules, ['BTCUSD']))).toEqual([]);
  expect((await parityOf(id)).differences).toEqual([]);
});

test('undeploying cancels what waits and leaves positions open; bars that closed before still count', async () => {
  const market = { side: 'long', when: closeIs(100), size: { type: 'units', units: 5 } };
  const rules = { schema: 'hub.rules/1', entries: [market] };
  const { id, on, at } = await backlogged(rules, [98, 99, 99, 100, 101, 102], 3);
  await undeployTrading(hub, owner.user_id, id);
  await endEngine(on, id);
  await appendBars(hub.runtime.store, BITCOIN, barsAt([98, 99, 99, 100, 101, 102, 100, 100]));
  expect(await ordersOf(id)).toEqual([
    ['AAPL', 'filled', null, '101', at(4)],
    ['BTCUSD', 'filled', null, '101', at(4)],
  ]);
  expect((await heldBy(id)).toSorted()).toEqual(['AAPL', 'BTCUSD']);
  expect((await parityOf(id)).differences).toEqual([]);
});

/** Store that runs something before the first transaction with a check of a series. */
class InterruptedStore extends Store {
  readonly #inner: Store;
  #before: (() => Promise<unknown>) | undefined;
  constructor(inner: Store, before: () => Promise<unknown>) {
    super(inner.client, inner.table);
    this.#inner = inner;
    this.#before = before;
  }
  override async transact(writes: readonly Write[]): Promise<void> {
    if (writes.some((write) => 'check' in write)) {
      const before = this.#before;
      this.#before = undefined;
      await before?.();
    }
    return this.#inner.transact(writes);
  }
}

test('a bar that arrives while a pause is written comes before it', async () => {
  const market = { side: 'long', when: closeIs(100), size: { type: 'units', units: 5 } };
  const { id, on } = await backlogged({ schema: 'hub.rules/1', entries: [market] }, [98, 99, 99], 0);
  const arriving = barsAt([98, 99, 99, 100]);
  const store = new InterruptedStore(hub.runtime.store, () => feed(hub, sliceBars(arriving, 3), [on]));
  const paused = await commandDeployment({ ...hub.runtime, store }, id, { ...BY, action: 'pause' });
  expect(paused?.outcome).toBe('done');
  const { commands: holds } = await findInputs(hub.runtime.store, id);
  expect(holds).toMatchObject([
    { type: 'pause', afters: { BTCUSD: arriving.start[3], AAPL: arriving.start[2] } },
  ]);
  await commandEngine(on, id);
  // The entry of that bar was placed, and is cancelled before it fills.
  await feed(hub, sliceBars(barsAt([98, 99, 99, 100, 101, 102]), 4), [on]);
  expect(await ordersOf(id)).toEqual([
    ['BTCUSD', 'cancelled', 'the deployment is paused', null, arriving.start[3]],
  ]);
  expect((await parityOf(id)).differences).toEqual([]);
});

test('a paused account says so in its decisions and in the view of its owner, until it is resumed', async () => {
  const market = { side: 'long', when: closeIs(100), size: { type: 'units', units: 5 } };
  const { id, on } = await backlogged({ schema: 'hub.rules/1', entries: [market] }, [98, 99, 99], 0);
  const view = async () => {
    hub.takeCalls();
    const { body } = await hub.call('GET /get_deployment_engine', {
      query: { user_id: owner.user_id, deployment_id: String(id) },
    });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    return body.symbols[0];
  };
  await commandDeployment(hub.runtime, id, { action: 'pause', by: 'risk_limit', reason: 'Daily loss.' });
  const closes = [98, 99, 99, 100, 101, 99, 98, 100, 102];
  await feed(hub, sliceBars(barsAt(closes), 3, 6), [on]);
  expect(await view()).toMatchObject({
    waits_for: expect.stringMatching(/^takes no entries \(paused by risk limit: Daily loss\.\); /),
    orders: [],
    trades: [],
  });
  expect((await view()).decisions.at(-1).text).toMatch(/no entry, the deployment is paused$/);
  await command(id, { action: 'resume' });
  expect((await view()).waits_for).toMatch(/^waits for an entry/);
  await feed(hub, sliceBars(barsAt(closes), 6), [worker(hub)]);
  expect((await view()).trades).toMatchObject([{ quantity: 5, entry_price: 102 }]);
  expect((await parityOf(id)).differences).toEqual([]);
});
