import { BACKTEST_EVENT } from '../shared/data/backtests/jobs.ts';
import { RECORD_EVENT } from '../shared/data/backtests/record-events.ts';
import { SWEEP_EVENT } from '../shared/data/backtests/sweep-jobs.ts';
import {
  ENGINE_ACCOUNTS_DUE,
  ENGINE_COMMANDED,
  ENGINE_ENDED,
  ENGINE_REQUESTED,
  SCANNERS_DUE,
  SERIES_DUE,
  SERIES_UNSETTLED,
} from '../shared/data/engine/events.ts';
import { LANES, RELAYED_LANES, type RelayedLane } from '../shared/data/outbox/lanes.ts';
import { HALT_DUE } from '../shared/data/switches/halts.ts';
import type { AdapterName } from '../shared/domain/deployments/event-source.ts';
import {
  ORDER_CANCEL_REQUESTED,
  ORDER_REQUESTED,
  POSITION_CLOSE_REQUESTED,
  PROTECTION_REQUESTED,
} from '../shared/domain/orders/order-request-schema.ts';
import { REPORT_TYPES } from '../shared/lifecycle/reports/report.ts';
import {
  type BusSource,
  type FunctionDeclaration,
  type StreamSource,
  WHOLE_PROCESSOR_MB,
} from './declaration.ts';
import { BAR_EVENT_TYPES } from './engine/bar-events.ts';

/**
 * Source of the function: events of the hub about deployments that it runs itself and their series, and bars of feeds.
 */
const ENGINE_SOURCE: BusSource = {
  subscriptions: [
    {
      senders: 'hub',
      detailTypes: [
        ENGINE_REQUESTED,
        ENGINE_COMMANDED,
        ENGINE_ENDED,
        ENGINE_ACCOUNTS_DUE,
        SERIES_DUE,
        SERIES_UNSETTLED,
        SCANNERS_DUE,
      ],
    },
    { senders: 'feeds', detailTypes: BAR_EVENT_TYPES },
  ],
  maxRetries: 2,
  finalErrors: ['ZodError', 'MalformedEventError'],
  waitingErrors: ['EarlyBarError', 'SplitPendingError'],
};

/** Source of the function: events of the hub that let a worker take up a part of a job. */
export const BACKTEST_JOBS_SOURCE: BusSource = {
  subscriptions: [{ senders: 'hub', detailTypes: [BACKTEST_EVENT, SWEEP_EVENT, RECORD_EVENT] }],
  maxRetries: 2,
  finalErrors: ['ZodError'],
};

/** Source of the function: each new message of the outbox that goes to a queue. */
export const RELAY_SOURCE: StreamSource = {
  entities: RELAYED_LANES.map((lane) => LANES[lane].entity),
  batchSize: 100,
  // The function itself gives up sooner. This bounds the retries of a crash.
  maxRetries: 10,
};

/** Source of the function: reports of SES on mails of the stage. */
const MAIL_FEEDBACK_SOURCE: BusSource = {
  subscriptions: [{ senders: 'mail', detailTypes: ['Email Bounced', 'Email Complaint Received'] }],
  maxRetries: 2,
  finalErrors: ['ZodError'],
};

/** Source of the function: events of the hub that a kill switch was thrown. */
const HALTS_SOURCE: BusSource = {
  subscriptions: [{ senders: 'hub', detailTypes: [HALT_DUE] }],
  maxRetries: 2,
  finalErrors: ['ZodError'],
};

/** Source of the function: all events of execution engines. */
export const EXECUTION_EVENTS_SOURCE: BusSource = {
  subscriptions: [{ senders: 'engines', detailTypes: REPORT_TYPES }],
  maxRetries: 2,
  finalErrors: ['MalformedEventError'],
};

/** Source of the functions of adapters: requests of the hub. Each gets those to its own adapter. */
const ADAPTER_SOURCE: BusSource = {
  subscriptions: [
    {
      senders: 'hub',
      detailTypes: [ORDER_REQUESTED, ORDER_CANCEL_REQUESTED, POSITION_CLOSE_REQUESTED, PROTECTION_REQUESTED],
    },
  ],
  maxRetries: 2,
  finalErrors: ['ZodError', 'MalformedEventError'],
};

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

/** Makes the function that places the orders of an adapter. */
const adapterFunction = (name: string, adapter: AdapterName): FunctionDeclaration => ({
  name,
  adapter,
  trigger: { kind: 'bus', source: ADAPTER_SOURCE },
  table: 'write',
  uses: ['execution', 'encryption', 'reports'],
  withoutSecret: true,
  memoryMb: 512,
  // Looks at a new order for some seconds, and waits for a slow broker.
  timeoutS: 60,
  // Limits the requests to a broker at once.
  maxConcurrency: 50,
});

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
  adapterFunction('broker-orders', 'alpaca'),
  adapterFunction('binance-orders', 'binance'),
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
    uses: ['references'],
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
