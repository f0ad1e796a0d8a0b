import { createSecretlessRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { CANARY_JOBS } from './jobs.ts';

export const handler = jobHandler(CANARY_JOBS, createSecretlessRuntime);
