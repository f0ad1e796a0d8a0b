import type { Context } from 'aws-lambda';
import { putEvent } from '../../shared/channels/bus.ts';
import { textId } from '../../shared/ids.ts';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { engineRuntime, newEngineMemory } from './engine-runtime.ts';
import { takeEngineEvent } from './take-event.ts';

let shared: Runtime | undefined;
const memory = newEngineMemory();

/** Takes one event of the bus. An error sends the event to the dead letters, with the reason. */
export const handler = async (event: unknown, context: Context): Promise<void> => {
  shared ??= createSecretlessRuntime(process.env);
  const runtime = shared;
  const engine = engineRuntime(runtime, {
    memory,
    putEvent: (detailType, detail) =>
      putEvent(runtime, { detailType, detail, deliveryId: textId(runtime.random) }),
    remainingMs: () => context.getRemainingTimeInMillis(),
  });
  await takeEngineEvent(engine, event);
};
