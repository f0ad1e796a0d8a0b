import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords } from './batch.ts';
import { deliver } from './deliver.ts';

/** Delivers the messages of a stream batch, except those to devices. */
export const deliverBatch = (runtime: Runtime, event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> =>
  deliverRecords(deliver, runtime, event);

let runtime: Runtime | undefined;

export const handler = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  runtime ??= createRuntime(process.env);
  return deliverBatch(runtime, event);
};
