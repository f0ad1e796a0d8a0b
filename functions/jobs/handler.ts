import { createSecretlessRuntime } from '../../shared/runtime.ts';
import { JOBS } from './jobs.ts';
import { jobHandler } from './run-job.ts';

export const handler = jobHandler(JOBS, createSecretlessRuntime);
