import { dueKind } from '../outbox/lanes.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Update } from '../table/writes.ts';
import {
  deliveryKey,
  deliverySchema,
  endpointOf,
  parkedKind,
  type WebhookAttempt,
  type WebhookDelivery,
} from './deliveries.ts';
import { parkedCheck } from './endpoint-states.ts';

/** Milliseconds for a delivery attempt; afterwards the sweep may take the delivery. */
const LEASE_MS = 60_000;
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

/** Leaves a delivery to the sweep, which gives each owner a turn. No-op if another run took it. */
export const deferWebhook = (
  store: Store,
  { delivery_id: id, attempts }: WebhookDelivery,
  now: Date,
): Promise<WebhookDelivery | undefined> =>
  changeDelivery(store, id, {
    update: 'SET due_at = :now',
    condition: 'attempts = :attempts AND #status = :pending',
    names: STATUS,
    values: { ':now': now.getTime(), ':attempts': attempts, ':pending': 'pending' },
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
