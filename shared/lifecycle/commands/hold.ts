import type { Deployment } from '../../data/deployments/deployments.ts';
import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import { asUser } from '../../data/users/users.ts';
import {
  canMove,
  isFinalDeploymentStatus,
  moveDeployment,
} from '../../domain/deployments/deployment-states.ts';
import { rearmed } from '../deployment-limits.ts';
import type { Effect } from '../effect.ts';
import {
  type Command,
  type Commanded,
  done,
  type Known,
  REFUSED,
  stopReasonOf,
  UNCHANGED,
} from './command.ts';
import { engineMessages } from './engine-messages.ts';
import { held, holding } from './hold-change.ts';
import { haltedText, pausedText, resumedText } from './notifications.ts';

/** Decides a pause. */
export const pause = (before: Deployment, command: Command, { now, items }: Known): Commanded => {
  if (before.status === 'paused') return UNCHANGED;
  const state = moveDeployment(before, { status: 'paused', status_at: now.getTime(), stop_reason: null });
  if (!state) return REFUSED;
  const deployment: Deployment = { ...before, ...state, held: held(before, 'paused', command, now) };
  const effect: Effect = {
    deployment,
    notifications: [pausedText(before, command)],
    messages: engineMessages('Deployment Paused', deployment, command, now),
    audit: { action: 'deployment_paused', by: command.by, reason: command.reason },
  };
  return done(holding(before, effect, { type: 'pause', flatten: false }, items));
};

/** Decides the end of a pause or a halt. */
export const resume = (before: Deployment, command: Command, { now, items }: Known): Commanded => {
  if (before.stopping || isFinalDeploymentStatus(before.status)) return REFUSED;
  if (!before.held && (before.status === 'active' || before.status === 'requested')) return UNCHANGED;
  const status = before.started_at === undefined && before.status === 'halted' ? 'requested' : 'active';
  const isFailed = before.status === 'error';
  const state = isFailed
    ? {}
    : moveDeployment(before, { status, status_at: now.getTime(), stop_reason: null });
  // An engine that failed starts again by itself, and is not held then.
  if (!state || (isFailed && !before.held)) return REFUSED;
  const resumed: Deployment = { ...before, ...state, held: undefined };
  const user = asUser(itemWith(items, keys.user(before.user_id)));
  const deployment =
    resumed.kind === 'live' ? rearmed({ ...resumed, missing: undefined }, user, now) : resumed;
  const effect: Effect = {
    deployment,
    notifications: [resumedText(before, command)],
    messages: engineMessages('Deployment Resumed', deployment, command, now),
    audit: {
      action: 'deployment_resumed',
      by: command.by,
      reason: command.reason,
      details: { from: before.status, ...(before.held && { held_by: before.held.by }) },
    },
  };
  return done(holding(before, effect, { type: 'resume', flatten: false }, items));
};

/** Decides a halt. */
export const halt = (before: Deployment, command: Command, { now, items }: Known): Commanded => {
  const { flatten = false, by, reason } = command;
  const isHalted = before.status === 'halted';
  if (isHalted && (!flatten || before.stopping)) return UNCHANGED;
  if (!isHalted && !canMove(before.status, 'halted')) return REFUSED;
  const deployment: Deployment = {
    ...before,
    status: 'halted',
    status_at: now.getTime(),
    stop_reason: stopReasonOf(command),
    held: held(before, 'halted', command, now),
  };
  const effect: Effect = {
    deployment,
    notifications: [haltedText(before, command)],
    messages: engineMessages('Deployment Halted', deployment, command, now, { flatten }),
    audit: { action: 'deployment_halted', by, reason, details: { flatten } },
  };
  return done(holding(before, effect, { type: 'halt', flatten }, items));
};
