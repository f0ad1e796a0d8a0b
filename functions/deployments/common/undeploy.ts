import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { unknownDeployment } from '../../../shared/api/refusals.ts';
import type { Deployment, DeploymentKind } from '../../../shared/data/deployments/deployments.ts';
import { marketClockIn } from '../../../shared/data/engine/market-clock.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import { endedDeployment, endMessage } from '../../../shared/lifecycle/deployment-end.ts';

/** Ends a deployment of a kind for its owner. @throws HubError deployment_unknown, state_conflict */
export const undeploy = async (
  call: Call,
  userId: string,
  deploymentId: number,
  kind: DeploymentKind,
): Promise<Deployment> => {
  const setupKey = keys.deploymentSetup(deploymentId);
  const decide: Parameters<typeof changeDeployment>[2] = (before, now, items) => {
    if (before?.user_id !== userId || before.kind !== kind) throw unknownDeployment();
    const deployment = endedDeployment(before, { status: 'stopped', stop_reason: 'user' }, now);
    if (!deployment) {
      throw new HubError('state_conflict', `The deployment is ${before.status} and cannot be stopped.`);
    }
    return {
      deployment,
      notifications: [],
      messages: [endMessage('Deployment Undeployed', deployment, now)],
      clock: marketClockIn(itemWith(items, setupKey)),
    };
  };
  const ended = await changeDeployment(call, deploymentId, decide, [setupKey]);
  if (!ended) throw unknownDeployment();
  return ended;
};
