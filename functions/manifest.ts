import type { Operation, TableAccess } from '../shared/api/operation.ts';
import { BACKTEST_JOBS_SOURCE } from './backtests/jobs/source.ts';
import { BULK_SOURCE } from './bulk-deliveries/source.ts';
import { CHANGES_SOURCE } from './changes/source.ts';
import type { FunctionDeclaration } from './declaration.ts';
import { DELIVERIES_SOURCE } from './deliveries/source.ts';
import { ENGINE_SOURCE } from './engine/source.ts';
import { EXECUTION_ORDERS_SOURCE } from './execution/orders/source.ts';
import { EXECUTION_EVENTS_SOURCE } from './execution-events/source.ts';
import { HALTS_SOURCE } from './halts/source.ts';
import { CANARY_JOBS } from './jobs/canary/jobs.ts';
import { DAILY_JOBS } from './jobs/daily/jobs.ts';
import { DELIVERY_JOBS } from './jobs/delivery/jobs.ts';
import { EXECUTION_JOBS } from './jobs/execution/jobs.ts';
import { HALT_JOBS } from './jobs/halts/jobs.ts';
import type { Job } from './jobs/job.ts';
import { JOBS } from './jobs/jobs.ts';
import { MARKET_DATA_JOBS } from './jobs/market-data/jobs.ts';
import { PARTNER_JOBS } from './jobs/partner/jobs.ts';
import { PUSH_JOBS } from './jobs/push/jobs.ts';
import { WEBHOOK_JOBS } from './jobs/webhooks/jobs.ts';
import { MAIL_FEEDBACK_SOURCE } from './mail-feedback/source.ts';
import { OPERATION_GROUPS } from './operations.ts';
import { ORDERS_SOURCE } from './orders/source.ts';
import { PUSHES_SOURCE } from './pushes/source.ts';
import { RELAY_SOURCE } from './relay/source.ts';
import { WEBHOOKS_SOURCE } from './webhook-deliveries/source.ts';

const RANK: Readonly<Record<TableAccess, number>> = { none: 0, read: 1, write: 2 };

/** Groups that cost much CPU or time: they hash passwords, run backtests, send large files or wait for events. */
const MAX_CONCURRENCY: Readonly<Record<string, number>> = {
  'user-access': 200,
  backtests: 50,
  docs: 20,
  console: 20,
  events: 100,
};

/** Memory that brings one whole processor. */
const WHOLE_PROCESSOR_MB = 1769;

/** Memory of groups that need more, or less because they mostly wait. */
const MEMORY_MB: Readonly<Record<string, number>> = { backtests: WHOLE_PROCESSOR_MB, events: 256 };

/** Groups whose page of one version needs files of the same version. */
const AT_ONCE: ReadonlySet<string> = new Set(['console']);

const httpFunction = ([name, operations]: [string, readonly Operation[]]): FunctionDeclaration => ({
  name,
  trigger: { kind: 'http', operations },
  table: operations.map(({ table }) => table).reduce((a, b) => (RANK[a] >= RANK[b] ? a : b), 'none'),
  uses: [...new Set(operations.flatMap(({ uses }) => uses))],
  // Argon2 and signing need CPU, which Lambda gives in proportion to memory.
  memoryMb: MEMORY_MB[name] ?? 1024,
  timeoutS: 20,
  ...(AT_ONCE.has(name) && { atOnce: true }),
  ...(MAX_CONCURRENCY[name] !== undefined && { maxConcurrency: MAX_CONCURRENCY[name] }),
});

/** Groups jobs by the services they need, so that each function has only the code and permissions it uses. */
const jobFunction = (
  name: string,
  jobs: readonly Job[],
  options: Pick<FunctionDeclaration, 'folder' | 'memoryMb' | 'table' | 'onlyWith' | 'withoutSecret'>,
): FunctionDeclaration => ({
  ...options,
  name,
  trigger: {
    kind: 'schedule',
    schedules: jobs.map((job) => ({ job: job.name, expression: job.expression, timeZone: job.timeZone })),
  },
  uses: [...new Set(jobs.flatMap(({ uses }) => uses))],
  timeoutS: 60,
  // Runs each job at most once at a time, so that long runs do not pile up.
  maxConcurrency: jobs.length,
});

/** Lists every function of the service. Infra deploys them, and the local engine runs them. */
export const FUNCTIONS: readonly FunctionDeclaration[] = [
  ...Object.entries(OPERATION_GROUPS).map(httpFunction),
  {
    name: 'authorizer',
    trigger: { kind: 'authorizer', source: { caller: 'integrator', cacheTtlS: 300 } },
    table: 'none',
    uses: ['issuers'],
    memoryMb: 512,
    // Waits for an external issuer up to 2 seconds.
    timeoutS: 10,
  },
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
  {
    name: 'deliveries',
    trigger: { kind: 'queue', source: DELIVERIES_SOURCE },
    table: 'write',
    uses: ['mail', 'sms', 'analytics', 'bus'],
    memoryMb: 512,
    timeoutS: 60,
    // Limits a runaway: messages are sent and paid for.
    maxConcurrency: 20,
  },
  {
    name: 'bulk-deliveries',
    trigger: { kind: 'queue', source: BULK_SOURCE },
    table: 'write',
    uses: ['mail', 'sms', 'analytics'],
    memoryMb: 512,
    timeoutS: 60,
    // Limits a runaway: messages are sent and paid for.
    maxConcurrency: 20,
  },
  {
    name: 'pushes',
    trigger: { kind: 'queue', source: PUSHES_SOURCE },
    table: 'write',
    uses: ['push'],
    memoryMb: 512,
    timeoutS: 60,
    // Limits the load on push services, which users choose.
    maxConcurrency: 20,
  },
  {
    name: 'webhook-deliveries',
    trigger: { kind: 'queue', source: WEBHOOKS_SOURCE },
    table: 'write',
    uses: ['webhooks', 'encryption'],
    withoutSecret: true,
    memoryMb: 512,
    timeoutS: 60,
    // Limits the load on endpoints, which users choose.
    maxConcurrency: 20,
  },
  {
    name: 'orders',
    trigger: { kind: 'queue', source: ORDERS_SOURCE },
    table: 'write',
    uses: ['bus'],
    withoutSecret: true,
    memoryMb: 512,
    timeoutS: 60,
    // Set apart, so that nothing delays an order.
    maxConcurrency: 20,
  },
  {
    name: 'changes',
    trigger: { kind: 'queue', source: CHANGES_SOURCE },
    table: 'write',
    uses: [],
    withoutSecret: true,
    memoryMb: 512,
    timeoutS: 60,
    // Events of a user conflict with each other.
    maxConcurrency: 20,
  },
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
    name: 'execution-orders',
    folder: 'execution/orders',
    trigger: { kind: 'bus', source: EXECUTION_ORDERS_SOURCE },
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
    uses: ['bus', 'engine', 'feeds'],
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
  // The processor bounds the speed of walks.
  jobFunction('jobs', JOBS, { table: 'scan', memoryMb: WHOLE_PROCESSOR_MB, withoutSecret: true }),
  jobFunction('daily-jobs', DAILY_JOBS, {
    folder: 'jobs/daily',
    table: 'write',
    memoryMb: WHOLE_PROCESSOR_MB,
    withoutSecret: true,
  }),
  jobFunction('halt-jobs', HALT_JOBS, {
    folder: 'jobs/halts',
    table: 'write',
    memoryMb: 1024,
    withoutSecret: true,
  }),
  jobFunction('delivery-jobs', DELIVERY_JOBS, { folder: 'jobs/delivery', table: 'write', memoryMb: 512 }),
  jobFunction('push-jobs', PUSH_JOBS, { folder: 'jobs/push', table: 'write', memoryMb: 512 }),
  jobFunction('webhook-jobs', WEBHOOK_JOBS, {
    folder: 'jobs/webhooks',
    table: 'write',
    memoryMb: 512,
    withoutSecret: true,
  }),
  jobFunction('partner-jobs', PARTNER_JOBS, { folder: 'jobs/partner', table: 'write', memoryMb: 512 }),
  jobFunction('execution-jobs', EXECUTION_JOBS, {
    folder: 'jobs/execution',
    table: 'write',
    memoryMb: 512,
    withoutSecret: true,
  }),
  jobFunction('market-data', MARKET_DATA_JOBS, {
    folder: 'jobs/market-data',
    table: 'write',
    memoryMb: 512,
    onlyWith: 'marketData',
  }),
  jobFunction('canary', CANARY_JOBS, {
    folder: 'jobs/canary',
    table: 'none',
    memoryMb: 512,
    withoutSecret: true,
    onlyWith: 'canary',
  }),
];
