import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import {
  asDeployment,
  changedDeploymentWrite,
  type Deployment,
  type DeploymentKind,
  freeDeploySlot,
} from '../../shared/data/deployments.ts';
import { domainEvent } from '../../shared/data/domain-events.ts';
import { keys } from '../../shared/data/keys.ts';
import { outboxWrite } from '../../shared/data/outbox.ts';
import { untilUnrefused } from '../../shared/data/retry.ts';
import { moveDeployment } from '../../shared/domain/deployment-states.ts';
import { textId } from '../../shared/ids.ts';

/** The one answer to an unknown deployment and to somebody else's. */
export const unknownDeployment = (): HubError =>
  new HubError('deployment_unknown', 'There is no such deployment.');

/** Ends a deployment of a kind for its owner. @throws HubError deployment_unknown, state_conflict */
export const undeploy = (
  call: Call,
  userId: string,
  deploymentId: number,
  kind: DeploymentKind,
): Promise<Deployment> =>
  untilUnrefused(async () => {
    const [item] = await call.store.getMany([keys.deployment(deploymentId)], { consistent: true });
    const before = asDeployment(item);
    if (before?.user_id !== userId || before.kind !== kind) throw unknownDeployment();
    const stopped = { status: 'stopped', status_at: call.now.getTime(), stop_reason: 'user' } as const;
    const state = moveDeployment(before, stopped);
    if (!state) {
      throw new HubError('state_conflict', `The deployment is ${before.status} and cannot be stopped.`);
    }
    const after: Deployment = {
      ...before,
      ...state,
      phase: 'exited',
      stopped_at: call.now.toISOString(),
    };
    await call.store.transact([
      changedDeploymentWrite(before, after),
      freeDeploySlot(userId),
      outboxWrite(textId(call.random), domainEvent('Deployment Undeployed', after, call.now), call.now),
    ]);
    return after;
  });
