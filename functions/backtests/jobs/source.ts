import { BACKTEST_EVENT } from '../../../shared/data/backtests/jobs.ts';
import { SWEEP_EVENT } from '../../../shared/data/backtests/sweep-jobs.ts';
import type { BusSource } from '../../declaration.ts';

/** Source of the function: events of the hub that let a worker take up a part of a job. */
export const BACKTEST_JOBS_SOURCE: BusSource = {
  subscriptions: [{ senders: 'hub', detailTypes: [BACKTEST_EVENT, SWEEP_EVENT] }],
  maxRetries: 2,
  finalErrors: ['ZodError'],
};
