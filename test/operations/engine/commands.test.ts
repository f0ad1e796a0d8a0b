import { beforeEach, expect, test } from '@jest/globals';
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
import { type Command, commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { BITCOIN, feed, hubDeployed, setupOf, subsOf } from '../../support/hub-deployments.ts';
import { commandEngine, endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader, undeployTrading } from '../../support/trading.ts';

const WARM = 20;
const COUNT = WARM + soakable(30, 90);
const SHARES = { ...BITCOIN, symbol: 'AAPL' };
const LIMIT = { ...crossRules(2, 5), max_trades: 1 };

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD', 'AAPL']));
let owner: Awaited<ReturnType<typeof trader>>;
beforeEach(async () => {
  owner = await trader(hub, { symbol: 'BTCUSD,AAPL' });
  for (const facts of [BITCOIN, SHARES]) await removeSeries(hub.runtime.store, facts);
});

const BY = { by: 'user', reason: 'Test.' } as const;
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

/** Rules that enter by limit orders which seldom fill, and hold what they buy. */
const waiting = (percent: number) => {
  const [entry] = LIMIT.entries;
  return { ...LIMIT, entries: [{ ...entry, limit: { percent } }], exits: [] };
};

/** Checks that no entry was placed or filled between a pause or a halt and the next resume. */
const expectNoEntries = async (id: number): Promise<void> => {
  const { holds } = await findInputs(hub.runtime.store, id);
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
      fc.array(STEPS, { minLength: 10, maxLength: soakable(14, 60) }),
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
    { numRuns: soakable(3, 60) },
  );
});
