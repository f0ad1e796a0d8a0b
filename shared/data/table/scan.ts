import { type AttributeValue, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { fromAttributes, type Item, toAttributes } from './attributes.ts';
import type { Store } from './store.ts';

/** Reads for jobs only: a Scan of the whole table, and counts of whole partitions. */

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** The attributes of an item that a scan reads; enough to decide what to read in full. */
const seenSchema = keySchema.extend({
  entity: z.string().optional(),
  user_id: z.string().optional(),
  strategy_id: z.number().optional(),
  deployment_id: z.number().optional(),
});

export type Seen = z.output<typeof seenSchema>;

/** The position at which a scan of a segment continues. */
export const scanPlaceSchema = keySchema;

/**
 * Reads the next items of a segment of the table in table order: all items of a partition follow each other, sorted.
 * The read is eventually consistent, which costs half; read an item again before relying on it.
 */
export const scanPage = async (
  store: Store,
  {
    segment,
    segments,
    from,
    limit,
  }: {
    readonly segment: number;
    readonly segments: number;
    readonly from: z.output<typeof scanPlaceSchema> | undefined;
    readonly limit: number;
  },
): Promise<{ readonly items: Seen[]; readonly next: z.output<typeof scanPlaceSchema> | undefined }> => {
  const { Items: items = [], LastEvaluatedKey: next } = await store.client.send(
    new ScanCommand({
      TableName: store.table,
      Segment: segment,
      TotalSegments: segments,
      Limit: limit,
      ...(from && { ExclusiveStartKey: toAttributes(from) }),
      ProjectionExpression: 'pk, sk, entity, user_id, strategy_id, deployment_id',
    }),
  );
  return {
    items: items.map((item) => seenSchema.parse(fromAttributes(item))),
    next: next && scanPlaceSchema.parse(fromAttributes(next)),
  };
};

/**
 * Reads the next items of the table whole, in table order, up to 1 MB. The read is eventually consistent, which costs
 * half.
 */
export const scanItems = async (
  store: Store,
  from: z.output<typeof scanPlaceSchema> | undefined,
): Promise<{ readonly items: Item[]; readonly next: z.output<typeof scanPlaceSchema> | undefined }> => {
  const { Items: items = [], LastEvaluatedKey: next } = await store.client.send(
    new ScanCommand({ TableName: store.table, ...(from && { ExclusiveStartKey: toAttributes(from) }) }),
  );
  return { items: items.map(fromAttributes), next: next && scanPlaceSchema.parse(fromAttributes(next)) };
};

/**
 * Counts the items of a partition with a sort-key prefix, consistently, without returning them.
 *
 * @param attribute counts only items that have it.
 */
export const countItems = async (
  store: Store,
  pk: string,
  prefix: string,
  attribute?: string,
): Promise<number> => {
  let count = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const answer = await store.client.send(
      new QueryCommand({
        TableName: store.table,
        Select: 'COUNT',
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ...(attribute !== undefined && {
          FilterExpression: 'attribute_exists(#attribute)',
          ExpressionAttributeNames: { '#attribute': attribute },
        }),
        ExpressionAttributeValues: toAttributes({ ':pk': pk, ':prefix': prefix }),
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    count += answer.Count ?? 0;
    from = answer.LastEvaluatedKey;
  } while (from);
  return count;
};
