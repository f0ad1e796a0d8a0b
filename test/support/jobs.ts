import { BINANCE_JOBS } from '../../functions/jobs/binance/jobs.ts';
import { CANARY_JOBS } from '../../functions/jobs/canary/jobs.ts';
import { DAILY_JOBS } from '../../functions/jobs/daily/jobs.ts';
import { DELIVERY_JOBS } from '../../functions/jobs/delivery/jobs.ts';
import { EXECUTION_JOBS } from '../../functions/jobs/execution/jobs.ts';
import { HALT_JOBS } from '../../functions/jobs/halts/jobs.ts';
import type { JobReport } from '../../functions/jobs/job.ts';
import { JOBS } from '../../functions/jobs/jobs.ts';
import { MARKET_DATA_JOBS } from '../../functions/jobs/market-data/jobs.ts';
import { PARTNER_JOBS } from '../../functions/jobs/partner/jobs.ts';
import { PUSH_JOBS } from '../../functions/jobs/push/jobs.ts';
import { runJob as run } from '../../functions/jobs/run-job.ts';
import { WEBHOOK_JOBS } from '../../functions/jobs/webhooks/jobs.ts';
import { FUNCTIONS } from '../../functions/manifest.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { actAs } from './roles.ts';

const functionOf = (job: string) => {
  const found = FUNCTIONS.find(
    ({ trigger }) => trigger.kind === 'schedule' && trigger.schedules.some((one) => one.job === job),
  );
  if (!found) throw new Error(`no function runs the job ${job}`);
  return found;
};

/** Runs a job in the role of its function, by default without a time limit. */
export const runJob = (
  runtime: Runtime,
  event: { readonly job: string; readonly by_hand?: boolean },
  remainingMs: () => number = () => Number.POSITIVE_INFINITY,
): Promise<JobReport> =>
  actAs(functionOf(event.job), () =>
    run(
      runtime,
      [
        ...JOBS,
        ...DAILY_JOBS,
        ...DELIVERY_JOBS,
        ...HALT_JOBS,
        ...PARTNER_JOBS,
        ...PUSH_JOBS,
        ...WEBHOOK_JOBS,
        ...MARKET_DATA_JOBS,
        ...EXECUTION_JOBS,
        ...BINANCE_JOBS,
        ...CANARY_JOBS,
      ],
      event,
      remainingMs,
    ),
  );
