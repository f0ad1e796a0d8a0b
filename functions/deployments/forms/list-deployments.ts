import type { Call } from '../../../shared/api/call.ts';
import type { PageChoice } from '../../../shared/api/pages.ts';
import { readWithUser } from '../../../shared/callers/read-user.ts';
import { deploymentPageKey, findDeploymentPage } from '../../../shared/data/deployments/deployment-pages.ts';
import type { Deployment, DeploymentKind } from '../../../shared/data/deployments/deployments.ts';
import {
  marksIn,
  notificationHeadKey,
  type ReadMarks,
} from '../../../shared/data/deployments/notifications.ts';
import { itemWith } from '../../../shared/data/table/items.ts';

/** Reads a page of a user's deployments of a kind, newest first. @throws HubError user_unknown */
export const pageOfDeployments = async <K extends DeploymentKind>(
  call: Call,
  userId: string,
  kind: K,
  choice: PageChoice,
): Promise<{ deployments: Extract<Deployment, { kind: K }>[]; total: number; marks: ReadMarks }> => {
  const [headKey, marksKey] = [deploymentPageKey(kind, userId), notificationHeadKey(userId)];
  const items = await readWithUser(call, userId, [headKey, marksKey]);
  const head = itemWith(items, headKey);
  const { deployments, total } = await findDeploymentPage(
    call.store,
    { kind, userId, head, now: call.now },
    choice,
    call.onDamaged,
  );
  const ofKind = (deployment: Deployment): deployment is Extract<Deployment, { kind: K }> =>
    deployment.kind === kind;
  return { deployments: deployments.filter(ofKind), total, marks: marksIn(itemWith(items, marksKey)) };
};
