import type { Job } from '../job.ts';
import { sweepBulk } from './sweep-bulk.ts';
import { sweepChanges } from './sweep-changes.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { sweepOrders } from './sweep-orders.ts';

/** Scheduled jobs that send messages, except those to devices. */
export const DELIVERY_JOBS: readonly Job[] = [sweepDeliveries, sweepBulk, sweepOrders, sweepChanges];
