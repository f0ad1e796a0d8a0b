import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { asDeployment, type TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Key } from '../../shared/data/table/store.ts';
import { type Found, linkedOwner } from './linked-user.ts';

/**
 * Reads a live deployment, with additional items, if the integrator may read its owner.
 *
 * @throws HubError access_token_invalid, broker_suspended, deployment_unknown
 */
export const linkedDeployment = async (
  call: Call,
  deploymentId: number,
  beside: readonly Key[],
): Promise<{ deployment: TradingDeployment; beside: Found['beside'] }> => {
  const unknown = () =>
    new HubError('deployment_unknown', 'There is no such deployment of a user of your broker.');
  const found = await linkedOwner(call, keys.deployment(deploymentId), () => beside, unknown);
  const deployment = asDeployment(found.by);
  if (deployment?.kind !== 'live') throw unknown();
  return { deployment, beside: found.beside };
};
