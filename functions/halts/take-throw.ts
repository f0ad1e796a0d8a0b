import * as z from 'zod';
import { HALT_DUE } from '../../shared/data/switches/halts.ts';
import { takeUpHalt } from '../../shared/lifecycle/halt-deployments.ts';
import type { Runtime } from '../../shared/runtime.ts';

/** Longest time of a page. A run starts none with less time left. */
const RESERVE_MS = 15_000;

const eventSchema = z.object({
  'detail-type': z.literal(HALT_DUE),
  detail: z.object({ version: z.literal(1), throw_id: z.string() }),
});

/** Halts the deployments that a throw covers. The job `halt-deployments` goes on with what is left. */
export const takeThrow = async (runtime: Runtime, raw: unknown, remainingMs: () => number): Promise<void> => {
  const { throw_id } = eventSchema.parse(raw).detail;
  const report = await takeUpHalt(runtime, throw_id, () => remainingMs() > RESERVE_MS);
  runtime.log.info('deployments halted', { throw_id, ...report });
};
