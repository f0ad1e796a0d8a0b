import { ChangedMeanwhileError } from '../../shared/data/numbered-list/changed-meanwhile.ts';
import { expireDeployment, findDueExpiries, putOffExpiry } from '../../shared/lifecycle/expiry.ts';
import { dueJob } from './due-job.ts';

/** Ends deployments past their expiry. */
export const expireDeployments = dueJob({
  name: 'expire-deployments',
  summary: 'Ends deployments past their expiry',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit) => findDueExpiries(store, clock(), limit),
  attend: async (runtime, deploymentId) => {
    try {
      await expireDeployment(runtime, deploymentId);
    } catch (error) {
      // A deployment in use is ended by the next run.
      if (error instanceof ChangedMeanwhileError) throw error;
      await putOffExpiry(runtime.store, deploymentId, runtime.clock()).catch((more: unknown) => {
        throw new AggregateError([error, more], 'a deployment could neither be ended nor postponed');
      });
      throw error;
    }
  },
  page: 200,
  called: 'deployments',
});
