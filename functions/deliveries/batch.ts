import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { Runtime } from '../../shared/runtime.ts';
import type { Deliver } from './attempt.ts';

type StreamRecord = DynamoDBStreamEvent['Records'][number];
type Failures = DynamoDBBatchResponse['batchItemFailures'];

/** Groups messages by the user's lists they change: one group runs in order, all groups in parallel. */
const queueOf = ({ dynamodb }: StreamRecord): string => {
  const image = dynamodb?.NewImage;
  const { kind, user_id } = image?.message?.M ?? {};
  return (kind?.S === 'live_entries' ? user_id?.S : image?.delivery_id?.S) ?? '';
};

/** Delivers the message of a record, and returns the record if it must be retried. */
const deliverRecord = async (
  deliver: Deliver,
  runtime: Runtime,
  { dynamodb }: StreamRecord,
): Promise<Failures> => {
  const id = dynamodb?.NewImage?.delivery_id?.S;
  const attempts = dynamodb?.NewImage?.attempts?.N;
  if (id === undefined || attempts === undefined) {
    runtime.log.error('a record of the stream is no message', { sequence: dynamodb?.SequenceNumber });
    return [];
  }
  try {
    await deliver(runtime, id, Number(attempts));
    return [];
  } catch (error) {
    runtime.log.error('the outbox could not be reached', {
      delivery_id: id,
      error_name: error instanceof Error ? error.name : typeof error,
    });
    return dynamodb?.SequenceNumber === undefined ? [] : [{ itemIdentifier: dynamodb.SequenceNumber }];
  }
};

/**
 * Delivers the messages of a stream batch. A failed delivery is retried from the outbox. A record is reported
 * as failed only if the outbox itself cannot be reached.
 */
export const deliverRecords = async (
  deliver: Deliver,
  runtime: Runtime,
  { Records }: DynamoDBStreamEvent,
): Promise<DynamoDBBatchResponse> => {
  const queues = [...Map.groupBy(Records, queueOf).values()];
  const failures = await Promise.all(
    queues.map(async (records) => {
      const failed: Failures = [];
      for (const record of records) failed.push(...(await deliverRecord(deliver, runtime, record)));
      return failed;
    }),
  );
  return { batchItemFailures: failures.flat() };
};
