import { createSecretlessRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { EXECUTION_JOBS } from './jobs.ts';

export const handler = jobHandler(EXECUTION_JOBS, createSecretlessRuntime);
