import { expireDeployment, findDueExpiries } from '../../shared/data/deployment-expiry.ts';
import { dueJob } from './due-job.ts';

/** Ends the deployments whose time has come. */
export const expireDeployments = dueJob({
  name: 'expire-deployments',
  summary: 'Ends deployments whose time has come',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit) => findDueExpiries(store, clock(), limit),
  attend: expireDeployment,
  maxPerRun: 200,
  called: 'deployments',
});
