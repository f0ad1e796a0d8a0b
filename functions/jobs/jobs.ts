import { expireDeployments } from './expire-deployments.ts';
import type { Job } from './job.ts';
import { reconcileLists } from './reconcile-lists.ts';

/** The scheduled jobs that need the table alone. */
export const JOBS: readonly Job[] = [expireDeployments, reconcileLists];
