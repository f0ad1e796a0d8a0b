import type { Job } from '../job.ts';
import { refreshPartnerTokens } from './refresh-partner-tokens.ts';

/** Scheduled jobs that call partners. */
export const PARTNER_JOBS: readonly Job[] = [refreshPartnerTokens];
