import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import {
  DELIVERY_STATUSES,
  isTooOld,
  type WebhookDelivery,
} from '../../../shared/data/webhooks/deliveries.ts';

export const webhookDeliveryOut = extensionRecord(
  'WebhookDelivery',
  z.object({
    delivery_id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: integer({ min: 0 }),
    last_attempt_at: timestamp().nullable(),
    http_status: integer().nullable(),
    duration_ms: integer({ min: 0 }).nullable(),
    failure: z.string().nullable(),
    created_at: timestamp(),
    settled_at: timestamp().nullable(),
  }),
);

const timeOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** Presents a delivery. A parked one that is too old is failed, although nothing has written it yet. */
export const presentDelivery = (
  delivery: WebhookDelivery,
  now: Date,
): z.output<typeof webhookDeliveryOut> => {
  const { status, last_attempt: last, created_at: createdAt } = delivery;
  const isOver = status === 'pending' && isTooOld(delivery, now);
  return {
    delivery_id: delivery.delivery_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    status: isOver ? 'failed' : status,
    attempts: delivery.attempts,
    last_attempt_at: timeOf(last?.at),
    http_status: last?.http_status ?? null,
    duration_ms: last?.duration_ms ?? null,
    failure: last?.reason ?? null,
    created_at: new Date(createdAt).toISOString(),
    settled_at: timeOf(delivery.settled_at),
  };
};
