import {
  findProgress,
  type JobProgress,
  releaseJob,
  saveProgress,
  takeJob,
} from '../../shared/data/table/job-state.ts';
import { textId } from '../../shared/ids.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Job, JobReport, Run } from './job.ts';

const MAX_FINDINGS = 50;

/** Result of one batch of a round. */
export interface Batch {
  /** Cursor of the next batch, in the job's own format; undefined ends the round. */
  readonly cursor: string | undefined;
  readonly done: number;
  /** Counts to add to the round's totals, by name. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Findings for the report, at most fifty per round. Never logged or returned. */
  readonly findings?: readonly string[];
  /** Failures that a later batch retries, as the cursor says. The run throws them at its end. */
  readonly errors?: readonly unknown[];
  /** True if the next batch should wait for the next run. */
  readonly pause?: boolean;
}

interface RoundJob extends Omit<Job, 'run'> {
  /**
   * Returns the round that is due after the last one; undefined if none is due. `previous` is undefined
   * before the first round, and when a person requests a round while none is due.
   */
  readonly round: (previous: string | undefined, now: Date) => string | undefined;
  /**
   * Runs the next batch, a few seconds at most. Must be idempotent: it may repeat after a crash, or overlap
   * with a slow run.
   */
  readonly batch: (
    runtime: Runtime,
    at: {
      readonly round: string;
      readonly cursor: string | undefined;
      readonly hasTime: () => boolean;
    },
  ) => Promise<Batch>;
}

const added = (
  counts: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum = { ...counts };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

const begun = (round: string, now: Date): JobProgress => ({
  round,
  started_at: now.toISOString(),
  done: 0,
  counts: {},
  findings: [],
});

const advanced = (before: JobProgress, batch: Batch, now: Date): JobProgress => ({
  ...before,
  cursor: batch.cursor,
  done: before.done + batch.done,
  counts: added(before.counts, batch.counts ?? {}),
  findings: [...before.findings, ...(batch.findings ?? [])].slice(0, MAX_FINDINGS),
  ...(batch.cursor === undefined && { finished_at: now.toISOString() }),
});

const reportOf = (done: number, more: boolean, progress: JobProgress | undefined): JobReport => ({
  done,
  more,
  ...(progress && {
    round: {
      name: progress.round,
      started_at: progress.started_at,
      finished_at: progress.finished_at,
      done: progress.done,
      counts: progress.counts,
    },
  }),
});

const isUnderWay = ({ round, finished_at }: JobProgress): boolean =>
  round !== undefined && finished_at === undefined;

/**
 * Makes a job that works in rounds (once a week, once a trading day), each of which may take many runs. The
 * cursor is stored after every batch, so the next run continues after a timeout or crash. A lease keeps two
 * runs apart; a slow run that lost its lease stops at its next batch. Each round finishes before the next
 * begins, and missed rounds are made up.
 *
 * @throws AggregateError at the end of a run with failures; finished work is kept
 *
 * @example
 * export const countStrategies = roundJob({
 *   name: 'count-strategies',
 *   summary: 'Counts the strategies of all users, once a week',
 *   expression: 'rate(5 minutes)',
 *   timeZone: 'UTC',
 *   uses: [],
 *   round: weeklyRound,
 *   batch: async ({ store }, { cursor }) => {
 *     const { strategies, next } = await strategyPage(store, cursor, 100);
 *     return { cursor: next, done: strategies.length, counts: { strategies: strategies.length } };
 *   },
 * });
 */
export const roundJob = ({ round: dueAfter, batch, ...job }: RoundJob): Job => {
  const { name } = job;

  /** Returns the round to run now; undefined if there is none. */
  const next = (
    seen: JobProgress | undefined,
    now: Date,
    { isRequested = false } = {},
  ): JobProgress | undefined => {
    if (seen && isUnderWay(seen)) return seen;
    // Missed rounds come first, also for a person: the latest round repeats only if none is due.
    const due = dueAfter(seen?.round, now) ?? (isRequested ? dueAfter(undefined, now) : undefined);
    return due === undefined ? undefined : begun(due, now);
  };

  const work = async (runtime: Runtime, { hasTime, byHand }: Run, holder: string, taken: JobProgress) => {
    const { store, clock } = runtime;
    let last = taken;
    let done = 0;
    const errors: unknown[] = [];
    let present = next(last, clock(), { isRequested: byHand });
    while (present?.round !== undefined && hasTime()) {
      const { round, cursor } = present;
      const did = await batch(runtime, { round, cursor, hasTime });
      const now = clock();
      last = advanced(present, did, now);
      done += did.done;
      if (!(await saveProgress(store, name, holder, last, now))) {
        runtime.log.warn('a job was taken over', { job: name });
        return reportOf(done, true, undefined);
      }
      if (last.finished_at !== undefined) {
        runtime.log.info('a round is finished', { job: name, ...reportOf(done, false, last) });
      }
      errors.push(...(did.errors ?? []));
      present = next(last, now);
      if (did.pause) break;
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} in a round of ${name} failed`);
    return reportOf(done, present !== undefined, last);
  };

  return {
    ...job,
    run: async (runtime, run) => {
      const { store, clock, random } = runtime;
      const seen = await findProgress(store, name);
      if (!next(seen, clock(), { isRequested: run.byHand })) return reportOf(0, false, seen);
      const holder = textId(random);
      const taken = await takeJob(store, name, holder, clock());
      if (!taken) return reportOf(0, true, seen);
      try {
        return await work(runtime, run, holder, taken);
      } finally {
        await releaseJob(store, name, holder);
      }
    },
  };
};
