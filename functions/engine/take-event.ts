import * as z from 'zod';
import { ENGINE_REQUESTED } from '../../shared/data/engine/events.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { startDeployment } from './start-deployment.ts';

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({
    'detail-type': z.literal(ENGINE_REQUESTED),
    detail: z.object({ version: z.literal(1), deployment_id: z.number() }),
  }),
]);

/** Takes an event of the hub's engine. Repeats and several workers at once do no harm. */
export const takeEngineEvent = async (runtime: Runtime, raw: unknown): Promise<void> => {
  const { detail } = eventSchema.parse(raw);
  await startDeployment(runtime, detail.deployment_id);
};
