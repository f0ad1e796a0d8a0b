import { createSecretlessRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { BINANCE_JOBS } from './jobs.ts';

export const handler = jobHandler(BINANCE_JOBS, createSecretlessRuntime);
