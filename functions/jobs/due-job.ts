import type { Runtime } from '../../shared/runtime.ts';
import { attendAll } from './attend-all.ts';
import type { Job } from './job.ts';

interface DueJob<T> extends Omit<Job, 'run'> {
  /** Finds due items, the longest overdue first. A done item is no longer due, so no cursor is needed. */
  readonly find: (runtime: Runtime, limit: number) => Promise<readonly T[]>;
  /**
   * Handles one item. Skips an item that another run handled meanwhile. An item that takes long ends its work when
   * there is no time, and is then not due at once.
   */
  readonly attend: (runtime: Runtime, due: T, hasTime: () => boolean) => Promise<unknown>;
  /** Largest number of items that are read at once. A run that finds as many reads again, while it has time. */
  readonly page: number;
  /** Number of due records that an item stands for; one if absent. Pages are full by records. */
  readonly recordsOf?: (due: T) => number;
  /** True if a handled item may still be due, so that a run must not read it again. */
  readonly readsOnce?: boolean;
  /** Number of items that are handled in parallel; ten if absent. */
  readonly atOnce?: number;
  /** Names the items, in the plural, for the error. */
  readonly called: string;
}

/**
 * Makes a job that handles the due items of an index. A run that finds a full page goes on with the next one, so a
 * backlog drains at the speed of the work and not of the schedule. It ends without time for another batch, or after a
 * page of which nothing could be handled.
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
 *   page: 500,
 *   called: 'deployments',
 * });
 */
export const dueJob = <T>({
  find,
  attend,
  page,
  recordsOf = () => 1,
  readsOnce = false,
  atOnce,
  called,
  ...job
}: DueJob<T>): Job => ({
  ...job,
  run: async (runtime, { hasTime }) => {
    const errors: unknown[] = [];
    let done = 0;
    let more: boolean;
    let goesOn: boolean;
    do {
      const due = await find(runtime, page);
      const did = await attendAll(due, (one) => attend(runtime, one, hasTime), hasTime, atOnce);
      errors.push(...did.failures.map(({ error }) => error));
      done += did.done;
      const isFull = due.reduce((records, one) => records + recordsOf(one), 0) >= page;
      more = did.done < due.length || isFull;
      goesOn = isFull && !readsOnce && did.failures.length < did.done && hasTime();
    } while (goesOn);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} ${called} failed`);
    return { done, more };
  },
});
