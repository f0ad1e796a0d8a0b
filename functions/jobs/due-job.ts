import type { Runtime } from '../../shared/runtime.ts';
import { attendAll } from './attend-all.ts';
import type { Job } from './job.ts';

interface DueJob<T> extends Omit<Job, 'run'> {
  /** Finds what is due, longest overdue first. What was attended to is due no more, so no cursor is needed. */
  readonly find: (runtime: Runtime, limit: number) => Promise<readonly T[]>;
  /** Attends to one. What others have attended to meanwhile it leaves alone. */
  readonly attend: (runtime: Runtime, due: T) => Promise<unknown>;
  /** Bounds a run: the rest is due at the next one. */
  readonly maxPerRun: number;
  /** Names, for the log, those that failed. */
  readonly called: string;
}

/**
 * A job that works off what the index says is due.
 *
 * @throws AggregateError, once all had their turn, where some failed.
 */
export const dueJob = <T>({ find, attend, maxPerRun, called, ...job }: DueJob<T>): Job => ({
  ...job,
  run: async (runtime, { hasTime }) => {
    const due = await find(runtime, maxPerRun);
    const { done, failures } = await attendAll(due, (one) => attend(runtime, one), hasTime);
    if (failures.length > 0) {
      throw new AggregateError(
        failures.map(({ error }) => error),
        `${failures.length} ${called} failed`,
      );
    }
    return { done, more: done < due.length || due.length === maxPerRun };
  },
});
