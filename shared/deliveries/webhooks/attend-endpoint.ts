import type { OnDamaged } from '../../data/table/damaged-items.ts';
import { isTooOld, type WebhookDelivery } from '../../data/webhooks/deliveries.ts';
import {
  postponeEndpoint,
  releaseEndpoint,
  takeEndpoint,
  unparkEndpoint,
} from '../../data/webhooks/endpoint-health.ts';
import type { EndpointState } from '../../data/webhooks/endpoint-states.ts';
import { findParkedWebhooks } from '../../data/webhooks/find-deliveries.ts';
import { probeGap } from '../../domain/webhooks/retry-schedule.ts';
import type { Runtime } from '../../runtime.ts';
import { attemptWebhook } from './attempt-webhook.ts';
import { disableIfFailing } from './deliver-webhook.ts';
import { replaySome } from './replay-events.ts';

/** Milliseconds for the answer of an endpoint. Longer than at first, as nothing else waits. */
const PATIENCE_MS = 10_000;
/** Requests to one endpoint at a time. */
const AT_ONCE = 5;
/** Deliveries that are looked at together: those that are too old need no request. */
const LOOKED_AT = 25;
/** Milliseconds for one endpoint in a run, so that all get a turn. */
const TURN_MS = 10_000;

type Attempts = Awaited<ReturnType<typeof attemptWebhook>>[];

/** Sends some of the parked events of an endpoint at the same time, and gives up those that are too old. */
const sendSome = (
  runtime: Runtime,
  state: EndpointState,
  waiting: readonly WebhookDelivery[],
  limit: number,
): Promise<Attempts> => {
  const now = runtime.clock();
  const old = waiting.filter((one) => isTooOld(one, now));
  const chosen = old.length > 0 ? old : waiting.slice(0, limit);
  return Promise.all(chosen.map((one) => attemptWebhook(runtime, state, one, PATIENCE_MS)));
};

/** Schedules the next attempt at an endpoint that accepted nothing, or disables it. */
const giveTime = async (runtime: Runtime, state: EndpointState, attempts: Attempts): Promise<void> => {
  const { store, clock, random } = runtime;
  const now = clock().getTime();
  const failingSince = state.failing_since ?? now;
  if (await disableIfFailing(runtime, state, failingSince)) return;
  const asked = attempts.map((one) => (one.state === 'failed' ? (one.afterMs ?? 0) : 0));
  const dueAt = now + probeGap(state.probes, Math.max(...asked), random);
  await postponeEndpoint(store, state, { probes: state.probes + 1, dueAt, failingSince });
};

/** Sends parked events of an endpoint; see {@link attendEndpoint}. */
const attend = async (runtime: Runtime, found: EndpointState, onDamaged: OnDamaged): Promise<void> => {
  const { store, clock } = runtime;
  let state = await takeEndpoint(store, found, clock());
  if (!state) return;
  const end = performance.now() + TURN_MS;
  let worked = false;
  do {
    const isProbe = state.parked_at !== undefined && !worked;
    const waiting = await findParkedWebhooks(store, state.endpoint_id, clock(), LOOKED_AT, onDamaged);
    if (waiting.length === 0 && state.replay) {
      const next = await replaySome(runtime, state, onDamaged);
      if (!next) break;
      state = next;
      continue;
    }
    if (waiting.length === 0) {
      if (state.parked_at === undefined) await releaseEndpoint(store, state);
      else await unparkEndpoint(store, state, { now: clock(), worked });
      return;
    }
    const attempts = await sendSome(runtime, state, waiting, isProbe ? 1 : AT_ONCE);
    const states = attempts.map((one) => one.state);
    if (states.includes('gone')) return;
    if (states.includes('failed') && !states.includes('sent') && !states.includes('slow')) {
      return giveTime(runtime, state, attempts);
    }
    worked ||= states.includes('sent') || states.includes('slow');
    // The index still shows deliveries that are settled, or the endpoint is slow: goes on at the next run.
    if (states.includes('slow') || states.every((one) => one === 'skipped')) break;
  } while (performance.now() < end);
  await postponeEndpoint(store, state, {
    probes: worked ? 0 : state.probes,
    dueAt: clock().getTime(),
    failingSince: worked ? undefined : state.failing_since,
  });
};

/**
 * Sends parked events of an endpoint, and those to replay: one at first, several at a time once it accepts them. Without any left, later
 * events leave at once again. An endpoint that accepts nothing costs one attempt from time to time, however many events
 * wait.
 */
export const attendEndpoint = async (runtime: Runtime, found: EndpointState): Promise<void> => {
  const damaged: Error[] = [];
  await attend(runtime, found, (error) => damaged.push(error));
  if (damaged.length > 0) throw new AggregateError(damaged, `${damaged.length} events cannot be read`);
};
