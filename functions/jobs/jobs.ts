import { closeEquityDaysJob } from './close-equity-days.ts';
import { expireDeployments } from './expire-deployments.ts';
import type { Job } from './job.ts';
import { reconcileLists } from './reconcile-lists.ts';
import { rollSwapsJob } from './roll-swaps.ts';
import { sweepEvents } from './sweep-events.ts';

/** The scheduled jobs that need the table alone. */
export const JOBS: readonly Job[] = [
  expireDeployments,
  closeEquityDaysJob,
  rollSwapsJob,
  reconcileLists,
  sweepEvents,
];
