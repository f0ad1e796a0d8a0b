import { isDeepStrictEqual } from 'node:util';
import { listenedBy, listeningKey } from '../data/changes/listeners.ts';
import type { Deployment } from '../data/deployments/deployments.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Key, Write } from '../data/table/writes.ts';
import { asUser } from '../data/users/users.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import type { Effect } from './effect.ts';

const existence = (key: Key, attribute: string, { exists }: { readonly exists: boolean }): Write => ({
  check: key,
  if: { condition: `${exists ? 'attribute_exists' : 'attribute_not_exists'}(${attribute})` },
});

/**
 * Carries to a deployment who listens to its changes now. The transaction checks that it is still so, so that of two
 * messages the later one counts. No-op for a deployment that knows, or that has ended.
 */
export const carryListening = async (runtime: Runtime, deploymentId: number): Promise<void> => {
  const decide = async (before: Deployment | undefined): Promise<Effect | undefined> => {
    if (!before || isFinalDeploymentStatus(before.status)) return undefined;
    const userKey = keys.user(before.user_id);
    const brokerId = before.broker_id;
    const brokerKey = brokerId === undefined ? undefined : listeningKey({ broker_id: brokerId });
    const items = await runtime.store.getMany([userKey, ...(brokerKey ? [brokerKey] : [])], {
      consistent: true,
    });
    const user = asUser(itemWith(items, userKey));
    if (!user) return undefined;
    const isUser = user.listens_since !== undefined;
    const isBroker = brokerKey !== undefined && itemWith(items, brokerKey) !== undefined;
    const listened = listenedBy({ user: isUser, broker: isBroker }, before.listened);
    if (isDeepStrictEqual(listened, before.listened)) return undefined;
    return {
      deployment: { ...before, listened },
      notifications: [],
      writes: [
        existence(userKey, 'listens_since', { exists: isUser }),
        ...(brokerKey ? [existence(brokerKey, 'pk', { exists: isBroker })] : []),
      ],
    };
  };
  await changeDeployment(runtime, deploymentId, decide);
};
