import { createHash } from 'node:crypto';
import * as z from 'zod';
import { CATALOGUE } from '../../domain/changes/catalogue.ts';
import { type ChangeDraft, changeEventSchema } from '../../domain/changes/change-event.ts';
import { shownFields } from '../../domain/digits.ts';
import { dueKind, LANES } from '../outbox/lanes.ts';
import { LEASE_MS } from '../outbox/outbox.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/**
 * Commits whose change events wait for the logs of their readers. A commit writes one item in its own transaction; the
 * item is also the message of the lane `changes`. All items of a user share a partition, so one Query reads them in
 * order per deployment.
 */

/** An event that waits, with the fields of its data that a broker may read. Absent: no broker gets it. */
const pendingEvent = changeEventSchema.extend({ broker_fields: z.array(z.string()).optional() });

const pendingSchema = z.object({
  pk: z.string(),
  sk: z.string(),
  delivery_id: z.string(),
  user_id: z.string(),
  /** Broker of the deployment, if it listened. */
  broker_id: z.number().optional(),
  /** False if only the broker listened. */
  is_for_user: z.boolean(),
  events: z.array(pendingEvent),
  /** Number of events that are in their logs already. */
  moved: z.number().optional(),
  created_at: z.number(),
});

export type PendingChange = z.output<typeof pendingSchema>;
export type PendingEvent = z.output<typeof pendingEvent>;

/** Separates the source from the rest of a delivery id. Base64url text does not hold it. */
const SEPARATOR = '.';

/** Returns the name of a user among the sources of changes. Logs and queues hold it instead of the user_id. */
const sourceOf = (userId: string): string => createHash('sha256').update(userId).digest('base64url');

/** Returns the source of a message of the lane `changes`. Messages of a source are moved one after another. */
export const changeSource = (deliveryId: string): string => deliveryId.split(SEPARATOR, 1)[0] ?? '';

/** A commit with its events. */
export interface Commit {
  readonly userId: string;
  readonly brokerId?: number | undefined;
  readonly isForUser: boolean;
  /** Absent for changes that concern no deployment. */
  readonly deployment?: { readonly id: number; readonly lastSequence: number };
  readonly drafts: readonly ChangeDraft[];
}

/** Returns the given fields of data as they leave. Nothing is parsed: an event never prevents the change that it reports. */
const pick = (data: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shownFields(data)).filter(([name]) => names.includes(name)));

/** Returns the write that records the events of a commit, for its transaction. @param newId returns a random identifier. */
export const pendingChangeWrite = (
  { userId, brokerId, isForUser, deployment, drafts }: Commit,
  newId: () => string,
  now: Date,
): Write => {
  const source = sourceOf(userId);
  const first = deployment ? deployment.lastSequence + 1 : now.getTime();
  const key = keys.pendingChange(source, deployment?.id ?? 0, first, deployment ? '' : `#${newId()}`);
  const deliveryId = [source, key.sk].join(SEPARATOR);
  return {
    put: {
      ...key,
      entity: LANES.changes.entity,
      delivery_id: deliveryId,
      group: source,
      attempts: 0,
      user_id: userId,
      ...(brokerId !== undefined && { broker_id: brokerId }),
      is_for_user: isForUser,
      events: drafts.map(
        ({ type, data }, index): PendingEvent => ({
          id: newId(),
          type,
          at: now.toISOString(),
          ...(deployment && { deployment_id: deployment.id, sequence: first + index }),
          data: pick(data, Object.keys(CATALOGUE[type].data.shape)),
          ...(brokerId !== undefined && { broker_fields: [...CATALOGUE[type].broker] }),
        }),
      ),
      created_at: now.getTime(),
      due_kind: dueKind('changes', deliveryId),
      due_at: now.getTime() + LEASE_MS,
    },
  };
};

/** The most commits of a source that one transaction looks at. */
const MAX_COMMITS = 100;

/**
 * Reads the commits of a source that wait, in order per deployment. Omits those that cannot be read, which it reports: one
 * that is mended comes after later ones, as its `sequence` says.
 */
export const findPendingChanges = async (
  store: Store,
  source: string,
  onDamaged: OnDamaged,
): Promise<PendingChange[]> => {
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.pendingChange(source, 0, 0).pk },
    Limit: MAX_COMMITS,
    ConsistentRead: true,
  });
  return parseReadable(pendingSchema, items, placeByKey, onDamaged);
};

/** Returns the write that takes events off a commit. Its condition fails if others were taken off meanwhile. */
export const movedChangeWrite = ({ pk, sk, events, moved }: PendingChange, upTo: number): Write => {
  const unchanged =
    moved === undefined
      ? { condition: 'attribute_exists(pk) AND attribute_not_exists(moved)' }
      : { condition: 'moved = :moved', values: { ':moved': moved } };
  return upTo === events.length
    ? { delete: { pk, sk }, if: unchanged }
    : { key: { pk, sk }, set: { moved: upTo }, if: unchanged };
};
