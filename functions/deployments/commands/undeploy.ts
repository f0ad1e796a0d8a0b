import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { unknownDeployment } from '../../../shared/api/refusals.ts';
import type { Deployment, DeploymentKind } from '../../../shared/data/deployments/deployments.ts';
import { commandKeys } from '../../../shared/lifecycle/commands/command.ts';
import { endEffect } from '../../../shared/lifecycle/commands/stop.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import { requireScopeOf } from '../accounts/own-real.ts';
import { byKey } from './by-key.ts';

/** Ends a deployment of a kind for its owner, at once. @throws HubError deployment_unknown, state_conflict */
export const undeploy = async (
  call: Call,
  userId: string,
  deploymentId: number,
  kind: DeploymentKind,
): Promise<Deployment> => {
  const ended = await changeDeployment(
    call,
    deploymentId,
    (before, now, items) => {
      if (before?.user_id !== userId || before.kind !== kind) throw unknownDeployment();
      requireScopeOf(call, before);
      const command = { action: 'stop', by: 'user', reason: 'Undeployed.' } as const;
      const effect = endEffect(before, command, { now, items });
      if (effect) return { ...byKey(call, effect), notifications: [] };
      throw new HubError('state_conflict', `The deployment is ${before.status} and cannot be stopped.`);
    },
    commandKeys(deploymentId),
  );
  if (!ended) throw unknownDeployment();
  return ended;
};
