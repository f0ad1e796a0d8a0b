import * as z from 'zod';
import { ConditionFailedError, type Store, TransactionRefusedError } from './store.ts';
import type { Key } from './writes.ts';

/** Lease without a heartbeat, in milliseconds; longer than the function's time limit. */
const LEASE_MS = 75_000;
const KEEP_REPORTS_S = 400 * 24 * 3600;

const progressSchema = z.object({
  /** Name of the current round, or of the last one if none is in progress. */
  round: z.string().optional(),
  started_at: z.string().optional(),
  /** Absent while the round is in progress. */
  finished_at: z.string().optional(),
  /** Position of the next batch; absent at the start of a round. */
  cursor: z.string().optional(),
  done: z.number(),
  /** Counts of the current round, by name. */
  counts: z.record(z.string(), z.number()),
  /** Single findings for an operator. They may contain keys of the table. */
  findings: z.array(z.string()),
});

/** Clears the optional attributes that the new state does not set. */
const NOTHING = { round: undefined, started_at: undefined, finished_at: undefined, cursor: undefined };

export type JobProgress = z.output<typeof progressSchema>;

const stateSchema = progressSchema.extend({
  holder: z.string().optional(),
  lease_until: z.number().optional(),
  done: z.number().default(0),
  counts: z.record(z.string(), z.number()).default({}),
  findings: z.array(z.string()).default([]),
});

const keyOf = (job: string): Key => ({ pk: `JOB#${job}`, sk: 'STATE' });

/** Reads the progress of a job; undefined if it never ran. */
export const findProgress = (store: Store, job: string): Promise<JobProgress | undefined> =>
  store.get(keyOf(job), stateSchema, { consistent: true });

/**
 * Takes the lease of a job for one run. Every save renews it.
 *
 * @param holder identifier of the run.
 * @returns the progress so far; undefined if another run holds the lease.
 */
export const takeJob = async (
  store: Store,
  job: string,
  holder: string,
  now: Date,
): Promise<JobProgress | undefined> => {
  try {
    // A round's report is a copy of the progress, so the progress must not include the lease.
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
 * Saves the progress of a job and renews the lease. Also stores a report if the round is finished.
 *
 * @returns false, and nothing is written, if the lease expired and another run took it.
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

/** Releases the lease of a job; no-op if another run holds it. */
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
