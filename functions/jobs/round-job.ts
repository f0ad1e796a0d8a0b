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

/** What one batch of a round did. */
export interface Batch {
  /** Where the next one begins, in the job's own words; undefined ends the round. */
  readonly cursor: string | undefined;
  readonly done: number;
  /** Adds to what the round counts, by name. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Kept in the report, the first fifty of a round; never logged or answered. */
  readonly findings?: readonly string[];
  /** What failed for now; the cursor says what becomes of it. The run tells at its end. */
  readonly errors?: readonly unknown[];
  /** Whether the next batch had better wait for the next run. */
  readonly pause?: boolean;
}

interface RoundJob extends Omit<Job, 'run'> {
  /**
   * The round that is due after the last one; undefined where none is yet. `previous` is undefined before
   * the very first round, and where a person asks for one while none is due.
   */
  readonly round: (previous: string | undefined, now: Date) => string | undefined;
  /**
   * Does the next batch, a few seconds of work at most. It may be done again, by a run that goes on where one
   * died or beside one that was slow: that must do no harm.
   */
  readonly batch: (
    runtime: Runtime,
    at: {
      readonly round: string;
      readonly cursor: string | undefined;
      readonly hasTime: () => boolean;
      /** How many rounds were finished before this one. */
      readonly rounds: number;
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

const begun = (round: string, rounds: number, now: Date): JobProgress => ({
  round,
  started_at: now.toISOString(),
  done: 0,
  counts: {},
  findings: [],
  rounds,
});

const advanced = (before: JobProgress, batch: Batch, now: Date): JobProgress => ({
  ...before,
  cursor: batch.cursor,
  done: before.done + batch.done,
  counts: added(before.counts, batch.counts ?? {}),
  findings: [...before.findings, ...(batch.findings ?? [])].slice(0, MAX_FINDINGS),
  ...(batch.cursor === undefined && { finished_at: now.toISOString(), rounds: before.rounds + 1 }),
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
 * A job that does its work in rounds (once a week, once a trading day) which may take many runs. How far a
 * round has come is kept in the table after every batch: a run stops when its time is up, or dies, and the
 * next one goes on from there. A lease keeps two runs apart; a slow one whose lease was taken over stops at
 * its next batch. A round is finished before the next one begins, and missed ones are made up for.
 *
 * @throws AggregateError at the end of a run in which something failed; what was done is kept.
 */
export const roundJob = ({ round: dueAfter, batch, ...job }: RoundJob): Job => {
  const { name } = job;

  /** What is to be done now; undefined where nothing is. */
  const next = (seen: JobProgress | undefined, now: Date, anew: boolean): JobProgress | undefined => {
    if (seen && isUnderWay(seen)) return seen;
    // Missed rounds come first, also where a person asks: the latest one anew only where none is due.
    const due = dueAfter(seen?.round, now) ?? (anew ? dueAfter(undefined, now) : undefined);
    return due === undefined ? undefined : begun(due, seen?.rounds ?? 0, now);
  };

  const work = async (runtime: Runtime, { hasTime, byHand }: Run, holder: string, taken: JobProgress) => {
    const { store, clock } = runtime;
    let last = taken;
    let done = 0;
    const errors: unknown[] = [];
    let present = next(last, clock(), byHand);
    while (present?.round !== undefined && hasTime()) {
      const { round, cursor, rounds } = present;
      const did = await batch(runtime, { round, cursor, hasTime, rounds });
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
      present = next(last, now, false);
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
      if (!next(seen, clock(), run.byHand)) return reportOf(0, false, seen);
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
