import { binance } from '../../../shared/channels/execution/binance/binance.ts';
import { comparisonOf } from '../execution/compare-accounts.ts';
import { followingOf } from '../execution/follow-orders.ts';
import type { Job } from '../job.ts';

/** Scheduled jobs that call Binance. */
export const BINANCE_JOBS: readonly Job[] = [
  followingOf(binance, 'follow-binance-orders'),
  comparisonOf(binance, 'compare-binance-accounts'),
];
