import { deleteAccounts } from './delete-accounts.ts';
import { expireDeployments } from './expire-deployments.ts';
import type { Job } from './job.ts';
import { rankStrategies } from './rank-strategies.ts';
import { reconcileLists } from './reconcile-lists.ts';
import { sweepBacktests } from './sweep-backtests.ts';
import { sweepEvents } from './sweep-events.ts';
import { sweepRecords } from './sweep-records.ts';
import { sweepSeries } from './sweep-series.ts';

/** Scheduled jobs that need only the table. */
export const JOBS: readonly Job[] = [
  expireDeployments,
  reconcileLists,
  rankStrategies,
  sweepEvents,
  sweepBacktests,
  sweepRecords,
  sweepSeries,
  deleteAccounts,
];
