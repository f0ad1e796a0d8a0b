import * as z from 'zod';
import { outboxWrite } from '../outbox/outbox.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Backtest, newBacktestWrite, REMOVAL_KIND } from './backtests.ts';
import { PATIENCE_MS, postponement } from './leases.ts';
import { removeItems } from './remove-items.ts';

/** Type of the event that lets a worker take up a backtest. */
export const BACKTEST_EVENT = 'Backtest Requested';

/** Index partition of unfinished backtests. They are due if no worker has a lease on them. */
const JOB_KIND = 'backtest_job';

/** State of a backtest that waits for a worker. */
export const QUEUED = {
  status: 'queued',
  progress: 0,
  summary: null,
  trades: 0,
  start: 0,
} as const satisfies Partial<Backtest>;

/** Returns the write of the event that lets a worker take up a backtest. */
export const eventWrite = (backtestId: number, deliveryId: string, now: Date): Write =>
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

const dueSchema = z.object({ backtest_id: z.number(), due_kind: z.string(), due_at: z.number() });

/** A backtest without a worker, or a removed one with items. */
export type DueBacktest = z.output<typeof dueSchema>;

/** Finds backtests whose worker or event was lost, and removed ones, longest overdue first. */
export const findDueBacktests = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<DueBacktest[]> =>
  findDueItems(store, [JOB_KIND, REMOVAL_KIND], dueSchema, { now, limit, onDamaged });

/** Sends the event of a backtest again; no-op if a worker took it since. */
const requeue = async (
  store: Store,
  { backtest_id: id, due_kind, due_at }: DueBacktest,
  deliveryId: string,
  now: Date,
): Promise<void> => {
  try {
    await store.transact([
      { key: keys.backtest(id), ...postponement(due_kind, due_at, now) },
      eventWrite(id, deliveryId, now),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/** Attends to a due backtest: sends its event again, or removes its items. */
export const attendBacktest = (
  store: Store,
  due: DueBacktest,
  deliveryId: string,
  now: Date,
): Promise<void> =>
  due.due_kind === REMOVAL_KIND
    ? removeItems(store, keys.backtest(due.backtest_id), now)
    : requeue(store, due, deliveryId, now);
