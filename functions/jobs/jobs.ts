import { expireDeployments } from './expire-deployments.ts';
import type { Job } from './job.ts';
import { refreshPartnerTokens } from './refresh-partner-tokens.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

/** Every scheduled job. */
export const JOBS: readonly Job[] = [sweepDeliveries, expireDeployments, refreshPartnerTokens];
