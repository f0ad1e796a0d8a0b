import type { Job } from '../job.ts';
import { closeEquityDaysJob } from './close-equity-days.ts';
import { rollSwapsJob } from './roll-swaps.ts';

/** Scheduled jobs that walk over all trading deployments once a day. */
export const DAILY_JOBS: readonly Job[] = [closeEquityDaysJob, rollSwapsJob];
