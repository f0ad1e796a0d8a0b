import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeployments,
} from '../deployments/deployments.ts';
import { entryKey } from '../numbered-list/numbered-list.ts';
import type { Store } from '../table/store.ts';

/** Users with more deployments are skipped, so that one user cannot use up a run. */
export const MAX_DEPLOYMENTS = 5000;
/** Items per batch read. */
const BATCH = 100;
/** Corrections per transaction, each of at most three members. */
export const MAX_TOGETHER = 25;

const KINDS = { notification: true, scanner: true, live: true } as const satisfies Readonly<
  Record<DeploymentKind, true>
>;
const isKind = (name: string): name is DeploymentKind => name in KINDS;
const DEPLOYMENT_KINDS = Object.keys(KINDS).filter(isKind);

/** Reads items in batches, one batch after another. */
export const inBatches = async <T, R>(
  items: readonly T[],
  read: (batch: readonly T[]) => Promise<R[]>,
): Promise<R[]> => {
  const found: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    found.push(...(await read(items.slice(start, start + BATCH))));
  }
  return found;
};

export type Facts = Pick<
  Deployment,
  'deployment_id' | 'kind' | 'strategy_id' | 'status' | 'unread' | 'version'
>;

/** Returns the counted fields of a deployment, without its ledger, which may be large. */
const factsOf = ({ deployment_id, kind, strategy_id, status, unread, version }: Deployment): Facts => ({
  deployment_id,
  kind,
  strategy_id,
  status,
  unread,
  version,
});

/** Reads every deployment that a user ever made; undefined if there are too many. */
export const readDeployments = async (store: Store, userId: string): Promise<Facts[] | undefined> => {
  const lists = await Promise.all(
    DEPLOYMENT_KINDS.map((kind) =>
      store.query(
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
          ExpressionAttributeValues: {
            ':pk': deploymentList(kind, userId).pk,
            ':low': entryKey(deploymentList(kind, userId), 0).sk,
            ':high': entryKey(deploymentList(kind, userId), 10 ** 12 - 1).sk,
          },
          Limit: MAX_DEPLOYMENTS + 1,
          ConsistentRead: true,
        },
        deploymentEntrySchema,
      ),
    ),
  );
  const ids = lists.flat().map(({ deployment_id }) => deployment_id);
  if (ids.length > MAX_DEPLOYMENTS) return undefined;
  return inBatches(ids, async (batch) => (await findDeployments(store, batch)).map(factsOf));
};

/** Returns a text that changes with any deployment: versions only increase and deployments are only added. */
export const stateOf = (deployments: readonly Facts[]): string =>
  deployments.map(({ deployment_id, version }) => `${deployment_id} ${version}`).join();
