import type { Call } from '../../shared/api/call.ts';
import type { PageChoice } from '../../shared/api/pages.ts';
import type { Broker } from '../../shared/data/brokers.ts';
import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeployments,
} from '../../shared/data/deployments.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list.ts';
import { linkedUser } from './linked-user.ts';

/** Reads a page of the deployments of a linked user, newest first. @throws HubError as READING_ERRORS */
export const deploymentsOf = async (
  call: Call,
  email: string,
  kind: DeploymentKind | 'all',
  choice: PageChoice,
): Promise<{ broker: Broker; deployments: Deployment[]; total: number }> => {
  const { broker, user, beside } = await linkedUser(call, email, (userId) => [
    headKey(deploymentList(kind, userId)),
  ]);
  const list = deploymentList(kind, user.user_id);
  const page = { ...choice, head: headIn(list, beside[0]) };
  const { entries, total } = await readPage(call.store, list, page, deploymentEntrySchema);
  const ids = entries.map(({ deployment_id }) => deployment_id);
  return { broker, deployments: await findDeployments(call.store, ids), total };
};
