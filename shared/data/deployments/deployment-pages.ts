import { headIn, headKey, readPage } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeployments,
} from './deployments.ts';

/** Returns the key of the user's item to read before a page of deployments. */
export const deploymentPageKey = (kind: DeploymentKind | 'all', userId: string): Key =>
  headKey(deploymentList(kind, userId));

/**
 * Reads a page of a user's deployments, of one kind or all, newest first.
 *
 * @param head the item read at {@link deploymentPageKey}.
 */
export const findDeploymentPage = async (
  store: Store,
  { kind, userId, head }: { kind: DeploymentKind | 'all'; userId: string; head: Item | undefined },
  choice: { readonly page: number; readonly size: number },
): Promise<{ deployments: Deployment[]; total: number }> => {
  const list = deploymentList(kind, userId);
  const page = { ...choice, head: headIn(list, head) };
  const { entries, total } = await readPage(store, list, page, deploymentEntrySchema);
  const ids = entries.map(({ deployment_id }) => deployment_id);
  return { deployments: await findDeployments(store, ids), total };
};
