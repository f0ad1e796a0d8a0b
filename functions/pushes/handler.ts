import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords } from '../deliveries/batch.ts';
import { deliverPush } from './deliver-push.ts';

/** Delivers the messages to devices of a stream batch. */
export const deliverPushes = (runtime: Runtime, event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> =>
  deliverRecords(deliverPush, runtime, event);

let runtime: Runtime | undefined;

export const handler = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  runtime ??= createRuntime(process.env);
  return deliverPushes(runtime, event);
};
