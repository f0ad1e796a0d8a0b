import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords } from '../deliveries/batch.ts';
import { deliverOrder } from './deliver-order.ts';

let runtime: Runtime | undefined;

/** Delivers the requests of a stream batch to execution adapters. */
export const handler = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  runtime ??= createRuntime(process.env);
  return deliverRecords(deliverOrder, runtime, event);
};
