import type { Deployment } from '../data/deployments/deployments.ts';
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
      // The phase of a trading deployment follows its positions, however it ends.
      ...(before.kind !== 'live' && { phase: 'exited' as const }),
      stopped_at: now.toISOString(),
    }
  );
};
