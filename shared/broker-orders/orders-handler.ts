import type { Context } from 'aws-lambda';
import type { ExecutionAdapter } from '../channels/execution/execution-adapter.ts';
import { createSecretlessRuntime, type Runtime } from '../runtime.ts';
import { executionRuntime, type KeyMemory } from './execution-runtime.ts';
import { takeRequest } from './take-request.ts';

/** Returns the handler of a function that takes the requests of orders to an adapter. */
export const ordersHandler = (adapter: ExecutionAdapter) => {
  let shared: Runtime | undefined;
  const keyMemory: KeyMemory = new Map();
  /** Takes one event of the bus. An error sends the event to the dead letters, with the reason. */
  return async (event: unknown, context: Context): Promise<void> => {
    shared ??= createSecretlessRuntime(process.env);
    const remainingMs = () => context.getRemainingTimeInMillis();
    await takeRequest(executionRuntime(shared, adapter, { keyMemory, remainingMs }), event);
  };
};
