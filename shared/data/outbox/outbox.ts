import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, TransactionRefusedError, type Write } from '../table/store.ts';
import { CODE_PURPOSES } from '../users/one-time-codes.ts';
import { DEAD_KIND, dueKind, dueKinds, LANES, type Lane } from './lanes.ts';

/** How long a first delivery may take before the sweep takes the message over. */
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 3_600_000;
/** After this the message is worth nothing. */
export const GIVE_UP_MS = 24 * 3_600_000;
/** Dead letters are kept for a month to be looked into. */
const KEEP_DEAD_S = 30 * 24 * 3600;

/** What a push message says. */
const pushText = z.object({
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.string()),
  urgent: z.boolean(),
});

/**
 * A message as stored. One-time codes are not part of it: the delivery derives a code from its nonce,
 * so that the table never holds one.
 */
const messageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('code_mail'),
    to: z.string(),
    purpose: z.enum(CODE_PURPOSES),
    nonce: z.string(),
    /** Epoch milliseconds: a code that is over is not sent. */
    valid_until: z.number(),
  }),
  z.object({
    kind: z.literal('code_sms'),
    to: z.string(),
    /** What the code was made for, beside the number that it goes to. */
    email: z.string(),
    purpose: z.enum(CODE_PURPOSES),
    nonce: z.string(),
    valid_until: z.number(),
  }),
  z.object({ kind: z.literal('analytics'), payload: z.string() }),
  z.object({
    kind: z.literal('domain_event'),
    detail_type: z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
  z.object({
    kind: z.literal('notification_mail'),
    to: z.string(),
    title: z.string(),
    body: z.string(),
  }),
  /** What an event adds to the lists of a user: read by whoever enters it. */
  z.object({
    kind: z.literal('live_entries'),
    user_id: z.string(),
    entries: z.instanceof(Uint8Array<ArrayBuffer>),
  }),
  /** An event of an engine, as JSON, that waits for a version that understands it. */
  z.object({ kind: z.literal('execution_event'), event: z.string() }),
  z.object({ kind: z.literal('notification_sms'), to: z.string(), title: z.string(), body: z.string() }),
  /** To every device of a user: its delivery puts one `device_push` for each in its place. */
  z.object({ kind: z.literal('notification_push'), user_id: z.string(), note: pushText }),
  z.object({
    kind: z.literal('device_push'),
    user_id: z.string(),
    push_key: z.string(),
    device: z.enum(['fcm', 'web_push']),
    note: pushText,
  }),
]);

export type Message = z.output<typeof messageSchema>;
export type MessageOf<K extends Message['kind']> = Extract<Message, { kind: K }>;
export type PushText = z.output<typeof pushText>;

const deliverySchema = z.object({
  delivery_id: z.string(),
  /** Undefined for a message that this version does not know. */
  message: messageSchema.optional().catch(undefined),
  attempts: z.number(),
  /** Epoch milliseconds. */
  created_at: z.number(),
  due_at: z.number(),
});

export type Delivery = z.output<typeof deliverySchema>;

const laneOf = ({ kind }: Message): Lane => {
  if (kind === 'device_push') return 'push';
  return kind === 'execution_event' ? 'events' : 'main';
};

/** Writes a message to the outbox, as part of the transaction that causes it. */
export const outboxWrite = (deliveryId: string, message: Message, now: Date): Write => ({
  put: {
    ...keys.outbox(deliveryId),
    entity: LANES[laneOf(message)].entity,
    delivery_id: deliveryId,
    message,
    attempts: 0,
    created_at: now.getTime(),
    due_kind: dueKind(laneOf(message), deliveryId),
    due_at: now.getTime() + LEASE_MS,
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Writes a message to the outbox on its own. */
export const putInOutbox = async (
  store: Store,
  deliveryId: string,
  message: Message,
  now: Date,
): Promise<void> => {
  const write = outboxWrite(deliveryId, message, now);
  await store.transact([write]);
};

/** Each gap is twice the one before, up to an hour; the sweep comes by once a minute. */
const retryGap = (attempts: number): number => Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts);

/**
 * Takes a message for one attempt at its delivery: for the time of a lease nobody else does.
 *
 * @param seenAttempts how many attempts there were when it was found; another taker has counted on since.
 * @returns undefined when it is delivered, given up, or another taker's.
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

/** A message under the id that it is delivered by. */
interface Addressed {
  readonly deliveryId: string;
  readonly message: Message;
}

/**
 * Puts other messages in the place of one, in one transaction: at most 99. Nothing happens where somebody
 * else has taken it since.
 */
export const replaceDelivery = async (
  store: Store,
  { delivery_id, attempts }: Delivery,
  messages: readonly Addressed[],
  now: Date,
): Promise<void> => {
  try {
    await store.transact([
      {
        delete: keys.outbox(delivery_id),
        if: {
          condition: 'attempts = :attempts AND due_kind <> :dead',
          values: { ':attempts': attempts, ':dead': DEAD_KIND },
        },
      },
      ...messages.map(({ deliveryId, message }) => outboxWrite(deliveryId, message, now)),
    ]);
  } catch (error) {
    const isTaken = error instanceof TransactionRefusedError && error.failed.includes(0);
    if (!isTaken) throw error;
  }
};

/**
 * Puts a message that could not be delivered back for later, or among the dead letters where it is
 * a day old or the failure is final.
 *
 * @param reason for the operator: names what failed, never the addressee or the content.
 * @param everyMs the gap to the next attempt, however many there were.
 * @param afterMs how long the service asked to be left alone, which is heeded until the message is a day old.
 */
export const postponeDelivery = async (
  store: Store,
  delivery: Delivery,
  {
    reason,
    final,
    afterMs = 0,
    everyMs,
    now,
  }: { reason: string; final: boolean; afterMs?: number; everyMs?: number; now: Date },
): Promise<'later' | 'dead' | 'gone'> => {
  const dead = final || now.getTime() - delivery.created_at > GIVE_UP_MS;
  const gap = everyMs ?? Math.max(retryGap(delivery.attempts), Math.min(afterMs, GIVE_UP_MS));
  try {
    await store.update(
      keys.outbox(delivery.delivery_id),
      {
        update: `SET due_at = :due, reason = :reason${dead ? ', due_kind = :dead, expires_at_s = :expiry' : ''}`,
        // Whoever has taken it since, because this attempt outlasted its lease, decides.
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

/** Messages of a lane that are due, oldest first. */
export const findDueDeliveries = async (
  store: Store,
  lane: Lane,
  now: Date,
  limit: number,
): Promise<Delivery[]> => {
  const findIn = (kind: string): Promise<Delivery[]> =>
    store.query(
      {
        IndexName: 'due',
        KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
        ExpressionAttributeValues: { ':kind': kind, ':now': now.getTime() },
        Limit: limit,
      },
      deliverySchema,
    );
  const found = await Promise.all(dueKinds(lane).map(findIn));
  return found
    .flat()
    .sort((left, right) => left.due_at - right.due_at)
    .slice(0, limit);
};
