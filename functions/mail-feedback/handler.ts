import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { takeFeedback } from './take-feedback.ts';

let runtime: Runtime | undefined;

/** Takes one event of SES. An error sends the event to the dead letters, with the reason. */
export const handler = async (event: unknown): Promise<void> => {
  runtime ??= createSecretlessRuntime(process.env);
  await takeFeedback(runtime, event);
};
