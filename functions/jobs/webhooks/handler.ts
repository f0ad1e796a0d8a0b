import { createSecretlessRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { WEBHOOK_JOBS } from './jobs.ts';

export const handler = jobHandler(WEBHOOK_JOBS, createSecretlessRuntime);
