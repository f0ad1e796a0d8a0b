import type { Job } from '../jobs/job.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

/** The scheduled jobs that send messages. */
export const DELIVERY_JOBS: readonly Job[] = [sweepDeliveries];
