import { attendAll } from '../../shared/attend-all.ts';
import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Job } from './job.ts';

interface DueJob<T> extends Omit<Job, 'run'> {
  /**
   * Finds due items, the longest overdue first. A done item is no longer due, so no cursor is needed. Puts off and
   * reports those that cannot be read.
   */
  readonly find: (runtime: Runtime, limit: number, onDamaged: OnDamaged) => Promise<readonly T[]>;
  /**
   * Handles one item. Skips an item that another run handled meanwhile. An item that takes long ends its work when
   * there is no time, and is then not due at once.
   */
  readonly attend: (runtime: Runtime, due: T, hasTime: () => boolean) => Promise<unknown>;
  /** Largest number of items that are read at once. A run that finds as many reads again, while it has time. */
  readonly page: number;
  /** Number of due records that an item stands for; one if absent. Pages are full by records. */
  readonly recordsOf?: (due: T) => number;
  /** Name of an item. A run handles an item that failed only once. */
  readonly nameOf: (due: T) => string | number;
  /** True if a handled item may still be due. A run then handles each item only once. */
  readonly staysDue?: boolean;
  /** Puts off an item that failed, so that later runs begin with the others. Unneeded if `attend` puts it off first. */
  readonly putOff?: (runtime: Runtime, due: T, error: unknown) => Promise<unknown>;
  /** Number of items that are handled in parallel; ten if absent. */
  readonly atOnce?: number;
  /** Names the items, in the plural, for the error. */
  readonly called: string;
}

/** Most pages of items that a run passes by, which bounds the memory of a run. */
const MAX_PASSED_PAGES = 10;

/**
 * Makes a job that handles the due items of an index. A run that finds a full page goes on with the next one, so a
 * backlog drains at the speed of the work and not of the schedule. It passes by items that failed or cannot
 * be read, so that they do not hold up those behind them. It ends without time for another batch.
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
 *   find: ({ store, clock }, limit, onDamaged) => findDueExpiries(store, clock(), limit, onDamaged),
 *   attend: (runtime, id) => expireDeployment(runtime, id),
 *   nameOf: (id) => id,
 *   page: 500,
 *   called: 'deployments',
 * });
 */
export const dueJob = <T>({
  find,
  attend,
  nameOf,
  page,
  recordsOf = () => 1,
  staysDue = false,
  putOff,
  atOnce,
  called,
  ...job
}: DueJob<T>): Job => {
  const count = (items: readonly T[]): number => items.reduce((records, one) => records + recordsOf(one), 0);

  const handle = async (runtime: Runtime, due: T, hasTime: () => boolean): Promise<void> => {
    try {
      await attend(runtime, due, hasTime);
    } catch (error) {
      await putOff?.(runtime, due, error).catch((more: unknown) => {
        throw new AggregateError([error, more], `one of the ${called} could neither be handled nor put off`);
      });
      throw error;
    }
  };

  return {
    ...job,
    run: async (runtime, { hasTime }) => {
      const errors: unknown[] = [];
      const passed = new Set<string | number>();
      const unreadable = new Set<string>();
      let done = 0;
      let limit = page;
      let more: boolean;
      let goesOn: boolean;
      do {
        let damaged = 0;
        const found = await find(runtime, limit, (error) => {
          // One that stays due is found with every page.
          if (staysDue && unreadable.has(error.message)) return;
          unreadable.add(error.message);
          damaged += 1;
          errors.push(error);
        });
        const due = found.filter((one) => !passed.has(nameOf(one)));
        const did = await attendAll(due, (one) => handle(runtime, one, hasTime), hasTime, atOnce);
        const handled = staysDue ? due.slice(0, did.done) : did.failures.map(({ item }) => item);
        for (const one of handled) passed.add(nameOf(one));
        errors.push(...did.failures.map(({ error }) => error));
        done += did.done;
        const isFull = count(found) + damaged >= limit;
        more = did.done < due.length || isFull;
        // Those that are passed by may be before the next ones.
        limit = page + count(found.filter((one) => passed.has(nameOf(one))));
        goesOn = isFull && limit <= MAX_PASSED_PAGES * page && hasTime();
      } while (goesOn);
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} ${called} failed`);
      return { done, more };
    },
  };
};
