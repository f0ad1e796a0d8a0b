import type { SQSBatchResponse } from 'aws-lambda';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { deliverRecords, type LaneEvent } from '../deliveries/batch.ts';
import { deliverWebhook } from './deliver-webhook.ts';

let runtime: Runtime | undefined;

export const handler = (event: LaneEvent): Promise<SQSBatchResponse> => {
  runtime ??= createSecretlessRuntime(process.env);
  return deliverRecords(deliverWebhook, runtime, event);
};
