import type { Operation, TableAccess } from '../shared/api/operation.ts';
import { CONSUMERS } from './consumers.ts';
import { accessFor, type FunctionDeclaration, WHOLE_PROCESSOR_MB } from './declaration.ts';
import { BINANCE_JOBS } from './jobs/binance/jobs.ts';
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
import { OPERATION_GROUPS } from './operations.ts';

const RANK: Readonly<Record<TableAccess, number>> = { none: 0, read: 1, write: 2 };

/** Groups that cost much CPU or time: they hash passwords, run backtests, send large files or wait for events. */
const MAX_CONCURRENCY: Readonly<Record<string, number>> = {
  'user-access': 200,
  backtests: 50,
  docs: 20,
  console: 20,
  events: 100,
};

/** Memory of groups that need more, or less because they mostly wait. */
const MEMORY_MB: Readonly<Record<string, number>> = { backtests: WHOLE_PROCESSOR_MB, events: 256 };

/** Groups whose page of one version needs files of the same version. */
const AT_ONCE: ReadonlySet<string> = new Set(['console']);

const httpFunction = ([name, operations]: [string, readonly Operation[]]): FunctionDeclaration => ({
  name,
  trigger: { kind: 'http', operations },
  table: operations.map(accessFor).reduce((a, b) => (RANK[a] >= RANK[b] ? a : b), 'none'),
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
  options: Pick<
    FunctionDeclaration,
    'folder' | 'memoryMb' | 'table' | 'onlyWith' | 'withoutSecret' | 'adapter'
  >,
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
  ...CONSUMERS,
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
    adapter: 'alpaca',
  }),
  jobFunction('binance-jobs', BINANCE_JOBS, {
    folder: 'jobs/binance',
    table: 'write',
    memoryMb: 512,
    withoutSecret: true,
    adapter: 'binance',
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
