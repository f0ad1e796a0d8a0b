import { createRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { PUSH_JOBS } from './jobs.ts';

export const handler = jobHandler(PUSH_JOBS, createRuntime);
