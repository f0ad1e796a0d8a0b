import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { type Item, toAttributes } from './attributes.ts';
import type { Key } from './writes.ts';

/** One write of a batch. A batch has no conditions and is not atomic. */
export type BatchMember = { readonly put: Item } | { readonly delete: Key };

/** The most members that DynamoDB takes in one BatchWriteItem call. */
const BATCH_SIZE = 25;
const PARALLEL_BATCHES = 4;
const MAX_RETRIES = 8;

const writeBatch = async (
  client: DynamoDBClient,
  table: string,
  batch: readonly BatchMember[],
): Promise<void> => {
  let pending: NonNullable<BatchWriteItemCommandInput['RequestItems']>[string] = batch.map((member) =>
    'put' in member
      ? { PutRequest: { Item: toAttributes(member.put) } }
      : { DeleteRequest: { Key: toAttributes({ ...member.delete }) } },
  );
  for (let attempt = 0; pending.length > 0; attempt++) {
    if (attempt > MAX_RETRIES) throw new Error('DynamoDB left writes of a batch unprocessed after 8 retries');
    if (attempt > 0) await sleep(20 * 2 ** attempt);
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: pending } }),
    );
    pending = UnprocessedItems?.[table] ?? [];
  }
};

/**
 * Writes any number of members in batches of 25, at most 4 batches at a time. Retries unprocessed members.
 *
 * @throws Error if members are still unprocessed after 8 retries.
 */
export const writeInBatches = async (
  client: DynamoDBClient,
  table: string,
  members: readonly BatchMember[],
): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(members.length / BATCH_SIZE) }, (_, index) =>
    members.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  ).values();
  const work = async (): Promise<void> => {
    // The workers share one iterator, so each batch is written once.
    for (const batch of batches) await writeBatch(client, table, batch);
  };
  await Promise.all(Array.from({ length: PARALLEL_BATCHES }, work));
};
