import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { beginTurn } from '../../../functions/jobs/webhooks/turns.ts';
import { LocalQueue } from '../../../infra/local/services/queue.ts';
import { LANES } from '../../../shared/data/outbox/lanes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { asEndpointState } from '../../../shared/data/webhooks/endpoint-states.ts';
import { asEndpoints, endpointsKey } from '../../../shared/data/webhooks/endpoints.ts';
import { webhookWrites } from '../../../shared/data/webhooks/webhook-writes.ts';
import { deliverRecords } from '../../../shared/deliveries/batch.ts';
import { approvedBroker } from '../../support/brokers.ts';
import { deliverTrial, deliverWebhook } from '../../support/functions/webhook-deliveries.ts';
import { runJob } from '../../support/jobs.ts';
import { accept, openWebhooks } from '../../support/open-webhooks.ts';
import { furnish } from '../../support/people.ts';
import { until } from '../../support/until.ts';
import { asBroker, type Caller, deliverNew, registerProven } from '../../support/webhooks.ts';

const { hub, receiver } = await openWebhooks(furnish);
const { store, clock, random } = hub.runtime;

const EVENTS = 30;

interface Pointer {
  readonly lane: 'webhooks' | 'trials';
  readonly body: string;
  readonly group: string;
}

let events = 0;

/** Stores deliveries of an event, as the change log does. Returns the pointers that the relay hands to the queues. */
const send = async (caller: Caller): Promise<Pointer[]> => {
  const [item] = await store.getMany([endpointsKey(caller.owner)], { consistent: true });
  const event = { id: `event-${++events}`, type: 'order.filled', at: clock().toISOString(), data: {} };
  const writes = webhookWrites(asEndpoints(item), event, { now: clock(), random });
  await store.transact(writes);
  return writes.flatMap((write): Pointer[] => {
    if (!('put' in write)) return [];
    const { entity, group, delivery_id } = write.put;
    const body = JSON.stringify({ delivery_id, attempts: 0, group });
    return [{ lane: entity === LANES.trials.entity ? 'trials' : 'webhooks', body, group: String(group) }];
  });
};

const owner = async (path: string): Promise<Caller> => {
  const caller = asBroker(await approvedBroker(hub));
  await registerProven(hub, caller, { url: `${receiver.url}/${path}` });
  return caller;
};

const arrived = (path: string): number =>
  receiver.received.filter(({ url }) => url.pathname === `/${path}`).length;

/** Answers of slow endpoints that are held back. */
let held: (() => void)[] = [];

/** Holds the answers of paths that begin with `slow` back, until they are let go. */
const holdSlow = (): void => {
  receiver.answer = (request, response) => {
    if (!request.url.pathname.startsWith('/slow')) return accept(request, response);
    return new Promise<void>((resolve) => {
      held.push(() => {
        response.writeHead(204).end();
        resolve();
      });
    });
  };
};

const letGo = (): void => {
  const waiting = held;
  held = [];
  for (const answer of waiting) answer();
};

afterEach(() => {
  letGo();
  receiver.answer = accept;
  receiver.received.length = 0;
  jest.restoreAllMocks();
});

/** A queue of a lane, with its function. */
const queueOf = (lane: Pointer['lane']): LocalQueue => {
  const { batchSize, maxConcurrency } = LANES[lane].queue;
  const deliver = lane === 'trials' ? deliverTrial : deliverWebhook;
  return new LocalQueue(
    {
      name: lane,
      region: 'eu-west-1',
      fifo: true,
      batchSize,
      concurrency: maxConcurrency,
      maxReceives: 5,
      visibilityMs: 60_000,
      invoke: ({ Records }) => deliverRecords(deliver, hub.runtime, { Records }),
      onDeadLetter: () => undefined,
      state: {
        addMessages: (messages) => messages.map((message, index) => ({ ...message, id: index })),
        removeMessages: () => undefined,
      },
    },
    [],
  );
};

describe('new endpoints', () => {
  test('of three owners that do not answer hold up no event of a fourth owner', async () => {
    const slow = await Promise.all(['slow-a', 'slow-b', 'slow-c'].map(owner));
    const fourth = await owner('fourth');
    holdSlow();
    // The slow ones answer only once the test lets them.
    const never = new AbortController().signal;
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(never);
    const queue = queueOf('trials');
    const pointers: Pointer[] = [];
    for (let event = 0; event < EVENTS; event += 1) {
      for (const caller of slow) pointers.push(...(await send(caller)));
    }
    for (let event = 0; event < EVENTS; event += 1) pointers.push(...(await send(fourth)));
    expect(new Set(pointers.map(({ lane }) => lane))).toEqual(new Set(['trials']));
    for (const { body, group } of pointers) {
      queue.send([{ body, group, deduplicationId: body }]);
    }
    await until(() => Promise.resolve(arrived('fourth') === EVENTS));
    // Each of them holds one function, whatever waits.
    expect(['slow-a', 'slow-b', 'slow-c'].map(arrived)).toEqual([1, 1, 1]);
    const letting = setInterval(letGo, 5);
    await queue.drain();
    clearInterval(letting);
    await queue.close();
  });

  test('leave the lane of trials after three fast answers, and come back with a slow or failed one', async () => {
    const caller = await owner('standing');
    const laneOf = async () => (await send(caller))[0]?.lane;
    for (let event = 0; event < 3; event += 1) {
      expect(await laneOf()).toBe('trials');
      await deliverNew(hub);
    }
    const pointers: Pointer[] = [];
    for (let event = 0; event < EVENTS; event += 1) pointers.push(...(await send(caller)));
    expect(new Set(pointers.map(({ lane }) => lane))).toEqual(new Set(['webhooks']));
    receiver.received.length = 0;
    receiver.answer = (_request, response) => response.writeHead(500).end();
    for (const { body } of pointers) {
      const { delivery_id, attempts } = JSON.parse(body);
      await deliverWebhook(hub.runtime, delivery_id, attempts);
    }
    // One attempt shows it; the rest is left to the sweep, which gives each owner a turn.
    expect(arrived('standing')).toBe(1);
    expect(await laneOf()).toBe('trials');
    receiver.answer = accept;
    hub.advance(60_000);
    for (let minute = 0; minute < 3; minute += 1) {
      hub.advance(60_000);
      await runJob(hub.runtime, { job: 'sweep-webhooks' });
      await runJob(hub.runtime, { job: 'attend-webhooks' });
    }
    expect(arrived('standing')).toBeGreaterThanOrEqual(EVENTS + 1);
    expect(await laneOf()).toBe('trials');
    hub.advance(600_000);
    for (let event = 0; event < 12; event += 1) {
      await send(caller);
      await deliverNew(hub);
    }
    expect(await laneOf()).toBe('webhooks');
    const [item] = await store.getMany([endpointsKey(caller.owner)]);
    const [endpoint] = asEndpoints(item)?.endpoints ?? [];
    const [state] = await store.getMany([keys.webhookEndpoint(endpoint?.endpoint_id ?? '')]);
    expect(asEndpointState(state)).toMatchObject({ strikes: 0 });
    expect(asEndpointState(state)?.trial_left).toBeUndefined();
  });
});

test('the sweep runs the events of an owner in turn, and those of others meanwhile', async () => {
  const [slow, other] = [await owner('slow-swept'), await owner('swept')];
  for (let event = 0; event < 15; event += 1) await send(slow);
  for (let event = 0; event < 3; event += 1) await send(other);
  hub.advance(600_000);
  holdSlow();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  const sweeping = runJob(hub.runtime, { job: 'sweep-webhooks' });
  await until(() => Promise.resolve(arrived('swept') === 3 && arrived('slow-swept') === 1));
  const letting = setInterval(letGo, 5);
  await sweeping;
  clearInterval(letting);
  expect(arrived('slow-swept')).toBe(15);
});

test('the turn of an owner ends with its time, and with that of the run', () => {
  let [at, hasTime] = [0, true];
  const goesOn = beginTurn(
    () => hasTime,
    () => at,
  );
  expect(goesOn()).toBe(true);
  at = 20_000;
  expect(goesOn()).toBe(false);
  at = 0;
  hasTime = false;
  expect(goesOn()).toBe(false);
});
