import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import type { JobReport } from '../../../functions/jobs/job.ts';
import { fromAttributes } from '../../../shared/data/table/attributes.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { DrillTraffic, type Step, traffic } from '../../support/drill-traffic.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { expectedFills, feed, fillsOf } from '../../support/hub-deployments.ts';
import { worker } from '../../support/hub-engine.ts';
import { runJob } from '../../support/jobs.ts';
import { startBus } from '../../support/live-deployments.ts';
import { login, outbox } from '../../support/people.ts';
import { shown, sumOver } from '../../support/plain-books.ts';
import { randomBars } from '../../support/random-bars.ts';
import { restore, type Snapshot, snapshotOf, tornSnapshotOf } from '../../support/restored.ts';
import { soakable } from '../../support/soak.ts';
import { explore, furnishWithInstruments } from '../../support/strategies.ts';
import { json, startUpstream, type Upstream } from '../../support/upstream.ts';

const WARM = 12;
const BARS = randomBars(6, soakable(50, 150));
const MINUTE_MS = 60_000;

let bus: Upstream;
let mails: Upstream;
let hub: TestHub;
const environment = { ...process.env };
beforeAll(async () => {
  bus = await startBus();
  mails = await startUpstream(json({ MessageId: 'm-1' }));
  process.env.AWS_ENDPOINT_URL_SESV2 = mails.url;
});
afterAll(async () => {
  process.env = environment;
  await Promise.all([bus.close(), mails.close()]);
});

const byId = (left: { id: number }, right: { id: number }): number => left.id - right.id;

/** Returns what the plain model says that people see. */
const expectedView = ({ people, strategies, deployments, signals, paper }: DrillTraffic) => ({
  explore: strategies
    .filter(({ isListed }) => isListed)
    .map(({ strategy_id }) => strategy_id)
    .toSorted(),
  people: people.map((_, owner) => {
    const own = deployments.filter((one) => one.owner === owner);
    const ended = own.filter(({ hasEnded }) => hasEnded).length;
    // The hub's own deployment is the first person's.
    const running = own.length - ended + (owner === 0 && paper !== 0 ? 1 : 0);
    return {
      canSignIn: true,
      strategies: strategies
        .filter((one) => one.owner === owner)
        .map(({ strategy_id: id, likes }) => ({ id, likes: likes.size }))
        .toSorted(byId),
      signals: signals[owner] ?? 0,
      running,
      ended,
    };
  }),
  books: deployments
    .map(({ id, books }) => ({
      id,
      realized: shown(books.realized, 'USD'),
      fees: shown(
        sumOver([books], ({ fees }) => fees),
        'USD',
      ),
    }))
    .toSorted(byId),
});

type View = ReturnType<typeof expectedView>;

/** Returns what people see. */
const viewOf = async (on: TestHub, { people, deployments }: DrillTraffic): Promise<View> => {
  const get = async (operation: string, query: Record<string, string>) =>
    (await on.call(`GET /${operation}`, { query })).body;
  const [first] = people;
  const listed = (await explore(on, first?.user_id ?? '', { size: '100' })).body;
  expect(listed.total).toBe(listed.items.length);
  const books: View['books'] = [];
  const seen: View['people'] = [];
  for (const [owner, { email, user_id }] of people.entries()) {
    const strategies = await get('get_strategies_by_user', { user_id, size: '100' });
    const stats = await get('get_live_deployments_aggregated_stats', { user_id });
    const notifications = await get('get_deployment_notifications', { user_id, size: '100' });
    seen.push({
      canSignIn: (await login(on, email)).status === 200,
      strategies: strategies.items
        .map(({ strategy_id: id, like_count: likes }: { strategy_id: number; like_count: number }) => ({
          id,
          likes,
        }))
        .toSorted(byId),
      signals: notifications.items.filter(({ kind }: { kind: string }) => kind === 'signal_buy').length,
      running: stats.deployments.requested + stats.deployments.active,
      ended: stats.deployments.stopped,
    });
    const ids = deployments.filter((one) => one.owner === owner).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += 50) {
      const { pnl } = await get('get_live_deps_pnl', {
        user_id,
        deployment_ids: ids.slice(from, from + 50).join(),
      });
      for (const { deployment_id: id, realized_pnl: realized, fees, error } of pnl) {
        if (!error) books.push({ id, realized, fees });
      }
    }
  }
  return {
    explore: listed.items.map(({ strategy_id }: { strategy_id: number }) => strategy_id).toSorted(),
    people: seen,
    books: books.toSorted(byId),
  };
};

const mailSchema = z.object({
  delivery_id: z.string(),
  message: z.object({ kind: z.literal('notification_mail') }),
});

/** Returns the ids of the mails that wait in a snapshot. */
const waitingMails = (snapshot: Snapshot): string[] =>
  snapshot.flatMap((item) => {
    const found = mailSchema.safeParse(fromAttributes(item));
    return found.success ? [found.data.delivery_id] : [];
  });

const sentMails = (): (string | undefined)[] =>
  mails.received.map(({ body }) => /"X-Delivery-Id","Value":"([^"]+)"/.exec(body)?.[1]);

const reconcile = (on: TestHub): Promise<JobReport> =>
  runJob(on.runtime, { job: 'reconcile-lists', by_hand: true });

const repairs = ({ round }: JobReport): Record<string, number> =>
  Object.fromEntries(
    Object.entries(round?.counts ?? {}).filter(([name]) =>
      /\.(repaired|busy|unreadable|too_large)$/.test(name),
    ),
  );

/** Delivers everything that waits, as the schedules do. */
const deliverAll = async (on: TestHub): Promise<void> => {
  for (let run = 0; (await outbox(on)).length > 0; run++) {
    if (run > 20) throw new Error('messages stay in the outbox');
    on.advance(2 * MINUTE_MS);
    await runJob(on.runtime, { job: 'sweep-deliveries' });
    await runJob(on.runtime, { job: 'sweep-bulk' });
  }
};

/** Lets the engines repeat all events of the deployments that the restored table knows. */
const repeatEvents = async (restored: TestHub, { reported }: DrillTraffic, known: ReadonlySet<number>) => {
  for (const { deployment, event } of reported) {
    if (known.has(deployment)) await takeEvent(restored.runtime, event);
  }
  await deliverAll(restored);
};

const deploymentsOf = ({ books }: View): ReadonlySet<number> => new Set(books.map(({ id }) => id));

const booksOf = ({ books }: View, known: ReadonlySet<number>) => books.filter(({ id }) => known.has(id));

/** Sends the engine all bars again, as a feed does that makes up for lost ones, and checks its orders. */
const goOnTrading = async (restored: TestHub, { paper }: DrillTraffic): Promise<void> => {
  await feed(restored, sliceBars(BARS, WARM, BARS.start.length), [worker(restored)]);
  const expected = await expectedFills(restored, paper, BARS);
  expect(expected.length).toBeGreaterThan(0);
  expect(await fillsOf(restored, paper)).toEqual(expected);
};

const steps = (least: number, most: number) =>
  fc.array(traffic, { minLength: least, maxLength: most, size: 'max' });

/** Runs drills, each on a hub of its own with some traffic before. */
const drill = (
  runs: number,
  before: fc.Arbitrary<Step[]>,
  after: fc.Arbitrary<Step[]>,
  run: (world: DrillTraffic, after: readonly Step[]) => Promise<void>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(before, after, async (earlier, later) => {
      hub = await startHub();
      mails.received.length = 0;
      try {
        await furnishWithInstruments(hub, ['AAPL', 'BTCUSD']);
        const world = new DrillTraffic(hub, BARS, WARM);
        await world.begin();
        for (const step of earlier) await world.carryOut(step);
        await run(world, later);
      } finally {
        await hub.close();
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );

test('a restored table has all that was acknowledged, needs no repair, sends what waited once, and goes on', async () => {
  const before = steps(20, soakable(30, 150));
  await drill(soakable(1, 5), before, steps(3, 10), async (world, [crossing, ...after]) => {
    const sentBefore = sentMails();
    const acknowledged = expectedView(world);
    const [snapshot] = await Promise.all([
      snapshotOf(hub.runtime.store),
      crossing && world.carryOut(crossing),
    ]);
    const possible = expectedView(world);
    for (const step of after) await world.carryOut(step);
    mails.received.length = 0;

    const restored = hub.over(await restore(snapshot, hub.runtime.store));
    const view = await viewOf(restored, world);
    expect([acknowledged, possible]).toContainEqual(view);

    await deliverAll(restored);
    expect(repairs(await reconcile(restored))).toEqual({});
    expect(sentMails().toSorted()).toEqual(waitingMails(snapshot).toSorted());
    expect(sentMails().filter((id) => sentBefore.includes(id))).toEqual([]);

    const known = deploymentsOf(view);
    await repeatEvents(restored, world, known);
    expect(booksOf(await viewOf(restored, world), known)).toEqual(booksOf(expectedView(world), known));
    await goOnTrading(restored, world);
    expect(repairs(await reconcile(restored))).toEqual({});
  });
});

test('a table restored with parts of transactions has its lists and counts repaired by the job, and goes on', async () => {
  const before = steps(20, soakable(20, 80));
  // The job does not rebuild books from orders, so none change meanwhile.
  const during = steps(15, soakable(30, 90)).map((all) =>
    all.filter((step) => step.do !== 'fill' && step.do !== 'bars'),
  );
  await drill(soakable(1, 5), before, during, async (world, after) => {
    const goOn = async (): Promise<void> => {
      for (const step of after) await world.carryOut(step);
    };
    const [snapshot] = await Promise.all([tornSnapshotOf(hub.runtime.store), goOn()]);
    const restored = hub.over(await restore(snapshot, hub.runtime.store));
    await deliverAll(restored);
    const known = deploymentsOf(await viewOf(restored, world));
    await repeatEvents(restored, world, known);
    // The first round enters likes without an item, and puts cards back; the next ones compare counts with them.
    for (let round = 0; round < 3; round++) await reconcile(restored);
    expect(repairs(await reconcile(restored))).toEqual({});
    expect(booksOf(await viewOf(restored, world), known)).toEqual(booksOf(expectedView(world), known));
    await goOnTrading(restored, world);
  });
});
