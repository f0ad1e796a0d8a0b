import type { Context } from 'aws-lambda';
import { executionRuntime, type KeyMemory } from '../../shared/broker-orders/execution-runtime.ts';
import { takeRequest } from '../../shared/broker-orders/take-request.ts';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';

let shared: Runtime | undefined;
const keyMemory: KeyMemory = new Map();

/** Takes one event of the bus. An error sends the event to the dead letters, with the reason. */
export const handler = async (event: unknown, context: Context): Promise<void> => {
  shared ??= createSecretlessRuntime(process.env);
  const remainingMs = () => context.getRemainingTimeInMillis();
  await takeRequest(executionRuntime(shared, { keyMemory, remainingMs }), event);
};
