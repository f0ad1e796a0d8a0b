import type { Job } from '../job.ts';
import { attendWebhooks } from './attend-webhooks.ts';
import { sweepWebhooks } from './sweep-webhooks.ts';

/** Scheduled jobs that call webhook endpoints. */
export const WEBHOOK_JOBS: readonly Job[] = [sweepWebhooks, attendWebhooks];
