import * as z from 'zod';
import { BACKTEST_EVENT } from '../../../shared/data/backtests/jobs.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { workOnBacktest } from './work-on-backtest.ts';

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({
    'detail-type': z.literal(BACKTEST_EVENT),
    detail: z.object({ version: z.literal(1), backtest_id: z.number() }),
  }),
]);

/** Time that a worker needs for one more slice and for saving, in milliseconds. */
const RESERVE_MS = 45_000;

/**
 * Lets a worker take up the part of a job that an event names. Repeats and several workers at once do no harm.
 *
 * @param remainingMs how long the function may still run.
 */
export const takeJobEvent = async (
  runtime: Runtime,
  raw: unknown,
  remainingMs: () => number,
): Promise<void> => {
  const { detail } = eventSchema.parse(raw);
  await workOnBacktest(runtime, detail.backtest_id, () => remainingMs() > RESERVE_MS);
};
