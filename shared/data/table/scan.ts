import { type AttributeValue, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { fromAttributes, toAttributes } from './attributes.ts';
import type { Store } from './store.ts';

/** What jobs read that no request may: the whole table, and counts of whole partitions. */

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** What a scan tells of an item: enough to know what to look at. */
const seenSchema = keySchema.extend({
  entity: z.string().optional(),
  user_id: z.string().optional(),
  strategy_id: z.number().optional(),
});

export type Seen = z.output<typeof seenSchema>;

/** Where a scan of a segment goes on. */
export const scanPlaceSchema = keySchema;

/**
 * Reads the next items of a segment of the table, in the order that the table has: a partition's items
 * follow each other, sorted. Not consistent, which halves what it costs: what is found is to be read again.
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
      ProjectionExpression: 'pk, sk, entity, user_id, strategy_id',
    }),
  );
  return {
    items: items.map((item) => seenSchema.parse(fromAttributes(item))),
    next: next && scanPlaceSchema.parse(fromAttributes(next)),
  };
};

/** Counts the items of a partition whose sort keys begin with a text, consistently, without reading them out. */
export const countItems = async (store: Store, pk: string, prefix: string): Promise<number> => {
  let count = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const answer = await store.client.send(
      new QueryCommand({
        TableName: store.table,
        Select: 'COUNT',
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
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
