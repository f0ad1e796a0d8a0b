import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { Runtime } from '../../shared/runtime.ts';
import type { Deliver } from './attempt.ts';

/**
 * Delivers the messages that a batch of the stream brings. A delivery that fails is in the outbox for
 * later; a record is reported as failed only where the outbox itself could not be reached.
 */
export const deliverRecords = async (
  deliver: Deliver,
  runtime: Runtime,
  { Records }: DynamoDBStreamEvent,
): Promise<DynamoDBBatchResponse> => {
  const failures = await Promise.all(
    Records.map(async ({ dynamodb }) => {
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
    }),
  );
  return { batchItemFailures: failures.flat() };
};
