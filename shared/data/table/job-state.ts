import * as z from 'zod';
import { ConditionFailedError, type Key, type Store, TransactionRefusedError } from './store.ts';

/** How long whoever runs a job keeps it without a word: longer than a function that dies could have lived. */
const LEASE_MS = 75_000;
const KEEP_REPORTS_S = 400 * 24 * 3600;

const progressSchema = z.object({
  /** What the present round, or the last one, is called. */
  round: z.string().optional(),
  started_at: z.string().optional(),
  /** Absent while the round is under way. */
  finished_at: z.string().optional(),
  /** Where the next batch begins; absent at the beginning of a round. */
  cursor: z.string().optional(),
  done: z.number(),
  /** What the round has counted so far, by name. */
  counts: z.record(z.string(), z.number()),
  /** Single things that an operator may want to look at; they may name keys of the table. */
  findings: z.array(z.string()),
  /** How many rounds were ever finished. */
  rounds: z.number(),
});

/** Takes away what a state before had, where it is not written again. */
const NOTHING = { round: undefined, started_at: undefined, finished_at: undefined, cursor: undefined };

/** How far a job has come. */
export type JobProgress = z.output<typeof progressSchema>;

const stateSchema = progressSchema.extend({
  holder: z.string().optional(),
  lease_until: z.number().optional(),
  done: z.number().default(0),
  counts: z.record(z.string(), z.number()).default({}),
  findings: z.array(z.string()).default([]),
  rounds: z.number().default(0),
});

const keyOf = (job: string): Key => ({ pk: `JOB#${job}`, sk: 'STATE' });

/** Reads how far a job has come; undefined where it never ran. */
export const findProgress = (store: Store, job: string): Promise<JobProgress | undefined> =>
  store.get(keyOf(job), stateSchema, { consistent: true });

/**
 * Takes a job for one run, for the time of a lease that every save renews.
 *
 * @param holder names the run.
 * @returns how far it has come; undefined where another run has it.
 */
export const takeJob = async (
  store: Store,
  job: string,
  holder: string,
  now: Date,
): Promise<JobProgress | undefined> => {
  try {
    // The lease is no part of the progress, which the report of a round is a copy of.
    const {
      holder: _holder,
      lease_until: _until,
      ...progress
    } = await store.update(
      keyOf(job),
      {
        update: 'SET entity = :entity, holder = :holder, lease_until = :until',
        condition: 'attribute_not_exists(lease_until) OR lease_until < :now',
        values: {
          ':entity': 'job',
          ':holder': holder,
          ':until': now.getTime() + LEASE_MS,
          ':now': now.getTime(),
        },
      },
      stateSchema,
    );
    return progress;
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/**
 * Keeps how far a job has come and renews the lease. A round that is over leaves its report beside it.
 *
 * @returns false where the lease ran out and another run has taken the job: nothing was written.
 */
export const saveProgress = async (
  store: Store,
  job: string,
  holder: string,
  progress: JobProgress,
  now: Date,
): Promise<boolean> => {
  const state = {
    key: keyOf(job),
    set: { ...NOTHING, entity: 'job', ...progress, holder, lease_until: now.getTime() + LEASE_MS },
    if: { condition: 'holder = :me', values: { ':me': holder } },
  };
  const { cursor: _, ...report } = progress;
  const kept = {
    put: {
      pk: keyOf(job).pk,
      sk: `REPORT#${progress.round}#${progress.started_at}`,
      entity: 'job_report',
      ...report,
      expires_at_s: Math.floor(now.getTime() / 1000) + KEEP_REPORTS_S,
    },
  };
  try {
    await store.transact(progress.finished_at === undefined ? [state] : [state, kept]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return false;
    throw error;
  }
};

/** Gives the job back; the lease of another run stays. */
export const releaseJob = async (store: Store, job: string, holder: string): Promise<void> => {
  try {
    await store.update(
      keyOf(job),
      {
        update: 'REMOVE holder, lease_until',
        condition: 'holder = :me',
        values: { ':me': holder },
      },
      stateSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
