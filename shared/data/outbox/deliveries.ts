import * as z from 'zod';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { DEAD_KIND, dueKinds, type Lane } from './lanes.ts';
import { type Message, messageSchema } from './messages.ts';
import { LEASE_MS, outboxWrite } from './outbox.ts';

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 3_600_000;
/** Age in milliseconds after which a message is worthless and given up. */
export const GIVE_UP_MS = 24 * 3_600_000;
/** Seconds for which dead letters are kept for operators. */
const KEEP_DEAD_S = 30 * 24 * 3600;

const deliverySchema = z.object({
  delivery_id: z.string(),
  /** Undefined for a kind that this version does not know. */
  message: messageSchema.optional().catch(undefined),
  attempts: z.number(),
  /** Epoch milliseconds. */
  created_at: z.number(),
  due_at: z.number(),
});

export type Delivery = z.output<typeof deliverySchema>;

/** Returns the gap before the next attempt: doubles each time, up to an hour. The sweep runs once a minute. */
const retryGap = (attempts: number): number => Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts);

/**
 * Takes the lease of a message for one delivery attempt.
 *
 * @param seenAttempts number of attempts when it was found; a different number means another process took it since.
 * @returns undefined if it was delivered, given up or taken by another process.
 */
export const takeDelivery = async (
  store: Store,
  deliveryId: string,
  seenAttempts: number,
  now: Date,
): Promise<Delivery | undefined> => {
  try {
    return await store.update(
      keys.outbox(deliveryId),
      {
        update: 'SET attempts = attempts + :one, due_at = :lease',
        condition: 'attempts = :seen AND due_kind <> :dead',
        values: { ':one': 1, ':lease': now.getTime() + LEASE_MS, ':seen': seenAttempts, ':dead': DEAD_KIND },
      },
      deliverySchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Removes a message that was delivered. */
export const completeDelivery = (store: Store, delivery: Delivery): Promise<void> =>
  store.delete(keys.outbox(delivery.delivery_id));

/** A message and its delivery id. */
interface Addressed {
  readonly deliveryId: string;
  readonly message: Message;
}

/** Replaces a message by at most 99 others in one transaction; no-op if another process has taken it since. */
export const replaceDelivery = async (
  store: Store,
  { delivery_id, attempts }: Delivery,
  messages: readonly Addressed[],
  now: Date,
): Promise<void> => {
  const removal: Write = {
    delete: keys.outbox(delivery_id),
    if: {
      condition: 'attempts = :attempts AND due_kind <> :dead',
      values: { ':attempts': attempts, ':dead': DEAD_KIND },
    },
  };
  try {
    await store.transact([
      removal,
      ...messages.map(({ deliveryId, message }) => outboxWrite(deliveryId, message, now)),
    ]);
  } catch (error) {
    const isTaken = error instanceof TransactionRefusedError && error.has(removal);
    if (!isTaken) throw error;
  }
};

/**
 * Schedules a failed message for a later attempt. Moves it to the dead letters if it is too old or the failure is final.
 *
 * @param reason for the operator; names the failure, never the recipient or the content.
 * @param keepMs age at which it is given up; a day by default.
 * @param everyMs fixed gap to the next attempt, regardless of the number of attempts.
 * @param afterMs delay that the remote service asked for; at most a day.
 * @returns `gone` if another process has taken the message since.
 */
export const postponeDelivery = async (
  store: Store,
  delivery: Delivery,
  {
    reason,
    final,
    afterMs = 0,
    everyMs,
    keepMs = GIVE_UP_MS,
    now,
  }: { reason: string; final: boolean; afterMs?: number; everyMs?: number; keepMs?: number; now: Date },
): Promise<'later' | 'dead' | 'gone'> => {
  const dead = final || now.getTime() - delivery.created_at > keepMs;
  const gap = everyMs ?? Math.max(retryGap(delivery.attempts), Math.min(afterMs, GIVE_UP_MS));
  try {
    await store.update(
      keys.outbox(delivery.delivery_id),
      {
        update: `SET due_at = :due, reason = :reason${dead ? ', due_kind = :dead, expires_at_s = :expiry' : ''}`,
        // If this attempt outlasted its lease, the process that took the message since decides.
        condition: 'attempts = :attempts AND due_kind <> :dead',
        values: {
          ':dead': DEAD_KIND,
          ':due': now.getTime() + (dead ? 0 : gap),
          ':reason': reason,
          ':attempts': delivery.attempts,
          ...(dead && { ':expiry': Math.floor(now.getTime() / 1000) + KEEP_DEAD_S }),
        },
      },
      deliverySchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return 'gone';
    throw error;
  }
  return dead ? 'dead' : 'later';
};

/** Lists due messages of a lane, oldest first. */
export const findDueDeliveries = (
  store: Store,
  lane: Lane,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<Delivery[]> => findDueItems(store, dueKinds(lane), deliverySchema, { now, limit, onDamaged });

/** Lists the times at which messages of a lane became due, the longest overdue first, also of those that cannot be read. */
export const findOverdue = async (store: Store, lane: Lane, until: Date, limit: number): Promise<number[]> =>
  (await findDueItems(store, dueKinds(lane), z.object({ due_at: z.number() }), { now: until, limit })).map(
    ({ due_at }) => due_at,
  );
