import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { changeState, DUE_KIND, type EndpointState, stateSchema, trialAgain } from './endpoint-states.ts';

/** Milliseconds for which a run has exclusive use of an endpoint. */
const LEASE_MS = 60_000;
/** Answers in a row that failed or were slow, after which the events of an endpoint are parked. */
export const MAX_STRIKES = 5;
/** Time for which the index may not show an event that was parked right before an endpoint recovered. */
const SETTLE_MS = 60_000;

/** Counts an answer that failed or was slow, and puts the endpoint on trial. A success ends the time of failure. */
export const noteStrike = (
  store: Store,
  endpointId: string,
  failed: boolean,
  now: Date,
): Promise<EndpointState | undefined> => {
  const { set, values } = trialAgain(now);
  return changeState(store, endpointId, {
    update: failed
      ? `SET strikes = strikes + :one, ${set}, failing_since = if_not_exists(failing_since, :now)`
      : `SET strikes = strikes + :one, ${set} REMOVE failing_since`,
    values: { ...values, ':one': 1, ...(failed && { ':now': now.getTime() }) },
  });
};

/**
 * Ends the time of failure of an endpoint, and counts the answer for its trial. Costs nothing if it neither failed nor is on
 * trial.
 *
 * @returns true if the endpoint has passed its trial.
 */
export const noteSuccess = async (store: Store, state: EndpointState, now: Date): Promise<boolean> => {
  const { trial_left: left, trial_until: until = 0 } = state;
  if (left !== undefined && left <= 1 && now.getTime() >= until) return true;
  if (state.strikes === 0 && state.failing_since === undefined && left === undefined) return false;
  await changeState(store, state.endpoint_id, {
    update: `SET strikes = :none${left === undefined ? '' : ', trial_left = :left'} REMOVE failing_since`,
    values: { ':none': 0, ...(left !== undefined && { ':left': Math.max(1, left - 1) }) },
  });
  return false;
};

/** Parks the events of an endpoint until the job tries it at `dueAt`. No-op if they are parked. */
export const parkEndpoint = (
  store: Store,
  endpointId: string,
  now: Date,
  dueAt: number,
): Promise<EndpointState | undefined> =>
  changeState(store, endpointId, {
    update: 'SET parked_at = :now, probes = :none, due_kind = :kind, due_at = :due',
    condition: 'attribute_exists(pk) AND attribute_not_exists(parked_at)',
    values: { ':now': now.getTime(), ':none': 0, ':kind': DUE_KIND, ':due': dueAt },
  });

/** Reads endpoints to attend to, longest due first. */
export const findDueEndpoints = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<EndpointState[]> => findDueItems(store, [DUE_KIND], stateSchema, { now, limit, onDamaged });

/** Takes the lease of a due endpoint; undefined if it changed since it was found. */
export const takeEndpoint = (
  store: Store,
  { endpoint_id: id, due_at: seen }: EndpointState,
  now: Date,
): Promise<EndpointState | undefined> =>
  changeState(store, id, {
    update: 'SET due_at = :lease',
    condition: 'due_at = :seen',
    values: { ':lease': now.getTime() + LEASE_MS, ':seen': seen },
  });

/** Sets when an endpoint is tried next. One that fails is parked. */
export const postponeEndpoint = (
  store: Store,
  { endpoint_id: id, due_at: taken }: EndpointState,
  { probes, dueAt, failingSince }: { probes: number; dueAt: number; failingSince: number | undefined },
): Promise<EndpointState | undefined> =>
  changeState(store, id, {
    update: `SET probes = :probes, due_at = :due${
      failingSince === undefined
        ? ' REMOVE failing_since'
        : ', failing_since = :since, parked_at = if_not_exists(parked_at, :since)'
    }`,
    condition: 'due_at = :taken',
    values: {
      ':probes': probes,
      ':due': dueAt,
      ':taken': taken,
      ...(failingSince !== undefined && { ':since': failingSince }),
    },
  });

/**
 * Lets events of an endpoint leave at once again. The next failure parks them again. The job looks once more, as the
 * index may not show what was parked last.
 *
 * @param worked true if an attempt succeeded since it was parked.
 */
export const unparkEndpoint = (
  store: Store,
  { endpoint_id: id, due_at: taken }: EndpointState,
  { now, worked }: { readonly now: Date; readonly worked: boolean },
): Promise<EndpointState | undefined> =>
  changeState(store, id, {
    update: `SET strikes = :strikes, due_at = :due REMOVE parked_at${worked ? ', failing_since' : ''}`,
    condition: 'due_at = :taken',
    values: { ':strikes': MAX_STRIKES - 1, ':due': now.getTime() + SETTLE_MS, ':taken': taken },
  });

/** Ends the attention to an endpoint without parked events. */
export const releaseEndpoint = (
  store: Store,
  { endpoint_id: id, due_at: taken }: EndpointState,
): Promise<EndpointState | undefined> =>
  changeState(store, id, {
    update: 'REMOVE due_kind, due_at',
    condition: 'due_at = :taken AND attribute_not_exists(replay)',
    values: { ':taken': taken },
  });

/** Returns the write that makes an endpoint get the events of a time again. Replaces a replay in progress. */
export const newReplayWrite = (
  endpointId: string,
  { since, until }: { readonly since: number; readonly until: Date },
): Write => ({
  key: keys.webhookEndpoint(endpointId),
  update: 'SET replay = :replay, due_kind = :kind, due_at = :now',
  condition: 'attribute_exists(pk)',
  values: {
    ':replay': { since, until: until.getTime(), log: 0 },
    ':kind': DUE_KIND,
    ':now': until.getTime(),
  },
});

/** Returns the write of the progress of a replay. Its condition fails if another run took the endpoint. */
export const replayWrite = (
  { endpoint_id: id, due_at: taken }: EndpointState,
  replay: EndpointState['replay'],
): Write => ({
  key: keys.webhookEndpoint(id),
  update: replay ? 'SET replay = :replay' : 'REMOVE replay',
  condition: 'due_at = :taken',
  values: { ':taken': taken, ...(replay && { ':replay': replay }) },
});
