import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import { takeEngineEvent } from './take-event.ts';

let runtime: Runtime | undefined;

/** Takes one event of the bus. An error sends the event to the dead letters, with the reason. */
export const handler = async (event: unknown): Promise<void> => {
  runtime ??= createRuntime(process.env);
  await takeEngineEvent(runtime, event);
};
