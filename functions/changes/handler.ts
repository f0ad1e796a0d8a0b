import type { SQSBatchResponse } from 'aws-lambda';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords, type LaneEvent } from '../deliveries/batch.ts';
import { moveChanges } from './move-changes.ts';

let runtime: Runtime | undefined;

/** Moves the change events of a batch into the logs of their readers. */
export const handler = (event: LaneEvent): Promise<SQSBatchResponse> => {
  runtime ??= createSecretlessRuntime(process.env);
  return deliverRecords(moveChanges, runtime, event);
};
