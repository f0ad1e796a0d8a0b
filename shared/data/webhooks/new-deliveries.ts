import type { ChangeEvent } from '../../domain/changes/change-event.ts';
import { dueKind, LANES } from '../outbox/lanes.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { deliveryIdOf, parkedKind, type WebhookDelivery } from './deliveries.ts';
import { ownerName, type WebhookOwner } from './endpoints.ts';

/** Milliseconds for which a new delivery waits for its first attempt; afterwards the sweep may take it. */
const FIRST_LEASE_MS = 180_000;
/** Seconds for which deliveries are kept. */
const KEEP_S = 30 * 24 * 3600;
/** Digits of a time in base 36, until the year 5188. */
const TIME_DIGITS = 9;
const RANDOM_BYTES = 6;

/** Writes the body of an event: type, time and data of Standard Webhooks, and what the change feed adds. */
export const bodyOf = ({ type, at, deployment_id, sequence, user_key, data }: ChangeEvent): string =>
  JSON.stringify({ type, timestamp: at, deployment_id, sequence, user_key, data });

/** Returns the beginning of the place of deliveries that were made at a time. */
const placeAt = (ms: number): string => ms.toString(36).padStart(TIME_DIGITS, '0');

/** An event for an endpoint. */
export interface Addressed {
  readonly endpointId: string;
  readonly owner: WebhookOwner;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  /** Text that the answer must hold, of a challenge. */
  readonly challenge?: string;
}

interface Making {
  readonly now: Date;
  readonly random: (bytes: number) => Buffer;
}

const itemOf = (
  { endpointId, owner, eventId, eventType, body, challenge }: Addressed,
  { now, random }: Making,
) => {
  const place = `${placeAt(now.getTime())}${random(RANDOM_BYTES).toString('base64url')}`;
  return {
    ...keys.webhookDelivery(endpointId, place),
    delivery_id: deliveryIdOf(endpointId, place),
    owner,
    event_id: eventId,
    event_type: eventType,
    body,
    ...(challenge !== undefined && { challenge }),
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

/** Makes a delivery that leaves at once, by a lane. */
export const newDelivery = (addressed: Addressed, lane: 'webhooks' | 'trials', making: Making): Made => {
  const item = itemOf(addressed, making);
  const due_at = item.created_at + FIRST_LEASE_MS;
  return {
    delivery: { ...item, due_at },
    write: {
      put: {
        ...item,
        entity: LANES[lane].entity,
        // The queue runs the deliveries of a group one after another.
        group: lane === 'trials' ? ownerName(addressed.owner) : addressed.endpointId,
        due_kind: dueKind(lane, item.delivery_id),
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
