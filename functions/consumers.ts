import { LANES, RELAYED_LANES, type RelayedLane } from '../shared/data/outbox/lanes.ts';
import { BACKTEST_JOBS_SOURCE } from './backtests/jobs/source.ts';
import { BROKER_ORDERS_SOURCE } from './broker-orders/source.ts';
import { type FunctionDeclaration, WHOLE_PROCESSOR_MB } from './declaration.ts';
import { ENGINE_SOURCE } from './engine/source.ts';
import { EXECUTION_EVENTS_SOURCE } from './execution-events/source.ts';
import { HALTS_SOURCE } from './halts/source.ts';
import { MAIL_FEEDBACK_SOURCE } from './mail-feedback/source.ts';
import { RELAY_SOURCE } from './relay/source.ts';

/** Makes the function of a lane, which delivers the messages of its queue. */
const laneFunction = (lane: RelayedLane): FunctionDeclaration => {
  const { uses, withoutSecret, maxConcurrency, batchSize, maxReceives } = LANES[lane].queue;
  return {
    name: `deliver-${lane}`,
    folder: `deliveries/${lane}`,
    trigger: { kind: 'queue', source: { lane, batchSize, maxReceives } },
    table: 'write',
    uses,
    ...(withoutSecret && { withoutSecret }),
    memoryMb: 512,
    timeoutS: 60,
    maxConcurrency,
  };
};

/** Functions that take the records of the table's stream, messages of queues, and events of the bus. */
export const CONSUMERS: readonly FunctionDeclaration[] = [
  {
    name: 'relay',
    trigger: { kind: 'stream', source: RELAY_SOURCE },
    table: 'none',
    uses: ['queues'],
    withoutSecret: true,
    memoryMb: 512,
    // Hands over ten calls of a lane in turn, each within its limit.
    timeoutS: 30,
    // One per shard. Set apart, so that nothing delays an order.
    maxConcurrency: 20,
  },
  ...RELAYED_LANES.map(laneFunction),
  {
    name: 'execution-events',
    trigger: { kind: 'bus', source: EXECUTION_EVENTS_SOURCE },
    table: 'write',
    uses: [],
    withoutSecret: true,
    memoryMb: 512,
    timeoutS: 60,
    // Queues a burst of events, which would conflict on the same deployments and users.
    maxConcurrency: 50,
  },
  {
    name: 'broker-orders',
    trigger: { kind: 'bus', source: BROKER_ORDERS_SOURCE },
    table: 'write',
    uses: ['execution', 'encryption', 'reports'],
    withoutSecret: true,
    memoryMb: 512,
    // Looks at a new order for some seconds, and waits for a slow broker.
    timeoutS: 60,
    // Limits the requests to brokers at once.
    maxConcurrency: 50,
  },
  {
    name: 'engine',
    trigger: { kind: 'bus', source: ENGINE_SOURCE },
    table: 'write',
    uses: ['bus', 'feeds'],
    withoutSecret: true,
    memoryMb: 1024,
    timeoutS: 60,
    // Queues a burst of bars, which would conflict on the same deployments.
    maxConcurrency: 50,
  },
  {
    name: 'halts',
    trigger: { kind: 'bus', source: HALTS_SOURCE },
    table: 'write',
    uses: [],
    withoutSecret: true,
    memoryMb: WHOLE_PROCESSOR_MB,
    timeoutS: 300,
    // Set apart from events of engines: a kill switch never waits behind them.
    maxConcurrency: 5,
  },
  {
    name: 'backtest-jobs',
    folder: 'backtests/jobs',
    trigger: { kind: 'bus', source: BACKTEST_JOBS_SOURCE },
    table: 'write',
    uses: [],
    withoutSecret: true,
    memoryMb: WHOLE_PROCESSOR_MB,
    timeoutS: 300,
    // Set apart from requests and events of engines, which long backtests must not delay.
    maxConcurrency: 20,
  },
  {
    name: 'mail-feedback',
    trigger: { kind: 'bus', source: MAIL_FEEDBACK_SOURCE },
    table: 'write',
    uses: [],
    withoutSecret: true,
    memoryMb: 512,
    timeoutS: 60,
    maxConcurrency: 5,
  },
];
