import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { asDeployment, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { type LinkedUser, linkedOwner } from './linked-user.ts';

/** The one answer to a deployment that does not exist or is not of a user of the broker. */
export const unlinkedDeployment = (): HubError =>
  new HubError('deployment_unknown', 'There is no such deployment of a user linked to your broker.');

/**
 * Reads a trading deployment, with additional items, if the integrator may read its owner.
 *
 * @throws HubError access_token_invalid, broker_suspended, deployment_unknown
 */
export const linkedDeployment = async (
  call: Call,
  deploymentId: number,
  extraReads: readonly Key[],
): Promise<{ deployment: TradingDeployment; items: LinkedUser['items'] }> => {
  const key = keys.deployment(deploymentId);
  const { namedBy, items } = await linkedOwner(call, key, () => extraReads, unlinkedDeployment);
  const deployment = asDeployment(namedBy);
  if (deployment?.kind !== 'live') throw unlinkedDeployment();
  return { deployment, items };
};
