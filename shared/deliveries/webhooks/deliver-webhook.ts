import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import { asDelivery, deliveryKey, endpointOf } from '../../data/webhooks/deliveries.ts';
import { deferWebhook, parkWebhook, settleWebhook } from '../../data/webhooks/delivery-changes.ts';
import { MAX_STRIKES, noteStrike, noteSuccess, parkEndpoint } from '../../data/webhooks/endpoint-health.ts';
import { asEndpointState, type EndpointState } from '../../data/webhooks/endpoint-states.ts';
import { probeGap } from '../../domain/webhooks/retry-schedule.ts';
import { disableEndpoint } from '../../lifecycle/webhook-notices.ts';
import { beginTrial, endTrial } from '../../lifecycle/webhook-standing.ts';
import type { Runtime } from '../../runtime.ts';
import type { Deliver } from '../attempt.ts';
import { attemptWebhook } from './attempt-webhook.ts';

/** Milliseconds for the answer of an endpoint. */
const PATIENCE_MS = 5_000;
/** Time of failure after which an endpoint is disabled. */
const DISABLE_MS = 5 * 24 * 3_600_000;

/** Disables an endpoint that has failed for too long. @returns true if it has. */
export const disableIfFailing = async (
  runtime: Runtime,
  { owner, endpoint_id }: Pick<EndpointState, 'owner' | 'endpoint_id'>,
  failingSince: number | undefined,
): Promise<boolean> => {
  const now = runtime.clock().getTime();
  if (failingSince === undefined || now - failingSince < DISABLE_MS) return false;
  await disableEndpoint(runtime, owner, endpoint_id, 'failing');
  return true;
};

/** Counts a failed or slow answer, and parks or disables an endpoint that had too many. */
const strike = async (
  runtime: Runtime,
  state: EndpointState,
  { failed, afterMs }: { readonly failed: boolean; readonly afterMs: number | undefined },
): Promise<void> => {
  const { store, clock, random } = runtime;
  const now = clock();
  const next = await noteStrike(store, state.endpoint_id, failed, now);
  if (next && state.trial_left === undefined) await beginTrial(runtime, state);
  if (!next || (await disableIfFailing(runtime, next, next.failing_since))) return;
  if (next.strikes < MAX_STRIKES || next.parked_at !== undefined) return;
  const dueAt = failed ? now.getTime() + probeGap(0, afterMs, random) : now.getTime();
  await parkEndpoint(store, state.endpoint_id, now, dueAt);
};

/**
 * Makes the function of a lane, which makes one attempt to deliver an event at once. Events of an endpoint that fails or
 * answers slowly are parked: the job `attend-webhooks` sends them, so that they hold up no other endpoint. The lane
 * `webhooks` leaves those of an endpoint that got on trial meanwhile to the sweep.
 *
 * @throws Error if the table or KMS cannot be reached.
 */
const deliverIn =
  (lane: 'webhooks' | 'trials'): Deliver =>
  async (runtime, deliveryId, seenAttempts) => {
    const { store, clock } = runtime;
    const key = deliveryKey(deliveryId);
    const stateKey = keys.webhookEndpoint(endpointOf(deliveryId));
    const items = await store.getMany([key, stateKey], { consistent: true });
    const delivery = asDelivery(itemWith(items, key));
    if (delivery?.status !== 'pending' || delivery.attempts !== seenAttempts) return;
    const state = asEndpointState(itemWith(items, stateKey));
    if (!state) {
      await settleWebhook(store, delivery, 'failed', { attempt: undefined, now: clock() });
      return;
    }
    if (delivery.challenge !== undefined) {
      // Says nothing about how the address takes events.
      await attemptWebhook(runtime, state, delivery, PATIENCE_MS);
      return;
    }
    if (state.parked_at !== undefined && (await parkWebhook(store, delivery, clock()))) return;
    if (lane === 'webhooks' && state.trial_left !== undefined) {
      await deferWebhook(store, delivery, clock());
      return;
    }
    const outcome = await attemptWebhook(runtime, state, delivery, PATIENCE_MS);
    if (outcome.state === 'sent' && (await noteSuccess(store, state, clock())))
      await endTrial(runtime, state);
    if (outcome.state === 'slow') await strike(runtime, state, { failed: false, afterMs: undefined });
    if (outcome.state === 'failed') await strike(runtime, state, { failed: true, afterMs: outcome.afterMs });
  };

/** Delivers to endpoints that proved to be fast. */
export const deliverWebhook = deliverIn('webhooks');

/** Delivers to endpoints on trial: for the lane `trials`, and for the sweep. */
export const deliverTrial = deliverIn('trials');
