import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { unknownDeployment } from '../../../shared/api/refusals.ts';
import type { Deployment, DeploymentKind } from '../../../shared/data/deployments/deployments.ts';
import { domainEvent } from '../../../shared/data/deployments/domain-events.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import { endedDeployment } from '../../../shared/lifecycle/deployment-end.ts';

/** Ends a deployment of a kind for its owner. @throws HubError deployment_unknown, state_conflict */
export const undeploy = async (
  call: Call,
  userId: string,
  deploymentId: number,
  kind: DeploymentKind,
): Promise<Deployment> => {
  const ended = await changeDeployment(call, deploymentId, (before, now) => {
    if (before?.user_id !== userId || before.kind !== kind) throw unknownDeployment();
    const deployment = endedDeployment(before, { status: 'stopped', stop_reason: 'user' }, now);
    if (!deployment) {
      throw new HubError('state_conflict', `The deployment is ${before.status} and cannot be stopped.`);
    }
    return {
      deployment,
      notifications: [],
      messages: [domainEvent('Deployment Undeployed', deployment, now)],
    };
  });
  if (!ended) throw unknownDeployment();
  return ended;
};
