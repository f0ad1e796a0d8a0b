import type { Job } from '../job.ts';
import { sweepPushes } from './sweep-pushes.ts';

/** Scheduled jobs that send messages to devices. */
export const PUSH_JOBS: readonly Job[] = [sweepPushes];
