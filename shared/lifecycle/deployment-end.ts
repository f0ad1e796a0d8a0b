import { type Deployment, isHubRun } from '../data/deployments/deployments.ts';
import { type DomainEvent, domainEvent } from '../data/deployments/domain-events.ts';
import { ENGINE_ENDED, engineEvent } from '../data/engine/events.ts';
import type { Message } from '../data/outbox/messages.ts';
import { type DeploymentState, moveDeployment } from '../domain/deployments/deployment-states.ts';

/**
 * Returns a deployment with a final status.
 *
 * @returns undefined if the deployment has ended already.
 */
export const endedDeployment = (
  before: Deployment,
  { status, stop_reason }: Pick<DeploymentState, 'status' | 'stop_reason'>,
  now: Date,
): Deployment | undefined => {
  const state = moveDeployment(before, { status, status_at: now.getTime(), stop_reason });
  return (
    state && {
      ...before,
      ...state,
      held: undefined,
      stopping: undefined,
      // The phase of a trading deployment follows its positions, however it ends.
      ...(before.kind !== 'live' && { phase: 'exited' as const }),
      stopped_at: now.toISOString(),
    }
  );
};

/** Returns the message that a deployment has ended, to the engine that runs it. */
export const endMessage = (
  detailType: Extract<DomainEvent, 'Deployment Undeployed' | 'Deployment Expired'>,
  deployment: Deployment,
  now: Date,
): Message =>
  isHubRun(deployment)
    ? engineEvent(ENGINE_ENDED, deployment.deployment_id)
    : domainEvent(detailType, deployment, now);
