import { outboxWrite } from '../outbox/outbox.ts';
import type { Write } from '../table/writes.ts';
import { type Backtest, newBacktestWrite } from './backtests.ts';

/** Type of the event that lets a worker take up a backtest. */
const BACKTEST_EVENT = 'Backtest Requested';

/** Index partition of unfinished backtests. They are due if no worker has a lease on them. */
const JOB_KIND = 'backtest_job';

/** Time after which an event counts as lost, in milliseconds. */
const PATIENCE_MS = 5 * 60_000;

/** State of a backtest that waits for a worker. */
export const QUEUED = {
  status: 'queued',
  progress: 0,
  summary: null,
  trades: 0,
  start: 0,
} as const satisfies Partial<Backtest>;

/** Returns the write of the event that lets a worker take up a backtest. */
const eventWrite = (backtestId: number, deliveryId: string, now: Date): Write =>
  outboxWrite(
    deliveryId,
    {
      kind: 'domain_event',
      detail_type: BACKTEST_EVENT,
      detail: { version: 1, backtest_id: backtestId, occurred_at: now.toISOString() },
    },
    now,
  );

/** Returns the writes of a new backtest that a worker will run. */
export const jobWrites = (backtest: Backtest, deliveryId: string, now: Date): Write[] => [
  newBacktestWrite(backtest, { due_kind: JOB_KIND, due_at: now.getTime() + PATIENCE_MS, attempts: 0 }),
  eventWrite(backtest.backtest_id, deliveryId, now),
];
