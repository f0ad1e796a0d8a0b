import { findDueHalts } from '../../../shared/data/switches/halts.ts';
import { haltDeployments } from '../../../shared/lifecycle/halt-deployments.ts';
import { reportThrown } from '../../../shared/lifecycle/report-thrown.ts';
import type { Job } from '../job.ts';

const MAX_PER_RUN = 20;

/** Goes on with the halting that a crash or a time limit left, and reports whether the switch of the service is thrown. */
export const haltDeploymentsJob: Job = {
  name: 'halt-deployments',
  summary: 'Halts deployments that a kill switch covers, after a crash or a time limit',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  run: async (runtime, { hasTime }) => {
    await reportThrown(runtime);
    const due = await findDueHalts(runtime.store, runtime.clock(), MAX_PER_RUN);
    const failures: unknown[] = [];
    let done = 0;
    let more = due.length === MAX_PER_RUN;
    for (const halt of due) {
      if (!hasTime()) return { done, more: true };
      try {
        const report = await haltDeployments(runtime, halt, hasTime);
        done += report.halted;
        more ||= report.more;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} kill switches failed`);
    return { done, more };
  },
};
