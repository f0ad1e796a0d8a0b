import type { Job } from './job.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

/** Every scheduled job. */
export const JOBS: readonly Job[] = [sweepDeliveries];
