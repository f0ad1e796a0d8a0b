import { expireDeployment, findDueExpiries } from '../../shared/data/deployment-expiry.ts';
import type { Job } from './job.ts';

/** Bounds a run: the rest is due a minute later. */
const MAX_PER_RUN = 200;
const AT_ONCE = 10;

/** Ends the deployments whose time has come. */
export const expireDeployments: Job = {
  name: 'expire-deployments',
  summary: 'Ends deployments whose time has come',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  run: async (runtime) => {
    const due = await findDueExpiries(runtime.store, runtime.clock(), MAX_PER_RUN);
    const failures: unknown[] = [];
    for (let start = 0; start < due.length; start += AT_ONCE) {
      const settled = await Promise.allSettled(
        due.slice(start, start + AT_ONCE).map((id) => expireDeployment(runtime, id)),
      );
      failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} deployments could not be ended`);
    return { done: due.length, more: due.length === MAX_PER_RUN };
  },
};
