import type { SQSBatchResponse } from 'aws-lambda';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords, type LaneEvent } from '../deliveries/batch.ts';
import { deliverBulk } from './deliver-bulk.ts';

let runtime: Runtime | undefined;

/** Delivers the mails and text messages of notifications, and the analytics of a batch. */
export const handler = (event: LaneEvent): Promise<SQSBatchResponse> => {
  runtime ??= createRuntime(process.env);
  return deliverRecords(deliverBulk, runtime, event);
};
