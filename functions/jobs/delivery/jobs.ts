import type { Job } from '../job.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

/** Scheduled jobs that send messages to devices. */
export const DELIVERY_JOBS: readonly Job[] = [sweepDeliveries];
