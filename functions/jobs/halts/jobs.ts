import type { Job } from '../job.ts';
import { haltDeploymentsJob } from './halt-deployments.ts';

/** Scheduled jobs of kill switches, set apart so that they never wait behind others. */
export const HALT_JOBS: readonly Job[] = [haltDeploymentsJob];
