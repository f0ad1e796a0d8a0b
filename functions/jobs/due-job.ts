import type { Runtime } from '../../shared/runtime.ts';
import { attendAll } from './attend-all.ts';
import type { Job } from './job.ts';

interface DueJob<T> extends Omit<Job, 'run'> {
  /** Finds due items, the longest overdue first. A done item is no longer due, so no cursor is needed. */
  readonly find: (runtime: Runtime, limit: number) => Promise<readonly T[]>;
  /** Handles one item. Skips an item that another run handled meanwhile. */
  readonly attend: (runtime: Runtime, due: T) => Promise<unknown>;
  /** Largest number of items of a run; the rest is due at the next one. */
  readonly maxPerRun: number;
  /** Number of items that are handled in parallel; ten if absent. */
  readonly atOnce?: number;
  /** Names the items, in the plural, for the error. */
  readonly called: string;
}

/**
 * Makes a job that handles the due items of an index.
 *
 * @throws AggregateError after all items, if some failed
 *
 * @example
 * export const expireDeployments = dueJob({
 *   name: 'expire-deployments',
 *   summary: 'Ends deployments past their expiry',
 *   expression: 'rate(1 minute)',
 *   timeZone: 'UTC',
 *   uses: [],
 *   find: ({ store, clock }, limit) => findDueExpiries(store, clock(), limit),
 *   attend: (runtime, id) => expireDeployment(runtime, id),
 *   maxPerRun: 500,
 *   called: 'deployments',
 * });
 */
export const dueJob = <T>({ find, attend, maxPerRun, atOnce, called, ...job }: DueJob<T>): Job => ({
  ...job,
  run: async (runtime, { hasTime }) => {
    const due = await find(runtime, maxPerRun);
    const { done, failures } = await attendAll(due, (one) => attend(runtime, one), hasTime, atOnce);
    if (failures.length > 0) {
      throw new AggregateError(
        failures.map(({ error }) => error),
        `${failures.length} ${called} failed`,
      );
    }
    return { done, more: done < due.length || due.length === maxPerRun };
  },
});
