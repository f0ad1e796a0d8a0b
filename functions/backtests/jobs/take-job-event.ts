import * as z from 'zod';
import { BACKTEST_EVENT } from '../../../shared/data/backtests/jobs.ts';
import { RECORD_EVENT, recordPlaceSchema } from '../../../shared/data/backtests/record-events.ts';
import { SWEEP_EVENT } from '../../../shared/data/backtests/sweep-jobs.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { workOnRecord } from '../track-records/work-on-record.ts';
import { workOnBacktest } from './work-on-backtest.ts';
import { workOnSweep } from './work-on-sweep.ts';

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({
    'detail-type': z.literal(BACKTEST_EVENT),
    detail: z.object({ version: z.literal(1), backtest_id: z.number() }),
  }),
  z.object({
    'detail-type': z.literal(SWEEP_EVENT),
    detail: z.object({ version: z.literal(1), sweep_id: z.number(), from: z.int(), to: z.int() }),
  }),
  z.object({
    'detail-type': z.literal(RECORD_EVENT),
    detail: z.object({ version: z.literal(1), ...recordPlaceSchema.shape }),
  }),
]);

/** Time that a worker needs for one more slice and for saving, in milliseconds. */
const RESERVE_MS = 45_000;

/**
 * Lets a worker take up the part of a job that an event names. Repeats and several workers at once do no harm.
 *
 * @param remainingMs time for which the function may still run, in milliseconds.
 */
export const takeJobEvent = async (
  runtime: Runtime,
  raw: unknown,
  remainingMs: () => number,
): Promise<void> => {
  const event = eventSchema.parse(raw);
  if (event['detail-type'] === SWEEP_EVENT) {
    const { sweep_id: id, from, to } = event.detail;
    return workOnSweep(runtime, id, { from, to });
  }
  if (event['detail-type'] === RECORD_EVENT) {
    return workOnRecord(runtime, event.detail, () => remainingMs() > RESERVE_MS);
  }
  await workOnBacktest(runtime, event.detail.backtest_id, () => remainingMs() > RESERVE_MS);
};
