import * as z from 'zod';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';

/**
 * Index of the active trading deployments, which jobs walk. One item per deployment, written and removed in the
 * transactions that begin and end it. The items are spread over partitions, so that neither many beginnings at once
 * nor a walk reach the limits of one partition.
 */

/** Never change it while there are items. One partition takes 1,000 writes and 3,000 reads a second. */
const SHARDS = 16;
const ID_DIGITS = 16;

/** Identifiers end in random bits, so their remainders are evenly spread. */
const shardOf = (deploymentId: number): number => deploymentId % SHARDS;

const partitionOf = (shard: number): string => `LIVE#${String(shard).padStart(2, '0')}`;

const sortKeyOf = (deploymentId: number): string => String(deploymentId).padStart(ID_DIGITS, '0');

const keyOf = (deploymentId: number): Key => ({
  pk: partitionOf(shardOf(deploymentId)),
  sk: sortKeyOf(deploymentId),
});

/** Returns the write that adds a trading deployment to the index, for the transaction that deploys it. */
export const activeDeploymentWrite = (deploymentId: number): Write => ({
  key: keyOf(deploymentId),
  set: { entity: 'active_live', deployment_id: deploymentId },
});

/** Returns the write that removes a trading deployment from the index, for the transaction that ends it. */
export const endedDeploymentWrite = (deploymentId: number): Write => ({ delete: keyOf(deploymentId) });

const entrySchema = z.object({ deployment_id: z.number() });

const shardPage = (
  store: Store,
  shard: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<z.output<typeof entrySchema>[]> =>
  store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': partitionOf(shard), ':after': sortKeyOf(after) },
      Limit: limit,
      ConsistentRead: true,
    },
    entrySchema,
  );

const begin = { shard: 0, after: 0 };
const cursorSchema = z.object({ shard: z.number(), after: z.number() });

/**
 * Reads the next active trading deployments, partition by partition and by id within one. A deployment that begins or
 * ends meanwhile may be missing or included; every other one is returned exactly once.
 *
 * @param cursor `next` of the previous page; undefined for the first page.
 * @returns at most `limit` deployment ids, and the cursor of the next page; `next` is undefined at the end.
 */
export const activeTradingPage = async (
  store: Store,
  cursor: string | undefined,
  limit: number,
): Promise<{ readonly items: number[]; readonly next: string | undefined }> => {
  const from = cursor === undefined ? begin : cursorSchema.parse(JSON.parse(cursor));
  const items: number[] = [];
  for (let { shard, after } = from; shard < SHARDS; shard++, after = 0) {
    const left = limit - items.length;
    const found = await shardPage(store, shard, { after, limit: left });
    items.push(...found.map(({ deployment_id }) => deployment_id));
    const last = found.at(-1);
    if (last && found.length === left) {
      return { items, next: JSON.stringify({ shard, after: last.deployment_id }) };
    }
  }
  return { items, next: undefined };
};
