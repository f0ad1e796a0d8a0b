import * as z from 'zod';
import { postponement } from '../backtests/leases.ts';
import { RECORD_KIND, recordEventWrite, recordPlaceSchema } from '../backtests/record-events.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';

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
