import * as z from 'zod';
import type { ChangeEvent } from '../../domain/changes/change-event.ts';
import { openEnum } from '../../domain/open-enum.ts';
import { dueKind, dueKinds, LANES } from '../outbox/lanes.ts';
import type { Item } from '../table/attributes.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key, Update, Write } from '../table/writes.ts';
import { parkedCheck } from './endpoint-states.ts';
import { type WebhookOwner, webhookOwnerSchema } from './endpoints.ts';

/** Milliseconds for a delivery attempt; afterwards the sweep may take the delivery. */
const LEASE_MS = 60_000;
/** Milliseconds for which a new delivery waits for its first attempt; afterwards the sweep may take it. */
const FIRST_LEASE_MS = 180_000;
/** Seconds for which deliveries are kept. */
const KEEP_S = 30 * 24 * 3600;
/** Age in milliseconds after which an event is not sent any more. */
export const GIVE_UP_MS = 3 * 24 * 3_600_000;

/** Separates the endpoint and the place of a delivery in its id. */
const SEPARATOR = '.';
/** Digits of a time in base 36, until the year 5188. */
const TIME_DIGITS = 9;
const RANDOM_BYTES = 6;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** An attempt to deliver an event. */
const attemptSchema = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  /** Status of the answer; absent without an answer. */
  http_status: z.number().optional(),
  duration_ms: z.number(),
  /** Why it failed; absent if it did not. */
  reason: z.string().optional(),
});

export type WebhookAttempt = z.output<typeof attemptSchema>;

const deliverySchema = z.object({
  delivery_id: z.string(),
  owner: webhookOwnerSchema,
  /** Header `webhook-id`: the same whenever and wherever the event is sent. */
  event_id: z.string(),
  event_type: z.string(),
  /** The bytes that are signed and sent. */
  body: z.string(),
  status: openEnum(DELIVERY_STATUSES, 'pending'),
  /** Attempts that were begun. */
  attempts: z.number(),
  last_attempt: attemptSchema.optional(),
  /** Epoch milliseconds. */
  created_at: z.number(),
  settled_at: z.number().optional(),
  /** Next attempt, epoch milliseconds; absent once it is settled. */
  due_at: z.number().optional(),
});

/** An event on its way to an endpoint. */
export type WebhookDelivery = z.output<typeof deliverySchema>;

/** Returns the endpoint of a delivery. */
export const endpointOf = (deliveryId: string): string => deliveryId.split(SEPARATOR, 1).join('');

/** Returns whether an event is not sent any more. */
export const isTooOld = (
  { created_at: createdAt }: Pick<WebhookDelivery, 'created_at'>,
  now: Date,
): boolean => now.getTime() - createdAt > GIVE_UP_MS;

/** Returns the key of a delivery. */
export const deliveryKey = (deliveryId: string): Key => {
  const endpointId = endpointOf(deliveryId);
  return keys.webhookDelivery(endpointId, deliveryId.slice(endpointId.length + SEPARATOR.length));
};

/** Returns the beginning of the place of deliveries that were made at a time. */
const placeAt = (ms: number): string => ms.toString(36).padStart(TIME_DIGITS, '0');

/** Index partition of the events of an endpoint that wait until it is tried again. */
const parkedKind = (endpointId: string): string => `webhook_parked#${endpointId}`;

/** Parses a delivery; undefined if it is unknown or expired. */
export const asDelivery = (item: Item | undefined): WebhookDelivery | undefined =>
  item && parseItem(deliverySchema, item);

/** Writes the body of an event: type, time and data of Standard Webhooks, and what the change feed adds. */
export const bodyOf = ({ type, at, deployment_id, sequence, user_key, data }: ChangeEvent): string =>
  JSON.stringify({ type, timestamp: at, deployment_id, sequence, user_key, data });

/** An event for an endpoint. */
export interface Addressed {
  readonly endpointId: string;
  readonly owner: WebhookOwner;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
}

interface Making {
  readonly now: Date;
  readonly random: (bytes: number) => Buffer;
}

const itemOf = ({ endpointId, owner, eventId, eventType, body }: Addressed, { now, random }: Making) => {
  const place = `${placeAt(now.getTime())}${random(RANDOM_BYTES).toString('base64url')}`;
  return {
    ...keys.webhookDelivery(endpointId, place),
    delivery_id: `${endpointId}${SEPARATOR}${place}`,
    owner,
    event_id: eventId,
    event_type: eventType,
    body,
    status: 'pending' as const,
    attempts: 0,
    created_at: now.getTime(),
    expires_at_s: Math.floor(now.getTime() / 1000) + KEEP_S,
  };
};

/** A delivery and the write that stores it. */
interface Made {
  readonly delivery: WebhookDelivery;
  readonly write: Write;
}

/** Makes a delivery that leaves at once. */
export const newDelivery = (addressed: Addressed, making: Making): Made => {
  const item = itemOf(addressed, making);
  const due_at = item.created_at + FIRST_LEASE_MS;
  return {
    delivery: { ...item, due_at },
    write: {
      put: {
        ...item,
        entity: LANES.webhooks.entity,
        // The queue runs the deliveries of an endpoint one after another.
        group: addressed.endpointId,
        due_kind: dueKind('webhooks', item.delivery_id),
        due_at,
      },
      if: { condition: 'attribute_not_exists(pk)' },
    },
  };
};

/** Returns the write of a delivery that waits until its endpoint is attended to. */
export const parkedDeliveryWrite = (addressed: Addressed, making: Making): Write => {
  const item = itemOf(addressed, making);
  return {
    put: {
      ...item,
      entity: 'webhook_delivery',
      due_kind: parkedKind(addressed.endpointId),
      due_at: item.created_at,
    },
    if: { condition: 'attribute_not_exists(pk)' },
  };
};

const changeDelivery = async (
  store: Store,
  deliveryId: string,
  change: Update,
): Promise<WebhookDelivery | undefined> => {
  try {
    return await store.update(deliveryKey(deliveryId), change, deliverySchema);
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

const STATUS = { '#status': 'status' };

/**
 * Takes the lease of a delivery for one attempt.
 *
 * @returns undefined if it is settled, or another run took it.
 */
export const takeWebhook = (
  store: Store,
  { delivery_id: id, attempts }: Pick<WebhookDelivery, 'delivery_id' | 'attempts'>,
  now: Date,
): Promise<WebhookDelivery | undefined> =>
  changeDelivery(store, id, {
    update: 'SET attempts = attempts + :one, due_at = :lease',
    condition: 'attempts = :seen AND #status = :pending',
    names: STATUS,
    values: {
      ':one': 1,
      ':lease': now.getTime() + LEASE_MS,
      ':seen': attempts,
      ':pending': 'pending',
    },
  });

/** Ends a delivery: delivered, or given up. No-op if another run took it since. */
export const settleWebhook = (
  store: Store,
  { delivery_id: id, attempts }: WebhookDelivery,
  status: 'delivered' | 'failed',
  { attempt, now }: { readonly attempt: WebhookAttempt | undefined; readonly now: Date },
): Promise<WebhookDelivery | undefined> =>
  changeDelivery(store, id, {
    update: `SET #status = :status, settled_at = :now${attempt ? ', last_attempt = :attempt' : ''} REMOVE due_kind, due_at`,
    condition: 'attempts = :attempts AND #status = :pending',
    names: STATUS,
    values: {
      ':status': status,
      ':now': now.getTime(),
      ':attempts': attempts,
      ':pending': 'pending',
      ...(attempt && { ':attempt': attempt }),
    },
  });

/** Schedules another attempt. No-op if another run took the delivery since. */
export const postponeWebhook = (
  store: Store,
  { delivery_id: id, attempts }: WebhookDelivery,
  attempt: WebhookAttempt,
  dueAt: number,
): Promise<WebhookDelivery | undefined> =>
  changeDelivery(store, id, {
    update: 'SET last_attempt = :attempt, due_kind = :kind, due_at = :due',
    condition: 'attempts = :attempts AND #status = :pending',
    names: STATUS,
    values: {
      ':attempt': attempt,
      ':kind': dueKind('webhooks', id),
      ':due': dueAt,
      ':attempts': attempts,
      ':pending': 'pending',
    },
  });

/**
 * Parks a delivery of an endpoint that is parked.
 *
 * @returns false if the endpoint is not parked any more. True if another run took the delivery.
 */
export const parkWebhook = async (
  store: Store,
  { delivery_id: id, attempts }: WebhookDelivery,
  now: Date,
): Promise<boolean> => {
  const check = parkedCheck(endpointOf(id));
  try {
    await store.transact([
      {
        key: deliveryKey(id),
        update: 'SET due_kind = :kind, due_at = :now',
        condition: 'attempts = :attempts AND #status = :pending',
        names: STATUS,
        values: {
          ':kind': parkedKind(endpointOf(id)),
          ':now': now.getTime(),
          ':attempts': attempts,
          ':pending': 'pending',
        },
      },
      check,
    ]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return !error.has(check);
    throw error;
  }
};

/** Reads deliveries that are due again or were missed, the longest due first. */
export const findDueWebhooks = (store: Store, now: Date, limit: number): Promise<WebhookDelivery[]> =>
  findDueItems(store, dueKinds('webhooks'), deliverySchema, { now, limit });

/** Reads parked deliveries of an endpoint, in their order. */
export const findParkedWebhooks = (
  store: Store,
  endpointId: string,
  now: Date,
  limit: number,
): Promise<WebhookDelivery[]> =>
  findDueItems(store, [parkedKind(endpointId)], deliverySchema, { now, limit });

/** Place in the list of deliveries after which a page begins. */
const PLACE = /^[\w-]{1,64}$/;

/** Tells whether a text may be the cursor of a list of deliveries. */
export const isDeliveryCursor = (text: string): boolean => PLACE.test(text);

/**
 * Reads deliveries of an endpoint, newest first.
 *
 * @param before place of the last delivery of the page before.
 * @returns at most `limit` deliveries, and `next` if more may follow.
 */
export const listWebhookDeliveries = async (
  store: Store,
  endpointId: string,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<{ deliveries: WebhookDelivery[]; next: string | undefined }> => {
  const { pk, sk: from } = keys.webhookDelivery(endpointId, '');
  const { sk: to } = keys.webhookDelivery(endpointId, before ?? '~');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: false,
    // The last delivery of the page before is read again, and one more tells whether others follow.
    Limit: limit + 2,
  });
  const found = items.filter(({ sk }) => sk !== to).map((item) => parseItem(deliverySchema, item));
  const deliveries = found.slice(0, limit);
  const last = deliveries.at(-1);
  return {
    deliveries,
    next:
      found.length > limit && last ? last.delivery_id.slice(endpointId.length + SEPARATOR.length) : undefined,
  };
};
