import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { DamagedItemError } from '../../shared/data/table/damaged-items.ts';
import { reportDamaged } from '../../shared/lifecycle/report-damaged.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Job, JobReport, Run } from './job.ts';

/** Event of a schedule. A person adds `byHand`. */
const jobEvent = z.object({ job: z.string(), by_hand: z.boolean().default(false) });

/** The most records that the log of a run names. */
const MAX_NAMED = 50;
/** Longest time of a batch. A function starts none with less time left. */
const RESERVE_MS = 15_000;

/** Returns the records that a run could not read. */
const damagedIn = (error: unknown): DamagedItemError[] => {
  if (error instanceof AggregateError) return error.errors.flatMap(damagedIn);
  return error instanceof DamagedItemError ? [error] : [];
};

/** Runs a job. Names the records that it could not read in the log, which has only the names of other errors. */
const runNaming = async (runtime: Runtime, job: Job, run: Run): Promise<JobReport> => {
  try {
    return await job.run(runtime, run);
  } catch (error) {
    for (const one of damagedIn(error).slice(0, MAX_NAMED)) {
      reportDamaged(runtime, one, { operation: job.name });
    }
    throw error;
  }
};

/**
 * Runs the job that an event names.
 *
 * @param remainingMs time for which the function may still run, in milliseconds.
 */
export const runJob = async (
  runtime: Runtime,
  jobs: readonly Job[],
  event: unknown,
  remainingMs: () => number,
): Promise<JobReport> => {
  const { job: name, by_hand: byHand } = jobEvent.parse(event);
  const job = jobs.find((known) => known.name === name);
  if (!job) {
    if (byHand) throw new Error(`there is no job ${name}`);
    // A newer version's schedule: it fires again once that version runs.
    runtime.log.warn('a job waits for a newer version', { job: name });
    runtime.metrics.count('WaitsForNewerVersion', { operation: 'jobs' });
    return { done: 0, more: false };
  }
  const report = await runNaming(runtime, job, { byHand, hasTime: () => remainingMs() > RESERVE_MS });
  runtime.log.info('job', { job: name, ...report });
  return report;
};

/** The Lambda entry of a function that runs these jobs. @param createRuntime with secrets only if a job reads one */
export const jobHandler = (
  jobs: readonly Job[],
  createRuntime: (environment: NodeJS.ProcessEnv) => Runtime,
): ((event: unknown, context: Context) => Promise<JobReport>) => {
  let runtime: Runtime | undefined;
  return (event, context) => {
    runtime ??= createRuntime(process.env);
    return runJob(runtime, jobs, event, () => context.getRemainingTimeInMillis());
  };
};
