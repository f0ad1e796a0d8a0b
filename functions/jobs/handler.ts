import * as z from 'zod';
import { createRuntime, type Runtime } from '../../shared/runtime.ts';
import type { JobReport } from './job.ts';
import { JOBS } from './jobs.ts';

const scheduledEvent = z.object({ job: z.string() });

/** Runs the job that a scheduled event names. */
export const runJob = async (runtime: Runtime, event: unknown): Promise<JobReport> => {
  const { job: name } = scheduledEvent.parse(event);
  const job = JOBS.find((known) => known.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  const report = await job.run(runtime);
  runtime.log.info('job', { job: name, ...report });
  return report;
};

let runtime: Runtime | undefined;

export const handler = (event: unknown): Promise<JobReport> => {
  runtime ??= createRuntime(process.env);
  return runJob(runtime, event);
};
