import { findDueHalts, type Halt } from '../../../shared/data/switches/halts.ts';
import { haltDeployments } from '../../../shared/lifecycle/halt-deployments.ts';
import { reportThrown } from '../../../shared/lifecycle/report-damaged.ts';
import { dueJob } from '../due-job.ts';
import type { Job } from '../job.ts';

const schedule = {
  name: 'halt-deployments',
  summary: 'Halts deployments that a kill switch covers, after a crash or a time limit',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
} as const;

/** Goes on with the halting that a crash or a time limit left, and reports whether the switch of the service is thrown. */
export const haltDeploymentsJob: Job = {
  ...schedule,
  run: async (runtime, run) => {
    await reportThrown(runtime);
    let halted = 0;
    let isLeft = false;
    const sweep = dueJob<Halt>({
      ...schedule,
      find: ({ store, clock }, limit, onDamaged) => findDueHalts(store, clock(), limit, onDamaged),
      attend: async (_, halt, hasTime) => {
        const report = await haltDeployments(runtime, halt, hasTime);
        halted += report.halted;
        isLeft ||= report.more;
      },
      nameOf: ({ throw_id }) => throw_id,
      page: 100,
      // Each halts up to 20 deployments in parallel. A switch over many does not delay the others.
      atOnce: 5,
      called: 'kill switches',
    });
    const { more } = await sweep.run(runtime, run);
    return { done: halted, more: more || isLeft };
  },
};
