import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';

/**
 * Indexes of the active deployments, which jobs and kill switches walk: one of trading deployments, one of the others.
 * One item per deployment, written and removed in the transactions that begin and end it. The items are spread over
 * partitions, so that neither many beginnings at once nor a walk reach the limits of one partition.
 */

type Index = 'LIVE' | 'WATCH';

/** Never change it while there are items. One partition takes 1,000 writes and 3,000 reads a second. */
const SHARDS = 16;
const ID_DIGITS = 16;

/** Identifiers end in random bits, so their remainders are evenly spread. */
const shardOf = (deploymentId: number): number => deploymentId % SHARDS;

const partitionOf = (index: Index, shard: number): string => `${index}#${String(shard).padStart(2, '0')}`;

const sortKeyOf = (deploymentId: number): string => String(deploymentId).padStart(ID_DIGITS, '0');

/** Returns the key of a deployment in an index. */
export const activeKey = (index: Index, deploymentId: number): Key => ({
  pk: partitionOf(index, shardOf(deploymentId)),
  sk: sortKeyOf(deploymentId),
});

interface Active {
  readonly deployment_id: number;
  readonly broker_id?: number | null | undefined;
}

/** Returns the write that adds a trading deployment to its index, for the transaction that deploys it. */
export const activeDeploymentWrite = ({ deployment_id, broker_id = null }: Active): Write => ({
  key: activeKey('LIVE', deployment_id),
  set: { entity: 'active_live', deployment_id, broker_id },
});

/** Returns the write that removes a trading deployment from its index. */
export const endedDeploymentWrite = (deploymentId: number): Write => ({
  delete: activeKey('LIVE', deploymentId),
});

/** Returns the write that adds a notification deployment or a scanner to its index, for the transaction that deploys it. */
export const activeWatcherWrite = ({ deployment_id, broker_id = null }: Active): Write => ({
  key: activeKey('WATCH', deployment_id),
  set: { entity: 'active_watcher', deployment_id, broker_id },
});

/** Returns the write that removes a notification deployment or a scanner from its index, for the transaction that ends it. */
export const endedWatcherWrite = (deploymentId: number): Write => ({
  delete: activeKey('WATCH', deploymentId),
});

interface ActiveEntry {
  readonly deployment_id: number;
  /** Null for a deployment without a broker; undefined if it cannot be read. */
  readonly broker_id: number | null | undefined;
}

const brokerSchema = z.number().nullable();

/** Reads an entry by its key, so that a damaged one leads to its deployment, too, and never ends a walk. */
const entryOf = ({ sk, broker_id }: Item): ActiveEntry => ({
  deployment_id: Number(sk),
  broker_id: brokerSchema.safeParse(broker_id).data,
});

const shardPage = async (
  store: Store,
  [index, shard]: readonly [Index, number],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ActiveEntry[]> => {
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk > :after',
    ExpressionAttributeValues: { ':pk': partitionOf(index, shard), ':after': sortKeyOf(after) },
    Limit: limit,
    ConsistentRead: true,
  });
  return items.map(entryOf);
};

const cursorSchema = z.object({ index: z.enum(['LIVE', 'WATCH']), shard: z.number(), after: z.number() });

interface ActivePage {
  readonly entries: ActiveEntry[];
  /** Cursor of the next page; undefined at the end. */
  readonly next: string | undefined;
}

/**
 * Reads the next active deployments of indexes, partition by partition and by id within one. A deployment that begins or
 * ends meanwhile may be missing or included; every other one is returned exactly once.
 *
 * @param cursor `next` of the previous page; undefined for the first page.
 */
export const activePage = async (
  store: Store,
  indexes: readonly [Index, ...Index[]],
  cursor: string | undefined,
  limit: number,
): Promise<ActivePage> => {
  const from = cursor === undefined ? undefined : cursorSchema.parse(JSON.parse(cursor));
  const entries: ActiveEntry[] = [];
  for (const index of from ? indexes.slice(indexes.indexOf(from.index)) : indexes) {
    const place = from?.index === index ? from : { shard: 0, after: 0 };
    for (let { shard, after } = place; shard < SHARDS; shard++, after = 0) {
      const left = limit - entries.length;
      const found = await shardPage(store, [index, shard], { after, limit: left });
      entries.push(...found);
      const last = found.at(-1);
      if (last && found.length === left) {
        return { entries, next: JSON.stringify({ index, shard, after: last.deployment_id }) };
      }
    }
  }
  return { entries, next: undefined };
};

/** Reads the next active trading deployments. @returns at most `limit` ids, and the cursor of the next page. */
export const activeTradingPage = async (
  store: Store,
  cursor: string | undefined,
  limit: number,
): Promise<{ readonly items: number[]; readonly next: string | undefined }> => {
  const { entries, next } = await activePage(store, ['LIVE'], cursor, limit);
  return { items: entries.map(({ deployment_id }) => deployment_id), next };
};
