import { createSecretlessRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { DAILY_JOBS } from './jobs.ts';

export const handler = jobHandler(DAILY_JOBS, createSecretlessRuntime);
