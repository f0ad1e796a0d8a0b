import * as z from 'zod';
import { outboxWrite } from '../outbox/outbox.ts';
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
