import * as z from 'zod';
import { postponement } from '../backtests/leases.ts';
import { outboxWrite } from '../outbox/outbox.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** Type of the event that lets a worker advance a track record. */
export const RECORD_EVENT = 'Record Due';

/** Index partition of track records that workers go on with. */
export const RECORD_KIND = 'track_record';

/** A record by its place. */
export const recordPlaceSchema = z.object({ author: z.string(), record_id: z.number() });
export type RecordPlace = z.output<typeof recordPlaceSchema>;

/** Returns the write of the event that lets a worker advance a record. */
export const recordEventWrite = ({ author, record_id }: RecordPlace, deliveryId: string, now: Date): Write =>
  outboxWrite(
    deliveryId,
    {
      kind: 'domain_event',
      detail_type: RECORD_EVENT,
      detail: { version: 1, author, record_id, occurred_at: now.toISOString() },
    },
    now,
  );

const dueSchema = recordPlaceSchema.extend({ due_kind: z.string(), due_at: z.number() });

/** A record with work to do. */
export type DueRecord = z.output<typeof dueSchema>;

/** Finds records with work to do, longest overdue first. */
export const findDueRecords = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<DueRecord[]> => findDueItems(store, [RECORD_KIND], dueSchema, { now, limit, onDamaged });

/** Sends the event of a due record; no-op if a worker took it since. */
export const attendRecord = async (
  store: Store,
  due: DueRecord,
  deliveryId: string,
  now: Date,
): Promise<void> => {
  try {
    await store.transact([
      {
        key: keys.trackRecord(due.author, due.record_id),
        ...postponement(due.due_kind, due.due_at, now),
      },
      recordEventWrite(due, deliveryId, now),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};
