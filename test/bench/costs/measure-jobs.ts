import { FUNCTIONS } from '../../../functions/manifest.ts';
import { runJob } from '../../support/jobs.ts';
import { build, furnishWithCatalogue, person } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder, trader } from '../../support/trading.ts';
import { type MeteredHub, meteredHub } from './metered-hub.ts';
import type { TradingKind } from './trading-units.ts';
import { less, scaled, type Units } from './units.ts';

const MINUTE_MS = 60_000;
/** Users and deployments of which averages are taken. */
const SEVERAL = 5;
const STRATEGIES = 2;

const RECONCILE = 'reconcile-lists';

/** Runs a job until its round is over. Returns its units. */
const roundOf = async ({ hub, take }: MeteredHub, job: string): Promise<Units> => {
  take();
  while ((await runJob(hub.runtime, { job, by_hand: true })).more);
  return take();
};

/** Measures a round of the weekly reconciliation, for each user and each trading deployment that it compares. */
const measureReconciliation = async (
  metered: MeteredHub,
): Promise<Pick<Record<TradingKind, Units>, 'reconciling a user' | 'reconciling a trading deployment'>> => {
  const { hub } = metered;
  // The first round enters what has no item yet.
  await roundOf(metered, RECONCILE);
  const empty = await roundOf(metered, RECONCILE);
  for (let n = 0; n < SEVERAL; n++) {
    const { user_id } = await person(hub);
    for (let made = 0; made < STRATEGIES; made++) {
      const { body } = await build(hub, { user_id });
      await hub.call('POST /deploy_notification_strategy', {
        query: { keygen: String(body.keygen) },
        form: { channels: 'push' },
      });
    }
  }
  const withUsers = await roundOf(metered, RECONCILE);
  for (let n = 0; n < SEVERAL; n++) {
    const { keygen } = await trader(hub);
    const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
    await report(hub, 'Deployment Started', id);
    await reportOrder(hub, id, { client_order_id: 'first' });
  }
  await enterAll(hub);
  const withTrading = await roundOf(metered, RECONCILE);
  return {
    'reconciling a user': scaled(less(withUsers, empty), 1 / SEVERAL),
    'reconciling a trading deployment': scaled(less(withTrading, withUsers), 1 / SEVERAL),
  };
};

/** Names of all jobs that run without a setting. */
const JOBS: readonly string[] = FUNCTIONS.flatMap(({ trigger, onlyWith }) =>
  trigger.kind === 'schedule' && onlyWith === undefined ? trigger.schedules.map(({ job }) => job) : [],
);

/** Measures a run of each job that finds nothing to do. */
export const measureIdleJobs = async (): Promise<Record<string, Units>> => {
  const metered = await meteredHub();
  const { hub, take, close } = metered;
  try {
    // The first runs make the rounds that are due.
    for (const job of JOBS) await runJob(hub.runtime, { job });
    hub.advance(MINUTE_MS);
    const idle: Record<string, Units> = {};
    for (const job of JOBS) {
      take();
      await runJob(hub.runtime, { job });
      idle[job] = take();
    }
    return idle;
  } finally {
    await close();
  }
};

/** Measures the reconciliation on a hub of its own. */
export const measureReconciling = async (): Promise<Partial<Record<TradingKind, Units>>> => {
  const metered = await meteredHub();
  try {
    await furnishWithCatalogue(metered.hub);
    return await measureReconciliation(metered);
  } finally {
    await metered.close();
  }
};
