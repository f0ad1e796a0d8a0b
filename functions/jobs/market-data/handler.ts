import { createRuntime } from '../../../shared/runtime.ts';
import { jobHandler } from '../run-job.ts';
import { MARKET_DATA_JOBS } from './jobs.ts';

export const handler = jobHandler(MARKET_DATA_JOBS, createRuntime);
