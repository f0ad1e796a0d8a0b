import { type Deletion, findDueDeletions } from '../../shared/data/user-data/deletions.ts';
import { continueDeletion } from '../../shared/lifecycle/account-deletion.ts';
import { walkForDeletions } from '../../shared/lifecycle/deletion-walk.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { dueJob } from './due-job.ts';
import type { Job, JobReport } from './job.ts';

const goOn = async (runtime: Runtime, due: Deletion, hasTime: () => boolean): Promise<void> => {
  const after = await continueDeletion(runtime, due, hasTime);
  if (after?.waits_for === undefined) return;
  const { deletion_id, waits_for } = after;
  runtime.log.warn('the deletion of an account waits', { deletion_id, waits_for });
};

const steps = dueJob({
  name: 'delete-accounts',
  summary: 'Goes on with the deletion of accounts',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit, onDamaged) => findDueDeletions(store, clock(), limit, onDamaged),
  attend: goOn,
  nameOf: ({ deletion_id }) => deletion_id,
  page: 100,
  atOnce: 20,
  called: 'deletions of accounts',
});

/**
 * Goes on with the deletion of accounts: first the steps of each, then the walk through the table that all share. A
 * deletion that fails stops neither the others nor the walk.
 */
export const deleteAccounts: Job = {
  ...steps,
  run: async (runtime, run): Promise<JobReport> => {
    const errors: unknown[] = [];
    let report: JobReport = { done: 0, more: false };
    try {
      report = await steps.run(runtime, run);
    } catch (error) {
      errors.push(error);
    }
    const walk = await walkForDeletions(runtime, run.hasTime).catch((error: unknown) => ({
      more: true,
      errors: [error],
    }));
    errors.push(...walk.errors);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deletions of accounts failed`);
    return { ...report, more: report.more || walk.more };
  },
};
