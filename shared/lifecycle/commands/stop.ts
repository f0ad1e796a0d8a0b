import { type Deployment, isHubRun, type TradingDeployment } from '../../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { endedDeployment, endMessage } from '../deployment-end.ts';
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
import { stoppedText, stopRequestedText } from './notifications.ts';

/** Time in which an engine confirms a stop. After it the deployment ends without the engine's word. */
const STOP_TIMEOUT_MS = 10 * 60_000;

/** Returns whether an engine has to confirm the stop of a deployment: orders and positions are not the hub's own. */
const needsConfirmation = (deployment: Deployment): deployment is TradingDeployment =>
  deployment.kind === 'live' &&
  deployment.status !== 'requested' &&
  (!isHubRun(deployment) || deployment.mode === 'live');

const requestStop = (before: TradingDeployment, command: Command, { now, items }: Known): Commanded => {
  const { flatten = false, by, reason } = command;
  if (before.stopping && (before.stopping.flatten || !flatten)) return UNCHANGED;
  if (isFinalDeploymentStatus(before.status)) return REFUSED;
  const stop_reason = stopReasonOf(command);
  const until = new Date(now.getTime() + STOP_TIMEOUT_MS).toISOString();
  const deployment: TradingDeployment = {
    ...before,
    status: 'halted',
    status_at: now.getTime(),
    stop_reason,
    held: held(before, 'halted', command, now),
    stopping: {
      ...before.stopping,
      by,
      reason,
      stop_reason,
      flatten,
      requested_at: now.toISOString(),
      until,
    },
  };
  const effect: Effect = {
    deployment,
    notifications: [stopRequestedText(before, command)],
    messages: engineMessages('Deployment Stop Requested', deployment, command, now, { flatten, until }),
    audit: { action: 'deployment_stop_requested', by, reason, details: { flatten } },
  };
  return done(holding(before, effect, { type: 'stop', flatten }, items));
};

/**
 * Returns the effect of ending a deployment at once, whether its engine answers or not; undefined if it has ended.
 */
export const endEffect = (
  before: Deployment,
  command: Command,
  { now, items }: Known,
): Effect | undefined => {
  const { by, reason, flatten = false } = command;
  const deployment = endedDeployment(before, { status: 'stopped', stop_reason: stopReasonOf(command) }, now);
  if (!deployment) return undefined;
  const effect: Effect = {
    deployment,
    notifications: [stoppedText(before, command)],
    messages: [endMessage('Deployment Undeployed', deployment, now)],
    audit: { action: 'deployment_stopped', by, reason, details: { flatten } },
  };
  return holding(before, effect, { type: 'stop', flatten }, items);
};

/** Decides a stop. */
export const stop = (before: Deployment, command: Command, known: Known): Commanded => {
  if (before.status === 'stopped') return UNCHANGED;
  if (needsConfirmation(before)) return requestStop(before, command, known);
  const effect = endEffect(before, command, known);
  return effect ? done(effect) : REFUSED;
};
