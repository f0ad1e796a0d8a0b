import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key } from '../table/writes.ts';
import { webhookOwnerSchema } from './endpoints.ts';

/** Age in milliseconds after which an event is not sent any more. */
export const GIVE_UP_MS = 3 * 24 * 3_600_000;

/** Separates the endpoint and the place of a delivery in its id. */
const SEPARATOR = '.';
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** An attempt to deliver an event. */
const attemptSchema = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  /** Status of the answer; absent without an answer. */
  http_status: z.number().optional(),
  duration_ms: z.number(),
  /** Reason of the failure; absent if there is none. */
  reason: z.string().optional(),
});

export type WebhookAttempt = z.output<typeof attemptSchema>;

export const deliverySchema = z.object({
  delivery_id: z.string(),
  owner: webhookOwnerSchema,
  /** Header `webhook-id`: the same whenever and wherever the event is sent. */
  event_id: z.string(),
  event_type: z.string(),
  /** The bytes that are signed and sent. */
  body: z.string(),
  /** Text that the answer must hold, of a challenge. */
  challenge: z.string().optional(),
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

/** Returns the place of a delivery among those of its endpoint. */
const placeOf = (deliveryId: string): string =>
  deliveryId.slice(endpointOf(deliveryId).length + SEPARATOR.length);

/** Returns the id of a delivery. */
export const deliveryIdOf = (endpointId: string, place: string): string =>
  `${endpointId}${SEPARATOR}${place}`;

/** Returns whether an event is not sent any more. */
export const isTooOld = (
  { created_at: createdAt }: Pick<WebhookDelivery, 'created_at'>,
  now: Date,
): boolean => now.getTime() - createdAt > GIVE_UP_MS;

/** Returns the key of a delivery. */
export const deliveryKey = (deliveryId: string): Key =>
  keys.webhookDelivery(endpointOf(deliveryId), placeOf(deliveryId));

/** Returns the index partition of the events of an endpoint that wait until it is tried again. */
export const parkedKind = (endpointId: string): string => `webhook_parked#${endpointId}`;

/** Parses a delivery; undefined if it is unknown or expired. */
export const asDelivery = (item: Item | undefined): WebhookDelivery | undefined =>
  item && parseItem(deliverySchema, item);
