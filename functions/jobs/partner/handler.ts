import { createRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { PARTNER_JOBS } from './jobs.ts';

export const handler = jobHandler(PARTNER_JOBS, createRuntime);
