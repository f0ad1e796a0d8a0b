import type { Call } from '../api/call.ts';
import { unknownDeployment } from '../api/refusals.ts';
import { asDeployment, type TradingDeployment } from '../data/deployments/deployments.ts';
import { keys } from '../data/table/keys.ts';

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
