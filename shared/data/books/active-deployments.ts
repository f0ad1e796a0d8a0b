import * as z from 'zod';
import type { Key, Store, Write } from '../table/store.ts';

/**
 * Which live deployments are active: what the jobs walk that do something for every one of them. An item of
 * its own for each, written and removed in the transactions that begin and end a deployment, spread over
 * partitions so that neither many beginnings at once nor the walk meet the limits of one.
 */

/** Never changed while there are items. One partition takes 1,000 writes and 3,000 reads a second. */
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

/** Enters a live deployment among the active ones: a member of the transaction that deploys it. */
export const activeDeploymentWrite = (deploymentId: number): Write => ({
  key: keyOf(deploymentId),
  set: { entity: 'active_live', deployment_id: deploymentId },
});

/** Takes a live deployment from the active ones: a member of the transaction that ends it for good. */
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
 * Reads the next active live deployments, partition by partition and by id within one. Who begins or ends
 * meanwhile may or may not be among them; every other one is met exactly once.
 *
 * @param cursor `next` of the page before; undefined for the first one.
 * @returns at most `limit` deployment ids, and where it goes on; `next` is undefined at the end.
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
