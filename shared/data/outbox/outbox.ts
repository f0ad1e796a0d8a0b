import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { dueKind, LANES, type Lane } from './lanes.ts';
import type { Message } from './messages.ts';

/** Milliseconds for a delivery attempt; afterwards the sweep may take the message. */
export const LEASE_MS = 60_000;

/** Lanes of kinds that are not of the lane `main`. */
const LANE_OF: Partial<Record<Message['kind'], Lane>> = {
  analytics: 'bulk',
  device_push: 'push',
  execution_event: 'events',
  notification_mail: 'bulk',
  notification_sms: 'bulk',
  order_request: 'orders',
  unsubscribe_mail: 'bulk',
};

const laneOf = ({ kind }: Message): Lane => LANE_OF[kind] ?? 'main';

/** Returns the write of a message, for the transaction that causes it. */
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

/** Writes a message to the outbox in a transaction of its own. */
export const putInOutbox = async (
  store: Store,
  deliveryId: string,
  message: Message,
  now: Date,
): Promise<void> => {
  const write = outboxWrite(deliveryId, message, now);
  await store.transact([write]);
};
