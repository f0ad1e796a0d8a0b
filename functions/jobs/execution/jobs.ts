import { alpaca } from '../../../shared/channels/execution/alpaca.ts';
import type { Job } from '../job.ts';
import { comparisonOf } from './compare-accounts.ts';
import { followingOf } from './follow-orders.ts';

/** Scheduled jobs that call Alpaca. */
export const EXECUTION_JOBS: readonly Job[] = [
  followingOf(alpaca, 'follow-orders'),
  comparisonOf(alpaca, 'compare-accounts'),
];
