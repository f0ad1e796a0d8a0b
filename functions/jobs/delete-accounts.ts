import { type Deletion, findDueDeletions } from '../../shared/data/accounts/deletions.ts';
import { continueDeletion } from '../../shared/lifecycle/account-deletion.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { dueJob } from './due-job.ts';

const goOn = async (runtime: Runtime, due: Deletion, hasTime: () => boolean): Promise<void> => {
  const after = await continueDeletion(runtime, due, hasTime);
  if (after?.waits_for === undefined) return;
  const { deletion_id, waits_for } = after;
  runtime.log.warn('the deletion of an account waits', { deletion_id, waits_for });
};

/** Puts deletions that still have to stop deployments or to end the sign-in before those that read the table. */
const inOrder = (due: readonly Deletion[]): Deletion[] =>
  due.toSorted((left, right) => Number(left.stage === 'sweeping') - Number(right.stage === 'sweeping'));

/** Goes on with the deletion of accounts. */
export const deleteAccounts = dueJob({
  name: 'delete-accounts',
  summary: 'Goes on with the deletion of accounts',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: async ({ store, clock }, limit) => inOrder(await findDueDeletions(store, clock(), limit)),
  attend: goOn,
  page: 100,
  // Each may hold a page of the table, up to a megabyte.
  atOnce: 20,
  called: 'deletions of accounts',
});
