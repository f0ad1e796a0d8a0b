import { EXPIRY_KIND } from '../../shared/data/deployments/deployments.ts';
import { ChangedMeanwhileError } from '../../shared/data/numbered-list/retry.ts';
import { putOffDueItem } from '../../shared/data/table/due-items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { expireDeployment, findDueExpiries } from '../../shared/lifecycle/expiry.ts';
import { dueJob } from './due-job.ts';

/** Ends deployments past their expiry. */
export const expireDeployments = dueJob({
  name: 'expire-deployments',
  summary: 'Ends deployments past their expiry',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit, onDamaged) => findDueExpiries(store, clock(), limit, onDamaged),
  attend: expireDeployment,
  nameOf: (deploymentId) => deploymentId,
  putOff: async ({ store, clock }, deploymentId, error) => {
    // A deployment in use is ended by the next run.
    if (error instanceof ChangedMeanwhileError) return;
    await putOffDueItem(store, keys.deployment(deploymentId), EXPIRY_KIND, clock());
  },
  page: 200,
  called: 'deployments',
});
