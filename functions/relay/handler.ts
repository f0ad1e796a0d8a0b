import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { createBaseRuntime } from '../../shared/base-runtime.ts';
import { createRelay } from './relay.ts';

let relay: ReturnType<typeof createRelay> | undefined;

/** Hands the new messages of a stream batch to the queues of their lanes. */
export const handler = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  relay ??= createRelay(createBaseRuntime(process.env));
  return relay(event);
};
