import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeployments,
} from '../deployments/deployments.ts';
import { entryKey } from '../numbered-list/numbered-list.ts';
import type { Store } from '../table/store.ts';

/** Whoever has more is left out: one user must not use up a run. */
const MAX_DEPLOYMENTS = 5000;
/** Items of a batch read, and corrections in one transaction: of three members each at most. */
const BATCH = 100;
export const MAX_TOGETHER = 25;

const KINDS = { notification: true, scanner: true, live: true } as const satisfies Readonly<
  Record<DeploymentKind, true>
>;
const isKind = (name: string): name is DeploymentKind => name in KINDS;
const DEPLOYMENT_KINDS = Object.keys(KINDS).filter(isKind);

/** Reads items in batches, one after the other. */
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

/** What is counted of a deployment: not its ledger, which may be large. */
const factsOf = ({ deployment_id, kind, strategy_id, status, unread, version }: Deployment): Facts => ({
  deployment_id,
  kind,
  strategy_id,
  status,
  unread,
  version,
});

/** Every deployment that a user ever made, or undefined where there are too many to read. */
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

/** Versions only ever grow and deployments are only ever added: where these are the same, nothing changed. */
export const stateOf = (deployments: readonly Facts[]): string =>
  deployments.map(({ deployment_id, version }) => `${deployment_id} ${version}`).join();
