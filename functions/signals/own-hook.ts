import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { unknownDeployment } from '../../shared/api/refusals.ts';
import { asDeployment, type Deployment } from '../../shared/data/deployments/deployments.ts';
import { type RefusedAlert, refusedIn } from '../../shared/data/signals/refused-alerts.ts';
import { hookIn, type SignalHook } from '../../shared/data/signals/signal-hooks.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';

/** Requires the session of the owner: who has the address of a hook trades. @throws HubError */
export const requireHookOwner = (call: Call) =>
  requireOwnSession(
    call,
    'The address for signals requires the session of the owner. Sign in.',
    'makes and shows no addresses for signals',
  );

export const unknownHook = (): HubError =>
  new HubError('hook_unknown', 'There is no such address for signals. It may have been replaced or revoked.');

/** Reads a deployment of a user, its hook, and the alerts that were refused last. @throws HubError deployment_unknown, hook_unknown */
export const readOwnHook = async (
  call: Call,
  userId: string,
  deploymentId: number,
): Promise<{
  readonly deployment: Deployment;
  readonly hook: SignalHook;
  readonly refused: RefusedAlert[];
}> => {
  const key = keys.deployment(deploymentId);
  const items = await call.store.getMany(
    [key, keys.signalHook(deploymentId), keys.refusedAlerts(deploymentId)],
    { consistent: true },
  );
  const deployment = asDeployment(itemWith(items, key));
  if (deployment?.user_id !== userId) throw unknownDeployment();
  const hook = hookIn(items, deploymentId);
  if (!hook) throw unknownHook();
  return { deployment, hook, refused: refusedIn(items, deploymentId) };
};
