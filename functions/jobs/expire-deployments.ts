import { expireDeployment, findDueExpiries, putOffExpiry } from '../../shared/data/deployment-expiry.ts';
import { dueJob } from './due-job.ts';

/** Ends the deployments whose time has come. */
export const expireDeployments = dueJob({
  name: 'expire-deployments',
  summary: 'Ends deployments whose time has come',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit) => findDueExpiries(store, clock(), limit),
  attend: async (runtime, deploymentId) => {
    try {
      await expireDeployment(runtime, deploymentId);
    } catch (error) {
      await putOffExpiry(runtime.store, deploymentId, runtime.clock());
      throw error;
    }
  },
  maxPerRun: 200,
  called: 'deployments',
});
