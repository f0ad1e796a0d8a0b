import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT } from '../account.ts';

/** A message as the engine stores it. */
export const messageSchema = z.object({
  messageId: z.string(),
  body: z.string(),
  group: z.string().optional(),
  deduplicationId: z.string().optional(),
  /** Epoch milliseconds. */
  sentAt: z.number(),
});

export type QueueMessage = z.output<typeof messageSchema>;

/** A record of the event that Lambda passes to a function for a message. */
export interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly [part: string]: unknown;
}

/** A message that was delivered before, or is being delivered. */
export interface ReceivedMessage extends QueueMessage {
  /** Number in the queue. */
  readonly id: number;
  receives: number;
  firstReceivedAt: number | undefined;
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Counts a delivery of a message and returns its record. */
export const recordOf = (
  message: ReceivedMessage,
  { name, region }: { readonly name: string; readonly region: string },
): QueueRecord => {
  message.receives += 1;
  message.firstReceivedAt ??= Date.now();
  return {
    messageId: message.messageId,
    receiptHandle: randomUUID(),
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receives),
      SentTimestamp: String(message.sentAt),
      SenderId: ACCOUNT,
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
      ...(message.group !== undefined && { MessageGroupId: message.group }),
      ...(message.deduplicationId !== undefined && {
        SequenceNumber: String(message.id).padStart(20, '0'),
        MessageDeduplicationId: message.deduplicationId,
      }),
    },
    messageAttributes: {},
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${ACCOUNT}:${name}`,
    awsRegion: region,
  };
};
