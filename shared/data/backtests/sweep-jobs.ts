import * as z from 'zod';
import type { SliceRange } from '../../domain/engine/sweep/slices.ts';
import { outboxWrite } from '../outbox/outbox.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Condition, Update, Write } from '../table/writes.ts';
import { PATIENCE_MS, postponement } from './leases.ts';
import { removeItems } from './remove-items.ts';
import { SWEEP_REMOVAL_KIND, type Sweep } from './sweeps.ts';

/** Type of the event that lets workers take up slices of a sweep. */
export const SWEEP_EVENT = 'Sweep Requested';

/** Index partition of unfinished sweeps. They are due if they made no progress for five minutes. */
const JOB_KIND = 'sweep_job';

/** Age at which an unfinished sweep fails, in milliseconds. */
const OLDEST_MS = 24 * 3_600_000;

/** Returns the write of the event that lets a worker take up a range of slices. It divides a range of several. */
export const sweepEventWrite = (
  sweepId: number,
  { from, to }: SliceRange,
  deliveryId: string,
  now: Date,
): Write =>
  outboxWrite(
    deliveryId,
    {
      kind: 'domain_event',
      detail_type: SWEEP_EVENT,
      detail: { version: 1, sweep_id: sweepId, from, to, occurred_at: now.toISOString() },
    },
    now,
  );

/** Returns the writes of a new sweep. The first fails if the id is taken. */
export const newSweepWrites = (sweep: Sweep, deliveryId: string, now: Date): Write[] => [
  {
    put: {
      ...sweep,
      ...keys.sweep(sweep.sweep_id),
      entity: 'sweep',
      due_kind: JOB_KIND,
      due_at: now.getTime() + PATIENCE_MS,
    },
    if: { condition: 'attribute_not_exists(pk)' },
  },
  sweepEventWrite(sweep.sweep_id, { from: 0, to: sweep.slices }, deliveryId, now),
];

const UNFINISHED = {
  condition: '#status IN (:queued, :running)',
  names: { '#status': 'status' },
  values: { ':queued': 'queued', ':running': 'running' },
} as const satisfies Condition;

/** Returns the check that fails if a sweep is over. */
export const unfinishedCheck = (sweepId: number): Write => ({ check: keys.sweep(sweepId), if: UNFINISHED });

/** Returns the write that counts a finished slice. Fails if the sweep is over. */
export const progressWrite = (sweepId: number, now: Date): Write => ({
  key: keys.sweep(sweepId),
  update: 'SET slices_done = slices_done + :one, #status = :running, due_at = :due',
  ...UNFINISHED,
  values: { ...UNFINISHED.values, ':one': 1, ':due': now.getTime() + PATIENCE_MS },
});

/** Returns the write that ends a sweep. Fails if it is over. */
export const sweepEnding = (sweepId: number, fields: Partial<Sweep>): Write => ({
  key: keys.sweep(sweepId),
  set: { ...fields, due_kind: undefined, due_at: undefined },
  if: UNFINISHED,
});

/** Writes a change of an unfinished sweep. @returns false, and nothing is written, if a condition failed. */
export const writeUnlessOver = async (store: Store, writes: readonly Write[]): Promise<boolean> => {
  try {
    await store.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return false;
    throw error;
  }
};

const dueSchema = z.object({
  sweep_id: z.number(),
  slices: z.number(),
  created_at: z.string(),
  due_kind: z.string(),
  due_at: z.number(),
});

/** A sweep without progress, or a removed one with items. */
export type DueSweep = z.output<typeof dueSchema>;

/** Finds sweeps without progress, and removed ones, longest overdue first. */
export const findDueSweeps = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<DueSweep[]> =>
  findDueItems(store, [JOB_KIND, SWEEP_REMOVAL_KIND], dueSchema, { now, limit, onDamaged });

/**
 * Attends to a due sweep: sends its event again, fails it if it is a day old, or removes its items. No-op if a worker
 * made progress since.
 */
export const attendSweep = async (
  store: Store,
  { sweep_id: id, slices, created_at, due_kind, due_at }: DueSweep,
  deliveryId: string,
  now: Date,
): Promise<void> => {
  if (due_kind === SWEEP_REMOVAL_KIND) return removeItems(store, keys.sweep(id), now);
  if (now.getTime() - Date.parse(created_at) > OLDEST_MS) {
    const error = 'The sweep was not finished within a day. Run it again, with fewer combinations.';
    const fields = { status: 'failed', error, finished_at: now.toISOString() } as const;
    await writeUnlessOver(store, [sweepEnding(id, fields)]);
    return;
  }
  const later: Update = postponement(due_kind, due_at, now);
  await writeUnlessOver(store, [
    { key: keys.sweep(id), ...later },
    sweepEventWrite(id, { from: 0, to: slices }, deliveryId, now),
  ]);
};
