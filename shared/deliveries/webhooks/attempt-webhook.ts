import { signatureHeaders } from '../../auth/webhook-secrets.ts';
import { postWebhook, type WebhookAnswer } from '../../channels/webhook.ts';
import { findBroker } from '../../data/brokers/brokers.ts';
import {
  endpointOf,
  GIVE_UP_MS,
  isTooOld,
  type WebhookAttempt,
  type WebhookDelivery,
} from '../../data/webhooks/deliveries.ts';
import { postponeWebhook, settleWebhook, takeWebhook } from '../../data/webhooks/delivery-changes.ts';
import type { EndpointState } from '../../data/webhooks/endpoint-states.ts';
import { retryGap } from '../../domain/webhooks/retry-schedule.ts';
import { disableEndpoint } from '../../lifecycle/webhook-notices.ts';
import { proveEndpoint } from '../../lifecycle/webhook-standing.ts';
import type { Runtime } from '../../runtime.ts';

/** Slower answers count as strikes: an endpoint that always takes longer would hold up others. */
const SLOW_MS = 2_000;
const GONE = 410;
/** Attempts at a challenge: its owner can ask for another. */
const MOST_CHALLENGES = 3;

/**
 * Result of an attempt:
 * - `sent`, `slow`: the endpoint accepted the event, in time or late.
 * - `failed`: it did not. `afterMs` is the time that it asks to wait.
 * - `gone`: it is disabled now.
 * - `given_up`: nothing was sent, and nothing will be.
 * - `skipped`: another run has the delivery.
 */
type Attempted =
  | { readonly state: 'sent' | 'slow' | 'gone' | 'given_up' | 'skipped' }
  | { readonly state: 'failed'; readonly afterMs: number | undefined };

const attemptOf = ({ status, durationMs, reason }: WebhookAnswer, at: Date): WebhookAttempt => ({
  at: at.getTime(),
  duration_ms: durationMs,
  ...(status !== undefined && { http_status: status }),
  ...(reason !== undefined && { reason }),
});

/** Returns whether an operator suspended the broker that has the endpoint. */
const isSuspended = async ({ store }: Runtime, { owner }: EndpointState): Promise<boolean> => {
  if (!('subdomain' in owner)) return false;
  const broker = await findBroker(store, owner.subdomain);
  return !broker || broker.suspended_at !== undefined;
};

/**
 * Makes one attempt to deliver an event.
 *
 * @throws Error of the table or of KMS; the delivery is due again after its lease.
 */
export const attemptWebhook = async (
  runtime: Runtime,
  state: EndpointState,
  found: WebhookDelivery,
  patienceMs: number,
): Promise<Attempted> => {
  const { store, clock, random, log } = runtime;
  const now = clock();
  if (isTooOld(found, now) || (await isSuspended(runtime, state))) {
    await settleWebhook(store, found, 'failed', { attempt: undefined, now });
    return { state: 'given_up' };
  }
  const delivery = await takeWebhook(store, found, now);
  if (!delivery) return { state: 'skipped' };
  const { event_id: id, body, delivery_id, attempts, created_at: createdAt } = delivery;
  const answer = await postWebhook({
    url: state.url,
    headers: await signatureHeaders(runtime, state, { id, body, now }),
    body,
    reach: runtime.capability('webhooks').HUB_WEBHOOK_REACH,
    patienceMs,
    clock,
    challenge: delivery.challenge,
  });
  const attempt = attemptOf(answer, now);
  const after = clock();
  if (answer.accepted) {
    // Before it is settled, so that a crash between the two repeats the challenge.
    if (delivery.challenge !== undefined) await proveEndpoint(runtime, state);
    await settleWebhook(store, delivery, 'delivered', { attempt, now: after });
    return { state: answer.durationMs > SLOW_MS ? 'slow' : 'sent' };
  }
  log.info('webhook not accepted', { delivery_id, attempts, reason: answer.reason });
  if (answer.status === GONE) {
    await settleWebhook(store, delivery, 'failed', { attempt, now: after });
    await disableEndpoint(runtime, state.owner, endpointOf(delivery_id), 'gone');
    return { state: 'gone' };
  }
  const dueAt = after.getTime() + retryGap(attempts, answer.afterMs, random);
  const isLast = delivery.challenge !== undefined && attempts >= MOST_CHALLENGES;
  if (isLast || dueAt - createdAt > GIVE_UP_MS) {
    await settleWebhook(store, delivery, 'failed', { attempt, now: after });
  } else await postponeWebhook(store, delivery, attempt, dueAt);
  return { state: 'failed', afterMs: answer.afterMs };
};
