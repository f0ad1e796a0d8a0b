import type { Call } from '../../../shared/api/call.ts';
import { unknownDeployment } from '../../../shared/api/refusals.ts';
import { asDeployment, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';

/**
 * Reads a trading deployment of a user.
 *
 * @throws HubError deployment_unknown, also for a deployment of another user
 */
export const readOwnTrading = async (
  call: Call,
  userId: string,
  deploymentId: number,
  strategyId?: number,
): Promise<TradingDeployment> => {
  const [item] = await call.store.getMany([keys.deployment(deploymentId)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live' || deployment.user_id !== userId) throw unknownDeployment();
  if (strategyId !== undefined && deployment.strategy_id !== strategyId) throw unknownDeployment();
  return deployment;
};
