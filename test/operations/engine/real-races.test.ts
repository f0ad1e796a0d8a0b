import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { resumeGuard } from '../../../functions/deployments/commands/resume-guard.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { readSwitches, thrownSwitch } from '../../../shared/data/switches/switches.ts';
import { type BarColumns, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { isFinalOrderStatus } from '../../../shared/domain/orders/order-states.ts';
import type { Command } from '../../../shared/lifecycle/commands/command.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { reArmSwitch, throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, feed, setupOf } from '../../support/hub-deployments.ts';
import { serveEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { haltAll } from '../../support/kill-switch.ts';
import { barsUpTo, liveDeployed, startBus, TestBroker } from '../../support/live-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader } from '../../support/trading.ts';
import type { Upstream } from '../../support/upstream.ts';

const WARM = 40;
const ROUNDS = soakable(3, 15);
const FIXED_ROUNDS = 7;
/** Bars after the rounds, in which everything ends. */
const SPARE = 15;
const DAY_MS = 86_400_000;
/** Enters whenever nothing is open. */
const SETUP = setupOf({
  schema: 'hub.rules/1',
  entries: [{ side: 'long', when: { left: { price: 'close' }, op: 'gt', right: 0 } }],
  exits: [{ side: 'long', when: { bars_in_trade: 2 } }],
});
const environment = { ...process.env };

let bus: Upstream;
let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;

beforeAll(async () => {
  bus = await startBus();
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  owner = await trader(hub, { symbol: 'BTCUSD' });
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
});

const OPS = [
  'bar',
  'deliver',
  'fill',
  'part',
  'end',
  'serve',
  'resume',
  'pause',
  'halt',
  'flatten',
  'throw',
  're_arm',
  'follow',
] as const;

type Kind = (typeof OPS)[number];

/** Things that happen at the same time, each after some milliseconds, and the write at which their worker dies. */
interface Round {
  readonly ops: readonly { readonly kind: Kind; readonly after: number }[];
  readonly writes: number;
  readonly isAfter: boolean;
}

/** A deployment with real orders, its broker and its bars. */
class Race {
  readonly id: number;
  readonly broker: TestBroker;
  readonly #bars: BarColumns;
  readonly #healthy: Worker;
  #next = WARM;

  constructor(id: number, bars: BarColumns) {
    this.id = id;
    this.#bars = bars;
    this.#healthy = worker(hub);
    this.broker = new TestBroker(hub, bus, [this.#healthy]);
  }

  static async start(): Promise<Race> {
    const bars = barsUpTo(hub, randomBars(7, WARM + Math.max(ROUNDS, FIXED_ROUNDS) + SPARE), WARM - 1);
    await removeSeries(hub.runtime.store, BITCOIN);
    await appendBars(hub.runtime.store, BITCOIN, sliceBars(bars, 0, WARM));
    const id = await liveDeployed(hub, owner, SETUP);
    const race = new Race(id, bars);
    await startEngine(race.#healthy, id);
    return race;
  }

  async stored(): Promise<TradingDeployment> {
    const [deployment] = await findDeployments(hub.runtime.store, [this.id]);
    if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
    return deployment;
  }

  async held(): Promise<number> {
    const { ledger } = await this.stored();
    return Number(unpackLedger(ledger).head.symbols.BTCUSD?.position?.quantity ?? 0);
  }

  async command(action: Command['action'], flatten = false): Promise<void> {
    const { runtime } = hub;
    const guard =
      action === 'resume' ? resumeGuard(runtime.store, owner.user_id, runtime.clock()) : undefined;
    const command: Command = { action, by: 'user', reason: 'A test.', flatten };
    await commandDeployment(
      runtime,
      this.id,
      command,
      guard && {
        extraReads: guard.extraReads,
        amend: (effect, before, items) => guard.amend(effect, before, items),
      },
    );
  }

  async isThrown(): Promise<boolean> {
    return thrownSwitch(await readSwitches(hub.runtime.store, { user_id: owner.user_id })) !== undefined;
  }

  async switch(action: 'throw' | 're_arm'): Promise<void> {
    const subject = { level: 'user', user_id: owner.user_id } as const;
    const change = { subject, actor: { by: 'operator' }, reason: 'A test.' } as const;
    if (action === 'throw') await throwSwitch(hub.runtime, { ...change, flatten: false });
    else await reArmSwitch(hub.runtime, change);
  }

  async #tell(kind: 'fill' | 'part' | 'end'): Promise<void> {
    const [order] = this.broker.working;
    if (!order) return;
    const { client_order_id: id, quantity } = order;
    const filled = this.broker.orders.get(id)?.filled ?? 0;
    if (kind === 'end') return this.broker.tell(id, filled === 0 ? 'rejected' : 'cancelled');
    const left = Number(quantity) - filled;
    if (kind === 'part') return this.broker.tell(id, 'partially_filled', Math.floor(left / 2));
    return this.broker.tell(id, 'filled', left);
  }

  /** Feeds the next bar, with a worker that dies, and then with one that does not. */
  async bar(dying?: Worker): Promise<void> {
    const slice = sliceBars(this.#bars, this.#next, this.#next + 1);
    this.#next += 1;
    if (dying) await Promise.allSettled([feed(hub, slice, [dying])]);
    await feed(hub, slice, [this.#healthy]);
  }

  /** Lets everything that is due happen, without anything else at the same time. */
  async settle(): Promise<void> {
    await serveEngine(this.#healthy, this.id);
    await this.broker.settle();
  }

  async #perform(kind: Kind, dying: Worker): Promise<void> {
    const perform: Record<Kind, () => Promise<void>> = {
      bar: () => this.bar(dying),
      deliver: () => this.broker.settle(),
      fill: () => this.#tell('fill'),
      part: () => this.#tell('part'),
      end: () => this.#tell('end'),
      serve: () => serveEngine(dying, this.id),
      resume: () => this.command('resume'),
      pause: () => this.command('pause'),
      halt: () => this.command('halt'),
      flatten: () => this.command('halt', true),
      throw: () => this.switch('throw'),
      re_arm: () => this.switch('re_arm'),
      follow: () => haltAll(hub),
    };
    await perform[kind]();
  }

  async run({ ops, writes, isAfter }: Round): Promise<void> {
    const dying = worker(hub, { store: new DyingStore(hub.runtime.store, writes, isAfter) });
    if (ops.some(({ kind }) => kind === 'bar')) {
      const close = (this.#bars.start[this.#next] ?? 0) + DAY_MS;
      hub.advance(Math.max(0, close - hub.runtime.clock().getTime()));
      this.broker.price = this.#bars.close[this.#next] ?? 0;
    }
    await Promise.allSettled(
      ops.map(async ({ kind, after }) => {
        await sleep(after);
        await this.#perform(kind, dying);
      }),
    );
  }
}

/** Requires that nothing left that a deployment in a state does not let out. */
const expectAdmitted = (
  race: Race,
  asked: number,
  { status }: Pick<TradingDeployment, 'status'>,
  isThrown: boolean,
): void => {
  for (const { type, flatten, client_order_id } of [...race.broker.orders.values()].slice(asked)) {
    const allowed =
      flatten === true ||
      (!isThrown && (status === 'active' || (type === 'Position Close Requested' && status === 'paused')));
    expect([client_order_id, allowed]).toEqual([client_order_id, true]);
  }
};

/** Ends a race, and requires that nothing is left. */
const finish = async (race: Race): Promise<void> => {
  await race.switch('re_arm');
  await race.command('stop', true);
  for (let bar = 0; bar < SPARE; bar += 1) {
    await race.settle();
    await race.broker.fillAll();
    if ((await race.stored()).status === 'stopped') break;
    await race.run({ ops: [{ kind: 'bar', after: 0 }], writes: 0, isAfter: false });
  }
  expect([(await race.stored()).status, await race.held(), race.broker.position]).toEqual(['stopped', 0, 0]);
  const orders = await findAllOrders(hub.runtime.store, race.id);
  expect(orders.filter(({ status }) => !isFinalOrderStatus(status))).toEqual([]);
};

const runAll = async (
  rounds: readonly Round[],
  limits: Parameters<typeof setDeploymentLimits>[3]['limits'],
): Promise<{ readonly entries: number; readonly trips: number }> => {
  const race = await Race.start();
  const { id, broker } = race;
  let trips = 0;
  await setDeploymentLimits(hub.runtime, id, owner.user_id, { limits });
  for (const round of rounds) {
    const before = { asked: broker.orders.size, state: await race.stored(), isThrown: await race.isThrown() };
    await race.run(round);
    broker.receive();
    const kinds = new Set(round.ops.map(({ kind }) => kind));
    if (!kinds.has('resume') && !kinds.has('re_arm')) {
      expectAdmitted(race, before.asked, before.state, before.isThrown);
    }
    // From here on nothing else happens at the same time.
    const asked = broker.orders.size;
    const state = await race.stored();
    if (state.risk?.tripped) {
      trips += 1;
      expect(['paused', 'halted']).toContain(state.status);
    }
    const isThrown = await race.isThrown();
    await race.settle();
    expectAdmitted(race, asked, state, isThrown);
    expect((await race.stored()).status).not.toBe('error');
  }
  const entries = [...broker.orders.values()].filter(({ type }) => type === 'Order Requested').length;
  await finish(race);
  return { entries, trips };
};

test('no order leaves beyond a limit, a command or a switch, whatever fills, resumes or dies at the same time', async () => {
  const [after, just] = [fc.integer({ min: 0, max: 4 }), (kind: Kind) => fc.constant(kind)];
  const often = (['fill', 'resume', 're_arm', 'deliver'] as const).map(just);
  const kind = fc.oneof({ weight: 2, arbitrary: fc.oneof(...often) }, fc.constantFrom(...OPS));
  const op = fc.record({ kind, after });
  // Two deliveries at the same time may send a request twice, with the same id.
  const others = fc.uniqueArray(op, { maxLength: 3, selector: (one) => one.kind });
  const ops = fc
    .tuple(others, after)
    .map(([some, at]) => [...some.filter((one) => one.kind !== 'bar'), { kind: 'bar' as const, after: at }]);
  const round = fc.record({ ops, writes: fc.integer({ min: 1, max: 5 }), isAfter: fc.boolean() });
  const limits = fc.record({
    daily_loss: fc.integer({ min: 1, max: 300 }).map(String),
    action: fc.constantFrom('pause' as const, 'flatten' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }),
      limits,
      async (rounds, own) => {
        await runAll(rounds, own);
      },
    ),
    { numRuns: soakable(1, 6), endOnFailure: true },
  );
});

test('a deployment whose workers die and whose limit is reached goes on after each resume', async () => {
  const kinds = [
    ['bar', 'fill'],
    ['bar', 'fill', 'resume'],
  ] as const;
  const rounds = Array.from({ length: FIXED_ROUNDS }, (_, index) => ({
    ops: (kinds[index % kinds.length] ?? []).map((kind, place) => ({ kind, after: place })),
    writes: 1 + (index % 3),
    isAfter: index % 2 === 0,
  }));
  // Otherwise the property would hold for deployments that never trade, or never trip.
  const { entries, trips } = await runAll(rounds, { daily_loss: '1', action: 'flatten' });
  expect([entries > 1, trips > 0]).toEqual([true, true]);
});
