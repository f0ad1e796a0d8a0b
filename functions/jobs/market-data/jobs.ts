import type { Job } from '../job.ts';
import { pullCandles } from './pull-candles.ts';

/** Scheduled jobs that call providers of market data. */
export const MARKET_DATA_JOBS: readonly Job[] = [pullCandles];
