import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { type LinkedUser, linkedOwner } from '../../../shared/callers/linked-user.ts';
import { asDeployment, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';

/** Returns the error for a deployment that is unknown, or whose user the broker has not linked. */
export const unlinkedDeployment = (): HubError =>
  new HubError('deployment_unknown', 'There is no such deployment of a user linked to your broker.');

/**
 * Reads a trading deployment, with additional items, if the integrator may read its owner.
 *
 * @param extraReads keys of additional items
 * @throws HubError access_token_invalid, broker_suspended, deployment_unknown
 */
export const linkedDeployment = async (
  call: Call,
  deploymentId: number,
  extraReads: (deployment: TradingDeployment) => readonly Key[],
): Promise<{ deployment: TradingDeployment; items: LinkedUser['items'] }> => {
  const key = keys.deployment(deploymentId);
  const tradingIn = (item: Item | undefined): TradingDeployment | undefined => {
    const found = asDeployment(item);
    return found?.kind === 'live' ? found : undefined;
  };
  const extraReadsFor = (_userId: string, item: Item | undefined): readonly Key[] => {
    const found = tradingIn(item);
    return found ? extraReads(found) : [];
  };
  const { namedBy, items } = await linkedOwner(call, key, extraReadsFor, unlinkedDeployment);
  const deployment = tradingIn(namedBy);
  if (!deployment) throw unlinkedDeployment();
  return { deployment, items };
};
