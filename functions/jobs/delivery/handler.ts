import { createRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { DELIVERY_JOBS } from './jobs.ts';

export const handler = jobHandler(DELIVERY_JOBS, createRuntime);
