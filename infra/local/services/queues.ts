import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { EngineState } from '../database/state.ts';
import { AwsError, readAwsJson, sendAwsJson } from './aws-protocol.ts';
import { LocalQueue, type QueueOptions } from './queue.ts';
import { md5 } from './queue-records.ts';

/** The queues of the lanes, as SQS has them. */
export interface Queues {
  /** Answers `SendMessageBatch`. */
  readonly answerSend: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Resolves when all messages were delivered or have failed. */
  readonly drain: () => Promise<void>;
  readonly close: (graceMs?: number) => Promise<void>;
}

export const SEND_MESSAGES = 'AmazonSQS.SendMessageBatch';

/** Limit of a message, and of a call. */
const MAX_BYTES = 1024 * 1024;

const name = z.string().regex(/^[\w!"#$%&'()*+,./:;<=>?@[\\\]^`{|}~-]{1,128}$/);
const sendMessageBatch = z.object({
  QueueUrl: z.url(),
  Entries: z.array(
    z.object({
      Id: z.string().regex(/^[\w-]{1,80}$/),
      MessageBody: z.string().min(1),
      MessageGroupId: name.optional(),
      MessageDeduplicationId: name.optional(),
    }),
  ),
});
type Entry = z.output<typeof sendMessageBatch>['Entries'][number];

/** Checks a call as SQS does. */
const checkCall = (entries: readonly Entry[]): void => {
  if (entries.length === 0) throw new AwsError('EmptyBatchRequest', 'There is no entry.');
  if (entries.length > 10) throw new AwsError('TooManyEntriesInBatchRequest', 'There are over 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsError('BatchEntryIdsNotDistinct', 'An Id is repeated.');
  }
  if (entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0) > MAX_BYTES) {
    throw new AwsError('BatchRequestTooLong', 'The messages are over the limit of 1 MB.');
  }
};

/** Returns why a FIFO queue or a standard queue does not accept an entry. */
const faultOf = ({ fifo }: LocalQueue, entry: Entry): string | undefined => {
  if (fifo && entry.MessageGroupId === undefined) return 'The request must contain MessageGroupId.';
  if (fifo && entry.MessageDeduplicationId === undefined)
    return 'The queue needs a MessageDeduplicationId, as it does not derive one from the content.';
  if (!fifo && entry.MessageDeduplicationId !== undefined)
    return 'MessageDeduplicationId is for FIFO queues only.';
  return undefined;
};

/**
 * Queues that accept `SendMessageBatch` in SQS's JSON protocol and deliver their messages to functions. Accepted messages
 * are stored, so that a killed engine loses none.
 */
export const createQueues = (
  declared: readonly Omit<QueueOptions, 'state'>[],
  state: Pick<EngineState, 'addMessages' | 'removeMessages' | 'messages'>,
): Queues => {
  const left = Map.groupBy(state.messages(), ({ queue }) => queue);
  const queues = new Map(
    declared.map((options) => [
      options.name,
      new LocalQueue({ ...options, state }, left.get(options.name) ?? []),
    ]),
  );
  const all = [...queues.values()];
  return {
    answerSend: async (request, response) => {
      const { QueueUrl, Entries } = await readAwsJson(request, sendMessageBatch, 2 * MAX_BYTES);
      const queue = queues.get(new URL(QueueUrl).pathname.split('/').at(-1) ?? '');
      if (!queue) {
        throw new AwsError('AWS.SimpleQueueService.NonExistentQueue', 'The specified queue does not exist.');
      }
      checkCall(Entries);
      const judged = Entries.map((entry) => ({ entry, fault: faultOf(queue, entry) }));
      const accepted = judged.flatMap(({ entry, fault }) => (fault === undefined ? [entry] : []));
      const ids = queue.send(
        accepted.map(({ MessageBody, MessageGroupId, MessageDeduplicationId }) => ({
          body: MessageBody,
          ...(MessageGroupId !== undefined && { group: MessageGroupId }),
          ...(MessageDeduplicationId !== undefined && { deduplicationId: MessageDeduplicationId }),
        })),
      );
      sendAwsJson(response, {
        Successful: accepted.map(({ Id, MessageBody }, index) => ({
          Id,
          MessageId: ids[index],
          MD5OfMessageBody: md5(MessageBody),
        })),
        Failed: judged.flatMap(({ entry: { Id }, fault }) =>
          fault === undefined
            ? []
            : [{ Id, Code: 'InvalidParameterValue', Message: fault, SenderFault: true }],
        ),
      });
    },
    drain: async () => {
      await Promise.all(all.map((queue) => queue.drain()));
    },
    close: async (graceMs) => {
      await Promise.all(all.map((queue) => queue.close(graceMs)));
    },
  };
};
