import type { SQSBatchResponse } from 'aws-lambda';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords, type LaneEvent } from '../deliveries/batch.ts';
import { deliverOrder } from './deliver-order.ts';

let runtime: Runtime | undefined;

/** Delivers the requests of a batch to execution adapters. */
export const handler = (event: LaneEvent): Promise<SQSBatchResponse> => {
  runtime ??= createSecretlessRuntime(process.env);
  return deliverRecords(deliverOrder, runtime, event);
};
