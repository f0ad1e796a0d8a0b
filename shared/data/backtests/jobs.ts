import * as z from 'zod';
import { outboxWrite } from '../outbox/outbox.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Backtest, newBacktestWrite, REMOVAL_KIND } from './backtests.ts';
import { PATIENCE_MS, postponement } from './leases.ts';

/** Type of the event that lets a worker take up a backtest. */
export const BACKTEST_EVENT = 'Backtest Requested';

/** Index partition of unfinished backtests. They are due if no worker has a lease on them. */
const JOB_KIND = 'backtest_job';

/** Time for which a removed backtest is known as such, in seconds. */
const KEEP_REMOVED_S = 30 * 86_400;

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
export const findDueBacktests = async (store: Store, now: Date, limit: number): Promise<DueBacktest[]> => {
  const findIn = (kind: string) =>
    store.query(
      {
        IndexName: 'due',
        KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
        ExpressionAttributeValues: { ':kind': kind, ':now': now.getTime() },
        Limit: limit,
      },
      dueSchema,
    );
  const found = await Promise.all([findIn(JOB_KIND), findIn(REMOVAL_KIND)]);
  return found
    .flat()
    .sort((left, right) => left.due_at - right.due_at)
    .slice(0, limit);
};

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

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** Removes the items of a removed backtest. Its own item stays for a month, so that removing it again is known. */
const removeItems = async (store: Store, id: number, now: Date): Promise<void> => {
  const own = keys.backtest(id);
  const found = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': own.pk },
    ProjectionExpression: 'pk, sk',
    ConsistentRead: true,
  });
  const others = found.map((item) => keySchema.parse(item)).filter(({ sk }) => sk !== own.sk);
  await store.batchWrite(others.map((key) => ({ delete: key })));
  await store.update(
    own,
    {
      update: 'SET expires_at_s = :expiry REMOVE due_kind, due_at',
      values: { ':expiry': Math.floor(now.getTime() / 1000) + KEEP_REMOVED_S },
    },
    z.object({}),
  );
};

/** Attends to a due backtest: sends its event again, or removes its items. */
export const attendBacktest = (
  store: Store,
  due: DueBacktest,
  deliveryId: string,
  now: Date,
): Promise<void> =>
  due.due_kind === REMOVAL_KIND
    ? removeItems(store, due.backtest_id, now)
    : requeue(store, due, deliveryId, now);
