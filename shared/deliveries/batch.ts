import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type LaneMessage, laneMessageSchema } from '../data/outbox/lanes.ts';
import type { Runtime } from '../runtime.ts';
import type { Deliver } from './attempt.ts';

type QueueRecord = Pick<SQSEvent['Records'][number], 'messageId' | 'body'>;

/** Messages of a lane from its queue. */
export interface LaneEvent {
  readonly Records: readonly QueueRecord[];
}

/** A message of the outbox, and the id under which its record is reported as failed. */
interface Received {
  readonly message: LaneMessage | undefined;
  readonly itemIdentifier: string;
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema refuses it.
  }
};

const receive = ({ body, messageId }: QueueRecord): Received => ({
  message: laneMessageSchema.safeParse(parsedJson(body)).data,
  itemIdentifier: messageId,
});

/** Delivers a message. Returns false if it must be retried. */
const deliverOne = async (
  deliver: Deliver,
  runtime: Runtime,
  { message, itemIdentifier }: Received,
): Promise<boolean> => {
  if (!message) {
    runtime.log.error('a record is no message', { record: itemIdentifier });
    return true;
  }
  const { delivery_id: id, attempts } = message;
  try {
    await deliver(runtime, id, attempts);
    return true;
  } catch (error) {
    runtime.log.error('the outbox could not be reached', {
      delivery_id: id,
      error_name: error instanceof Error ? error.name : typeof error,
    });
    return false;
  }
};

/** Delivers the messages of a group one after another. After a failure, the rest is retried too, to keep the order. */
const deliverGroup = async (
  deliver: Deliver,
  runtime: Runtime,
  group: readonly Received[],
): Promise<readonly Received[]> => {
  for (const [index, received] of group.entries()) {
    if (!(await deliverOne(deliver, runtime, received))) return group.slice(index);
  }
  return [];
};

/**
 * Delivers the messages of a batch, all groups in parallel. A failed delivery is retried from the outbox. A record is
 * reported as failed only if the outbox itself cannot be reached.
 */
export const deliverRecords = async (
  deliver: Deliver,
  runtime: Runtime,
  { Records }: LaneEvent,
): Promise<SQSBatchResponse> => {
  const all = Records.map(receive);
  const groups = Map.groupBy(all, ({ message }) => message?.group ?? message?.delivery_id);
  const failed = await Promise.all(
    [...groups.values()].map((group) => deliverGroup(deliver, runtime, group)),
  );
  return { batchItemFailures: failed.flat().map(({ itemIdentifier }) => ({ itemIdentifier })) };
};

/** Returns the Lambda handler of a lane. Reads its settings from the environment at the first batch. */
export const deliverLane = (
  deliver: Deliver,
  create: (environment: NodeJS.ProcessEnv) => Runtime,
): ((event: LaneEvent) => Promise<SQSBatchResponse>) => {
  let runtime: Runtime | undefined;
  return (event) => {
    runtime ??= create(process.env);
    return deliverRecords(deliver, runtime, event);
  };
};
