import type { Context } from 'aws-lambda';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { takeThrow } from './take-throw.ts';

let runtime: Runtime | undefined;

/** Takes one event of the bus. An error sends the event to the dead letters, with the reason. */
export const handler = async (event: unknown, context: Context): Promise<void> => {
  runtime ??= createSecretlessRuntime(process.env);
  await takeThrow(runtime, event, () => context.getRemainingTimeInMillis());
};
