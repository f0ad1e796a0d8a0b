import type { Job } from '../job.ts';
import { compareAccounts } from './compare-accounts.ts';
import { followBrokerOrders } from './follow-orders.ts';

/** Scheduled jobs that call brokers. */
export const EXECUTION_JOBS: readonly Job[] = [followBrokerOrders, compareAccounts];
