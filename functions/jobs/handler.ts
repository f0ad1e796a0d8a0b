import { createSecretlessRuntime } from '../../shared/secretless-runtime.ts';
import { JOBS } from './jobs.ts';
import { jobHandler } from './run-job.ts';

export const handler = jobHandler(JOBS, createSecretlessRuntime);
