import { type Deletion, findDueDeletions } from '../../shared/data/accounts/deletions.ts';
import { continueDeletion } from '../../shared/lifecycle/account-deletion.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { attendAll } from './attend-all.ts';
import type { Job } from './job.ts';

const MAX_PER_RUN = 20;

const goOn = async (runtime: Runtime, due: Deletion, hasTime: () => boolean): Promise<void> => {
  const after = await continueDeletion(runtime, due, hasTime);
  if (after?.waits_for === undefined) return;
  const { deletion_id, waits_for } = after;
  runtime.log.warn('the deletion of an account waits', { deletion_id, waits_for });
};

/** Goes on with the deletion of accounts. */
export const deleteAccounts: Job = {
  name: 'delete-accounts',
  summary: 'Goes on with the deletion of accounts',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  run: async (runtime, { hasTime }) => {
    const due = await findDueDeletions(runtime.store, runtime.clock(), MAX_PER_RUN);
    const { done, failures } = await attendAll(due, (one) => goOn(runtime, one, hasTime), hasTime);
    if (failures.length > 0) {
      throw new AggregateError(
        failures.map(({ error }) => error),
        `${failures.length} deletions of accounts failed`,
      );
    }
    return { done, more: done < due.length || due.length === MAX_PER_RUN };
  },
};
