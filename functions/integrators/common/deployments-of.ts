import type { Call } from '../../../shared/api/call.ts';
import type { PageChoice } from '../../../shared/api/pages.ts';
import { linkedUser } from '../../../shared/callers/linked-user.ts';
import type { Broker } from '../../../shared/data/brokers/brokers.ts';
import { deploymentPageKey, findDeploymentPage } from '../../../shared/data/deployments/deployment-pages.ts';
import type { Deployment, DeploymentKind } from '../../../shared/data/deployments/deployments.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import type { LastPrices } from '../../../shared/domain/ledger/last-prices.ts';

/** Reads a page of the deployments of a linked user, newest first. @throws HubError as READING_ERRORS */
export const deploymentsOf = async (
  call: Call,
  email: string,
  kind: DeploymentKind | 'all',
  choice: PageChoice,
): Promise<{ broker: Broker; deployments: Deployment[]; prices: LastPrices; total: number }> => {
  const headKeyOf = (userId: string) => deploymentPageKey(kind, userId);
  const { broker, user, items } = await linkedUser(call, email, (userId) => [headKeyOf(userId)]);
  const of = { kind, userId: user.user_id, head: itemWith(items, headKeyOf(user.user_id)), now: call.now };
  return { broker, ...(await findDeploymentPage(call.store, of, choice, call.onDamaged)) };
};
