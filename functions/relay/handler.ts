import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { createCommonRuntime } from '../../shared/runtime.ts';
import { createRelay } from './relay.ts';

let relay: ReturnType<typeof createRelay> | undefined;

/** Hands the new messages of a stream batch to the queues of their lanes. */
export const handler = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  relay ??= createRelay(createCommonRuntime(process.env));
  return relay(event);
};
