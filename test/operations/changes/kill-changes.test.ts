import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { findDueWebhooks } from '../../../shared/data/webhooks/find-deliveries.ts';
import type { ChangeEvent } from '../../../shared/domain/changes/change-event.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { approvedBroker, linkAccount, type TestBroker, tokenOf } from '../../support/brokers.ts';
import { brokerEventsOf, carryAll, eventsOf, listen, waitingChanges } from '../../support/changes.ts';
import { moveChanges } from '../../support/functions/changes.ts';
import { deliverTrial } from '../../support/functions/webhook-deliveries.ts';
import type { TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { openWebhooks } from '../../support/open-webhooks.ts';
import { freshEmail, loginSteppedUp, register } from '../../support/people.ts';
import { soakable } from '../../support/soak.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, reportOrder } from '../../support/trading.ts';
import { asBroker, asUser, type Caller, registerProven } from '../../support/webhooks.ts';

const CLIENTS = 2;
const DEPLOYMENTS = 2;

const HOUR_MS = 3_600_000;

const { hub, receiver } = await openWebhooks(furnishWithInstruments);

/** Registers a webhook endpoint at a path of the receiver. */
const addEndpoint = async (caller: Caller, path: string): Promise<void> => {
  const json = { url: `${receiver.url}/${path}` };
  await registerProven(hub, caller, json);
  await carryAll(hub);
};

let broker: TestBroker;
beforeAll(async () => {
  broker = await approvedBroker(hub);
  await listen(hub, { broker_id: broker.broker_id });
  await addEndpoint(asBroker(broker), 'broker');
});

/** Returns the ids of the events that arrived at a path. */
const arrivedAt = (path: string): string[] =>
  receiver.received
    .filter(({ url }) => url.pathname === `/${path}`)
    .map(({ headers }) => String(headers['webhook-id']));

interface Client {
  readonly user_id: string;
  readonly ids: readonly number[];
}

/** Returns a user who listens, with deployments at a broker that listens. */
const client = async (): Promise<Client> => {
  const email = freshEmail();
  const { body: user } = await register(hub, { email });
  await linkAccount(hub, email, broker.subdomain, await tokenOf(hub, broker, `acc-${email}`));
  await listen(hub, { user_id: user.user_id });
  await addEndpoint(asUser((await loginSteppedUp(hub, email)).body), user.user_id);
  const ids: number[] = [];
  for (let n = 0; n < DEPLOYMENTS; n++) {
    const { body: strategy } = await build(hub, { user_id: user.user_id, symbol: 'AAPL' });
    const form = { broker_id: String(broker.broker_id) };
    ids.push((await deployTrading(hub, strategy.keygen, form)).body.deployment_id);
  }
  return { user_id: user.user_id, ids };
};

/** A report, or a worker that dies with a write, before it or after it. */
const step = fc.record({
  client: fc.nat(CLIENTS - 1),
  deployment: fc.nat(DEPLOYMENTS - 1),
  order: fc.nat(3),
  sells: fc.boolean(),
  dies: fc.record({ at: fc.constantFrom('commit', 'move', 'nothing'), isAfter: fc.boolean() }),
  movers: fc.nat(2),
  message: fc.nat(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const dying = (isAfter: boolean, counted?: 'single'): TestHub =>
  hub.over(new DyingStore(hub.runtime.store, 1, isAfter, counted));

const isDeath = (error: unknown): boolean => error instanceof Error && error.message === 'the process died';

/** Lets a worker do something. Its death is no failure. */
const survive = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!isDeath(error)) throw error;
  }
};

/** Makes an attempt at a delivery whose worker dies, and lets another one make the rest of the first attempts. */
const deliverSome = async ({ message, dies }: Step): Promise<void> => {
  const due = await findDueWebhooks(hub.runtime.store, new Date(hub.runtime.clock().getTime() + 1e9), 1000);
  const fresh = due.filter(({ attempts }) => attempts === 0);
  const unlucky = fresh[message % Math.max(1, fresh.length)];
  for (const one of fresh) {
    const at = one === unlucky ? dying(dies.isAfter, 'single') : hub;
    await survive(() => deliverTrial(at.runtime, one.delivery_id, one.attempts));
  }
};

/** Makes all further attempts. */
const deliverRest = async (): Promise<void> => {
  for (;;) {
    hub.advance(HOUR_MS);
    if ((await findDueWebhooks(hub.runtime.store, hub.runtime.clock(), 1)).length === 0) return;
    await runJob(hub.runtime, { job: 'sweep-webhooks' });
  }
};

const run = async (clients: readonly Client[], one: Step, number: number): Promise<void> => {
  const { dies } = one;
  const id = clients[one.client]?.ids[one.deployment] ?? 0;
  const detail = {
    client_order_id: `o-${one.order}-${one.sells}`,
    side: one.sells ? 'sell' : 'buy',
    sequence: number + 1,
    status: 'open',
    filled_quantity: '0',
  };
  if (dies.at === 'commit') await survive(() => reportOrder(dying(dies.isAfter), id, detail));
  // The engine repeats what was not acknowledged.
  await reportOrder(hub, id, detail);
  const waiting = await waitingChanges(hub);
  const message = waiting[one.message % Math.max(1, waiting.length)];
  if (message === undefined) return;
  if (dies.at === 'move') await survive(() => moveChanges(dying(dies.isAfter).runtime, message, 0));
  await Promise.all(Array.from({ length: one.movers }, () => moveChanges(hub.runtime, message, 0)));
  if (one.message % 3 === 0) await deliverSome(one);
};

const idsOf = (events: readonly ChangeEvent[], id: number): string[] =>
  events.filter(({ deployment_id }) => deployment_id === id).map((event) => event.id);

test('every change is in each log exactly once and in order, and arrives at each webhook, however workers die, repeat and overtake', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: soakable(12, 60) }), async (steps) => {
      const clients: Client[] = [];
      while (clients.length < CLIENTS) clients.push(await client());
      for (const [number, one] of steps.entries()) await run(clients, one, number);
      const ofBroker = await brokerEventsOf(hub, broker.broker_id);
      expect(await waitingChanges(hub)).toEqual([]);
      await deliverRest();
      expect(new Set(arrivedAt('broker'))).toEqual(new Set(ofBroker.map((event) => event.id)));
      for (const { user_id, ids } of clients) {
        const own = await eventsOf(hub, user_id);
        expect(own.every(({ deployment_id }) => ids.includes(deployment_id ?? 0))).toBe(true);
        expect(new Set(arrivedAt(user_id))).toEqual(new Set(own.map((event) => event.id)));
        for (const id of ids) {
          const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
          const count = asDeployment(item)?.change_seq ?? 0;
          const events = own.filter(({ deployment_id }) => deployment_id === id);
          expect(events.map(({ sequence }) => sequence)).toEqual(
            Array.from({ length: count }, (_, index) => index + 1),
          );
          expect(count).toBeGreaterThan(0);
          expect(new Set(idsOf(events, id)).size).toBe(count);
          expect(idsOf(ofBroker, id)).toEqual(idsOf(events, id));
        }
      }
    }),
    { numRuns: soakable(2, 25), endOnFailure: true },
  );
});
