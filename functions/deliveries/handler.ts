import type { SQSBatchResponse } from 'aws-lambda';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords, type LaneEvent } from './batch.ts';
import { deliver } from './deliver.ts';

/** Delivers the messages of a batch, except those to devices. */
export const deliverBatch = (runtime: Runtime, event: LaneEvent): Promise<SQSBatchResponse> =>
  deliverRecords(deliver, runtime, event);

let runtime: Runtime | undefined;

export const handler = (event: LaneEvent): Promise<SQSBatchResponse> => {
  runtime ??= createRuntime(process.env);
  return deliverBatch(runtime, event);
};
