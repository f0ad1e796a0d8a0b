import type { SQSBatchResponse } from 'aws-lambda';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords, type LaneEvent } from '../deliveries/batch.ts';
import { deliverPush } from './deliver-push.ts';

/** Delivers the messages to devices of a batch. */
export const deliverPushes = (runtime: Runtime, event: LaneEvent): Promise<SQSBatchResponse> =>
  deliverRecords(deliverPush, runtime, event);

let runtime: Runtime | undefined;

export const handler = (event: LaneEvent): Promise<SQSBatchResponse> => {
  runtime ??= createRuntime(process.env);
  return deliverPushes(runtime, event);
};
