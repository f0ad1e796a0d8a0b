import { isDeepStrictEqual } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import fc from 'fast-check';
import { RELAY_SOURCE } from '../../functions/consumers.ts';
import { openState } from '../../infra/local/database/state.ts';
import { startStreamPump } from '../../infra/local/database/stream-pump.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { engineClient } from '../support/engine.ts';
import type { TestHub } from '../support/hub.ts';
import { startLaneQueues } from '../support/lane-queues.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { newOwner, onTheBus, type PlannedEvent, plans, SPAN_MS } from '../support/trading-events.ts';
import { type Owner, type TradingState, tradingStateOf } from '../support/trading-state.ts';
import { until } from '../support/until.ts';
import { deliverRemaining, waiting } from './messages.ts';
import { type Mortal, startMortal } from './mortal.ts';
import { type Closing, closingAfter, startScratchHubs } from './scratch-hub.ts';

const TABLE = 'kill';
const OWNERS = 4;
/** Number of deployments of the free plan. */
const DEPLOYMENTS = 5;
/** One of this many events is delivered again after its acknowledgement. */
const REPEATED = 15;
const YEAR_MS = 365 * 86_400_000;
const SEED = 20_261_121;

/** The result of a kill loop. */
export interface Killed {
  readonly events: number;
  readonly deliveries: number;
  readonly kills: number;
  /** Invocations that died with the process. */
  readonly died: number;
  /** Messages whose delivery died, which the sweep must find. */
  readonly left: number;
  readonly trades: number;
  readonly notifications: number;
  readonly seconds: number;
  /** Reasons of unacknowledged events, with their counts. */
  readonly failures: Readonly<Record<string, number>>;
  readonly undisturbed: TradingState;
  readonly disturbed: TradingState;
}

/** Returns the histories of the owners, the same in each run, with unique names. */
const eventsOf = (count: number): PlannedEvent[][] => {
  const perOwner = Math.ceil(count / OWNERS);
  return Array.from({ length: OWNERS }, (_, owner) => {
    const events: PlannedEvent[] = [];
    for (let part = 0; events.length < perOwner; part++) {
      const [sampled = []] = fc.sample(plans(DEPLOYMENTS, 20, { unruly: true }), {
        seed: SEED + owner * 1000 + part,
        numRuns: 1,
      });
      const renamed = sampled.map(({ detail, ...event }) => ({
        ...event,
        detail: {
          ...detail,
          ...('client_order_id' in detail && { client_order_id: `${part}-${detail.client_order_id}` }),
          ...('charge_id' in detail && { charge_id: `${part}-${detail.charge_id}` }),
        },
      }));
      events.push(...renamed.slice(0, perOwner - events.length));
    }
    return events.sort((left, right) => left.after - right.after);
  });
};

/** Returns the events of each deployment in order, like an engine. */
const lanesOf = (owners: readonly Owner[], madeAt: number, events: readonly PlannedEvent[][]): unknown[][] =>
  owners.flatMap((owner, place) =>
    owner.deployments.map((_, deployment) =>
      (events[place] ?? [])
        .filter((event) => event.deployment === deployment)
        .map((event) => onTheBus(owner, madeAt, event)),
    ),
  );

/** Delivers at least once, like the bus: repeats unacknowledged events. */
const feed = (
  mortal: Mortal,
  lanes: readonly unknown[][],
  onTaken: () => void,
  onFailed: (reason: string) => void,
): Promise<unknown> => {
  let sent = 0;
  const deliver = async (event: unknown): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      sent += 1;
      try {
        await mortal.invoke('execution-events', event);
        return;
      } catch (error) {
        onFailed(error instanceof Error ? error.message : String(error));
        if (attempt === 50) throw error;
      }
    }
  };
  return Promise.all(
    lanes.map(async (lane) => {
      const again: Promise<void>[] = [];
      for (const event of lane) {
        await deliver(event);
        onTaken();
        if (sent % REPEATED === 0) again.push(deliver(event));
      }
      await Promise.all(again);
    }),
  );
};

/** Waits until the relay has read everything and the queues are empty. Messages that remain have lost their delivery. */
const drain = (hub: TestHub, due: number): Promise<void> =>
  until(async () => (await waiting(hub, due)).every(({ attempts }) => attempts > 0), 50);

/**
 * Sends events to the functions while it kills their process repeatedly, and the same events to functions that
 * run undisturbed. The database and the stream's reader continue, as on AWS.
 */
export const killLoop = (events: number, kills: number): Promise<Killed> =>
  closingAfter((closing) => runLoop(events, kills, closing));

const runLoop = async (count: number, kills: number, closing: Closing): Promise<Killed> => {
  const { endpoint, client, hubOn } = await startScratchHubs(closing);
  const hub = await hubOn(TABLE);
  await furnishWithInstruments(hub);
  const madeAt = hub.runtime.clock().getTime();
  const clock = madeAt + SPAN_MS;
  const events = eventsOf(count);
  const makeOwners = async (): Promise<Owner[]> => {
    const owners: Owner[] = [];
    while (owners.length < OWNERS) owners.push(await newOwner(hub, DEPLOYMENTS));
    return owners;
  };

  const calm = await makeOwners();
  const began = performance.now();
  const later = { ...hub.runtime, clock: () => new Date(clock + performance.now() - began) };
  await Promise.all(
    lanesOf(calm, madeAt, events).map(async (lane) => {
      for (const event of lane) await takeEvent(later, event);
    }),
  );
  await deliverRemaining(hub, clock);
  const undisturbed = await tradingStateOf(hub.runtime.store, calm);

  const unlucky = await makeOwners();
  let deliveries = 0;
  const queues = await startLaneQueues({
    main: (event) => {
      deliveries += event.Records.length;
      return mortal.invoke('deliver-main', event);
    },
  });
  const mortal = startMortal({
    endpoint,
    table: TABLE,
    clock,
    environment: queues.environment,
  });
  closing.push(mortal.close, () => queues.close(5000));
  const streams = new DynamoDBStreamsClient(engineClient(endpoint));
  closing.push(() => streams.destroy());
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE }));
  const state = openState(undefined);
  closing.push(() => state.close());
  const pump = await startStreamPump({
    client: streams,
    streamArn: Table?.LatestStreamArn ?? '',
    functionName: 'relay',
    source: RELAY_SOURCE,
    invoke: (event) => mortal.invoke('relay', event),
    state,
    // The sweep finds them.
    onDeadLetter: () => undefined,
    onError: (error) => {
      throw error;
    },
    backoffMs: 1,
  });

  const started = performance.now();
  let taken = 0;
  let killed = 0;
  let died = 0;
  const onTaken = (): void => {
    taken += 1;
    if (killed === kills || taken < ((killed + 1) * count) / (kills + 1)) return;
    killed += 1;
    // At any moment of an invocation.
    setTimeout(() => {
      mortal.kill((count) => {
        died += count;
      });
    }, Math.random() * 25);
  };
  const failures: Record<string, number> = {};
  await feed(mortal, lanesOf(unlucky, madeAt, events), onTaken, (reason) => {
    failures[reason] = (failures[reason] ?? 0) + 1;
  });
  const seconds = (performance.now() - started) / 1000;
  await drain(hub, clock + YEAR_MS);
  const left = (await waiting(hub, clock + YEAR_MS)).length;
  await pump.close(5000);
  await deliverRemaining(hub, clock);
  const disturbed = await tradingStateOf(hub.runtime.store, unlucky);
  return {
    events: taken,
    deliveries,
    kills: killed,
    died,
    left,
    trades: disturbed.deployments.reduce((sum, { trades }) => sum + trades.length, 0),
    notifications: disturbed.users.reduce((sum, { notifications }) => sum + notifications.length, 0),
    seconds,
    failures,
    undisturbed,
    disturbed,
  };
};

/** Tells whether nothing was lost and nothing counted twice. */
export const isUnharmed = ({ undisturbed, disturbed }: Killed): boolean =>
  isDeepStrictEqual(undisturbed, disturbed);
