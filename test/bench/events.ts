/**
 * Measures execution events: events per second, for information next to transactions of two items as events store them (a
 * deployment and an order) and of two small items, on the same engine; calls and capacity by kind of event; how the
 * outbox grows and drains with the deliveries in the same process. Run by `npm run bench:events [-- --rounds 6]`.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { RELAY_SOURCE } from '../../functions/consumers.ts';
import { createRelay } from '../../functions/relay/relay.ts';
import { readOptions } from '../../infra/commands/read-options.ts';
import { createTable } from '../../infra/local/database/create-table.ts';
import { type Dynamo, startScratchDynamo } from '../../infra/local/database/dynamo.ts';
import { openState } from '../../infra/local/database/state.ts';
import { startStreamPump } from '../../infra/local/database/stream-pump.ts';
import { withoutLog } from '../../infra/local/services/clients.ts';
import { BookMemory } from '../../shared/data/books/book-memory.ts';
import { orderKey } from '../../shared/data/books/orders.ts';
import { asDeployment, newDeploymentWrite } from '../../shared/data/deployments/deployments.ts';
import { findDueDeliveries } from '../../shared/data/outbox/deliveries.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { Store } from '../../shared/data/table/store.ts';
import { deliverRecords } from '../../shared/deliveries/batch.ts';
import { deliver } from '../../shared/deliveries/main/deliver-main.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { engineClient } from '../support/engine.ts';
import { startHub } from '../support/hub.ts';
import { type LaneQueues, startLaneQueues } from '../support/lane-queues.ts';
import { furnishWithCatalogue } from '../support/strategies.ts';
import { newOwner } from '../support/trading-events.ts';
import { type EventKind, eventsOfCycle, KINDS } from './event-items.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';
import { createStreamless } from './tables.ts';

const WORKERS = 4;
const OWNERS = 4;
/** Cycles of each worker in a round. */
const CYCLES = 8;
const TRANSACTIONS = 60;
const COST_CYCLES = 15;
const BACKLOG_CYCLES = 25;
const MAX_CALLS = 2;
const DRAIN_MS = 30_000;

const HELP = `npm run bench:events [-- --rounds 6]

Measures execution events: events per second, calls and capacity, the outbox.`;

const { values: options } = readOptions(HELP, { options: { rounds: { type: 'string', default: '6' } } });
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds is a positive integer');

const hub = await startHub();
await furnishWithCatalogue(hub);
const owners = await Promise.all(Array.from({ length: OWNERS }, () => newOwner(hub, 1, 'AAPL,MSFT')));
const items = await hub.runtime.store.getMany(
  owners.flatMap(({ deployments }) => deployments.map(keys.deployment)),
);
const deployments = items.flatMap((item) => asDeployment(item) ?? []);
const start = hub.runtime.clock().getTime();

/** Starts a new engine, as one gets slower with every write. */
interface Bench {
  readonly dynamo: Dynamo;
  readonly client: DynamoDBClient;
  /** Creates a new table with the deployments. */
  readonly table: (name: string, client: DynamoDBClient, streams: boolean) => Promise<Runtime>;
  readonly close: () => Promise<void>;
}

const startBench = async (): Promise<Bench> => {
  // The service and the tests start it so, too. Without the index of its file, each write costs more than the one before.
  const dynamo = await startScratchDynamo();
  // The bundles of the functions prepare no log lines either, for events as for other transactions.
  const client = withoutLog(new DynamoDBClient(engineClient(dynamo.endpoint)));
  return {
    dynamo,
    client,
    table: async (name, through, streams) => {
      await (streams ? createTable : createStreamless)(client, name);
      const store = new Store(through, name);
      for (const deployment of deployments) await store.transact([newDeploymentWrite(deployment)]);
      // Moves the clock behind all events.
      return { ...hub.runtime, store, clock: () => new Date(start + 86_400_000 + performance.now()) };
    },
    close: async () => {
      client.destroy();
      await dynamo.close();
    },
  };
};

const deploymentOf = (worker: number): number => deployments[worker % deployments.length]?.deployment_id ?? 0;

/** Returns the number per second, with all workers at once. */
const rateOf = async (count: number, work: (worker: number) => Promise<void>): Promise<number> => {
  const started = performance.now();
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  return (WORKERS * count * 1000) / (performance.now() - started);
};

/** Writes two new items in each transaction. */
const transactionRate = ({ store }: Runtime, items: readonly [Item, Item], from: number): Promise<number> =>
  rateOf(TRANSACTIONS, async (worker) => {
    for (let index = 0; index < TRANSACTIONS; index++) {
      const pk = `PAIR#${items[0].entity}#${worker}#${from + index}`;
      await store.transact(items.map((item, sk) => ({ put: { ...item, pk, sk: String(sk) } })));
    }
  });

const SMALL = { entity: 'pair', worker: 0, index: 0, text: 'x'.repeat(100) };

/** Reads a deployment and an order after the events of the first cycle. */
const storedItems = async ({ store }: Runtime): Promise<[Item, Item]> => {
  const deployment_id = deploymentOf(0);
  const [deployment, order] = await store.getMany([
    keys.deployment(deployment_id),
    orderKey({ deployment_id, client_order_id: 'entry-0' }),
  ]);
  if (!deployment || !order) throw new Error('the first cycle left no order');
  return [deployment, order];
};

/** Measures the smallest possible event: reads the deployment and an order, and writes both. */
const leastRate = ({ store }: Runtime): Promise<number> =>
  rateOf(TRANSACTIONS, async (worker) => {
    for (let index = 0; index < TRANSACTIONS; index++) {
      const wanted = [keys.deployment(deploymentOf(worker)), { pk: `PAIR#pair#${worker}#${index}`, sk: '0' }];
      await store.getMany(wanted, { consistent: true });
      const of = (sk: string) => ({
        put: { pk: `LEAST#${worker}#${index}`, sk, entity: 'pair', worker, index },
      });
      await store.transact([of('A'), of('B')]);
    }
  });

/** Measures a warm consumer, which remembers its last writes. */
const eventRate = (runtime: Runtime, from: number, memory: BookMemory): Promise<number> =>
  rateOf(CYCLES * KINDS.length, async (worker) => {
    for (let cycle = from; cycle < from + CYCLES; cycle++) {
      for (const { event } of eventsOfCycle(deploymentOf(worker), start, cycle))
        await takeEvent(runtime, event, { memory });
    }
  });

/** Returns the harmonic mean of rates. */
const mean = (rates: readonly number[]) => rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);

const measureRates = async () => {
  const measured: { transactions: number; small: number; least: number; events: number }[] = [];
  // The first round only warms up: an event runs ten times the code of a bare transaction, all of it to be compiled.
  for (let round = 0; round <= rounds; round++) {
    const bench = await startBench();
    try {
      const pairs = await bench.table('pairs', bench.client, false);
      const events = await bench.table('events', bench.client, false);
      // Warms up first. Then alternates, because other load on the machine slows both.
      const small: readonly [Item, Item] = [SMALL, SMALL];
      await transactionRate(pairs, small, 0);
      const memory = new BookMemory();
      await eventRate(events, 0, memory);
      const stored = await storedItems(events);
      await transactionRate(pairs, stored, 0);
      const ratesOfPairs = async (from: number) => ({
        stored: await transactionRate(pairs, stored, from),
        small: await transactionRate(pairs, small, from),
      });
      const before = await ratesOfPairs(TRANSACTIONS);
      const taken = await eventRate(events, CYCLES, memory);
      const least = await leastRate(pairs);
      const after = await ratesOfPairs(2 * TRANSACTIONS);
      if (round === 0) continue;
      measured.push({
        transactions: mean([before.stored, after.stored]),
        small: mean([before.small, after.small]),
        least,
        events: taken,
      });
    } finally {
      await bench.close();
    }
  }
  return {
    transactions: mean(measured.map(({ transactions }) => transactions)),
    small: mean(measured.map(({ small }) => small)),
    least: mean(measured.map(({ least }) => least)),
    events: mean(measured.map(({ events }) => events)),
  };
};

const unitsOf = (output: object): number => {
  const consumed: unknown = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  return [consumed].flat().reduce((sum: number, part: unknown) => {
    const units: unknown = typeof part === 'object' && part && 'CapacityUnits' in part && part.CapacityUnits;
    if (typeof units !== 'number') throw new Error('the engine did not say what a call consumed');
    return sum + units;
  }, 0);
};

interface Cost {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Measures the maximum cost of each kind of event on a deployment with many trades. */
const measureCosts = async (): Promise<(Cost & { kind: EventKind; ms: number })[]> => {
  const bench = await startBench();
  const metered = new DynamoDBClient(engineClient(bench.dynamo.endpoint));
  let calls: { command: string; units: number }[] = [];
  metered.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        calls.push({ command: commandName ?? '', units: unitsOf(answer.output) });
        return answer;
      },
    { step: 'initialize', name: 'meter' },
  );
  try {
    const runtime = await bench.table('events', metered, false);
    const seen = new Map<EventKind, (Cost & { ms: number })[]>();
    const sum = (isWrite: boolean) =>
      calls
        .filter(({ command }) => command.startsWith('TransactWrite') === isWrite)
        .reduce((units, call) => units + call.units, 0);
    for (let cycle = 0; cycle < COST_CYCLES; cycle++) {
      for (const { kind, event } of eventsOfCycle(deploymentOf(0), start, cycle)) {
        calls = [];
        const started = performance.now();
        await takeEvent(runtime, event);
        const ms = performance.now() - started;
        const cost = { calls: calls.length, readUnits: sum(false), writeUnits: sum(true), ms };
        seen.set(kind, [...(seen.get(kind) ?? []), cost]);
      }
    }
    return KINDS.map((kind) => {
      const costs = seen.get(kind) ?? [];
      const most = (name: keyof Cost) => Math.max(...costs.map((cost) => cost[name]));
      const times = costs.map(({ ms }) => ms).sort((a, b) => a - b);
      return {
        kind,
        calls: most('calls'),
        readUnits: most('readUnits'),
        writeUnits: most('writeUnits'),
        ms: Number((times[times.length >> 1] ?? 0).toFixed(2)),
      };
    });
  } finally {
    metered.destroy();
    await bench.close();
  }
};

/** Returns the number of messages in the outbox, due or not. */
const backlogOf = async ({ store, clock }: Runtime): Promise<number> =>
  (await findDueDeliveries(store, 'main', new Date(clock().getTime() + 86_400_000), 10_000)).length;

/** Applies events as fast as possible while the deliveries follow the stream. */
const measureBacklog = async () => {
  const bench = await startBench();
  const streams = new DynamoDBStreamsClient(engineClient(bench.dynamo.endpoint));
  const state = openState(undefined);
  let queues: LaneQueues | undefined;
  try {
    const runtime = await bench.table('events', bench.client, true);
    queues = await startLaneQueues({ main: (event) => deliverRecords(deliver, runtime, event) });
    Object.assign(process.env, queues.environment);
    const relay = createRelay({
      ...hub.with(queues.environment).runtime,
      clock: () => new Date(),
    });
    const { Table } = await bench.client.send(new DescribeTableCommand({ TableName: 'events' }));
    const pump = await startStreamPump({
      client: streams,
      streamArn: Table?.LatestStreamArn ?? '',
      functionName: 'relay',
      source: RELAY_SOURCE,
      // The records of the engine, in the form of Lambda.
      invoke: (event) => relay(JSON.parse(JSON.stringify(event))),
      state,
      onDeadLetter: (_, error) => {
        throw error;
      },
      onError: (error) => {
        throw error;
      },
      pollMs: 20,
    });
    const backlog: number[] = [];
    let feeding = true;
    const watch = async (): Promise<void> => {
      while (feeding) {
        await wait(250);
        backlog.push(await backlogOf(runtime));
      }
    };
    const watching = watch();
    const started = performance.now();
    await Promise.all(
      Array.from({ length: WORKERS }, async (_, worker) => {
        for (let cycle = 0; cycle < BACKLOG_CYCLES; cycle++) {
          for (const { event } of eventsOfCycle(deploymentOf(worker), start, cycle))
            await takeEvent(runtime, event);
        }
      }),
    );
    const fed = performance.now();
    feeding = false;
    await watching;
    const left = await backlogOf(runtime);
    while ((await backlogOf(runtime)) > 0) {
      if (performance.now() - fed > DRAIN_MS) throw new Error('the outbox does not drain');
      await wait(50);
    }
    const drained = performance.now();
    await pump.close(1000);
    const events = WORKERS * BACKLOG_CYCLES * KINDS.length;
    const messages = WORKERS * BACKLOG_CYCLES * KINDS.filter((kind) => LEAVING.has(kind)).length;
    return {
      events,
      eventsPerS: Math.round((events * 1000) / (fed - started)),
      messages,
      messagesPerS: Math.round((messages * 1000) / (drained - started)),
      growthPerS: Number(((left * 1000) / (fed - started)).toFixed(1)),
      greatest: Math.max(left, ...backlog),
      drainMs: Math.round(drained - fed),
    };
  } finally {
    await queues?.close();
    state.close();
    streams.destroy();
    await bench.close();
  }
};

/** Kinds of events that write a message for the owner's lists. */
const LEAVING: ReadonlySet<EventKind> = new Set(['new order', 'first fill', 'last fill', 'closing fill']);

try {
  progress('calls and capacity');
  const costs = await measureCosts();
  console.table(costs);
  progress('rates');
  const rates = await measureRates();
  const ratio = rates.events / rates.small;
  console.table([
    {
      'events / s': Math.round(rates.events),
      'two-item transactions / s': Math.round(rates.small),
      'of stored items / s': Math.round(rates.transactions),
      'with a read before / s': Math.round(rates.least),
      ratio: Number(ratio.toFixed(2)),
      'ratio to stored items': Number((rates.events / rates.transactions).toFixed(2)),
    },
  ]);
  progress('growth and drain of the outbox');
  const backlog = await measureBacklog();
  console.table([backlog]);
  await writeResult('events', { costs, rates, ratio, backlog });
  failWith(
    costs
      .filter(({ calls }) => calls > MAX_CALLS)
      .map(({ kind }) => `${kind} takes more than ${MAX_CALLS} calls`),
  );
} finally {
  await hub.close();
}
