import { takeJobEvent as entry } from '../../../functions/backtests/jobs/take-job-event.ts';
import { inRole } from '../roles.ts';

export const takeJobEvent = inRole('backtest-jobs', entry);
