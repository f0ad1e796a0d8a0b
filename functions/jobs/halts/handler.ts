import { createSecretlessRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { HALT_JOBS } from './jobs.ts';

export const handler = jobHandler(HALT_JOBS, createSecretlessRuntime);
