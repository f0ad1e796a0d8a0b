import type { Call } from '../../shared/api/call.ts';
import type { PageChoice } from '../../shared/api/pages.ts';
import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeployments,
} from '../../shared/data/deployments.ts';
import { marksIn, notificationHeadKey, type ReadMarks } from '../../shared/data/notifications.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list.ts';
import { readWithUser } from './read-user.ts';

/** Reads a page of a user's deployments of a kind, newest first. @throws HubError user_unknown */
export const pageOfDeployments = async <K extends DeploymentKind>(
  call: Call,
  userId: string,
  kind: K,
  choice: PageChoice,
): Promise<{ deployments: Extract<Deployment, { kind: K }>[]; total: number; marks: ReadMarks }> => {
  const list = deploymentList(kind, userId);
  const [head, marks] = await readWithUser(call, userId, [headKey(list), notificationHeadKey(userId)]);
  const page = { ...choice, head: headIn(list, head) };
  const { entries, total } = await readPage(call.store, list, page, deploymentEntrySchema);
  const found = await findDeployments(
    call.store,
    entries.map(({ deployment_id }) => deployment_id),
  );
  const ofKind = (deployment: Deployment): deployment is Extract<Deployment, { kind: K }> =>
    deployment.kind === kind;
  return { deployments: found.filter(ofKind), total, marks: marksIn(marks) };
};
