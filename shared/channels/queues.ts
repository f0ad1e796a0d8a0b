import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClient } from '../aws-client.ts';

/** Limit of SendMessageBatch. */
export const MAX_ENTRIES = 10;

/** A message for a queue. */
export interface QueueEntry {
  /** Unique in a call. */
  readonly id: string;
  readonly body: string;
  /** Messages of a group share their capacity, and those of a FIFO queue run in order. */
  readonly group: string | undefined;
}

/** A message that the queue did not accept. */
export interface RefusedEntry {
  readonly id: string;
  readonly code: string;
  /** True if the message itself is at fault, so that another try is useless. */
  readonly final: boolean;
}

let client: SQSClient | undefined;

/**
 * Sends at most ten messages to a queue and returns those that it did not accept: a call can succeed in part. A FIFO
 * queue drops a message with the same id for five minutes.
 *
 * @throws Error of the SDK if the call fails as a whole; some messages may have been accepted.
 */
export const sendToQueue = async (url: string, entries: readonly QueueEntry[]): Promise<RefusedEntry[]> => {
  client ??= awsClient(SQSClient, 'queue');
  const isFifo = url.endsWith('.fifo');
  const { Failed = [] } = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: url,
      Entries: entries.map(({ id, body, group }, index) => ({
        Id: String(index),
        MessageBody: body,
        ...(group !== undefined && { MessageGroupId: group }),
        ...(isFifo && { MessageGroupId: group ?? id, MessageDeduplicationId: id }),
      })),
    }),
  );
  return Failed.flatMap(({ Id, Code = 'Unknown', SenderFault = false }) => {
    const entry = entries[Number(Id)];
    return entry ? [{ id: entry.id, code: Code, final: SenderFault }] : [];
  });
};
