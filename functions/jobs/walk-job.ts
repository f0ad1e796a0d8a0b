import * as z from 'zod';
import { describeError } from '../../shared/api/redact.ts';
import { attendAll } from '../../shared/attend-all.ts';
import { DamagedItemError } from '../../shared/data/table/damaged-items.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Job } from './job.ts';
import { type Batch, roundJob } from './round-job.ts';

const PAGE = 100;
/** A run without any success stops. An item that fails alone is retried this often. */
const MAX_FAILED = 200;
const MAX_TRIES = 5;

interface WalkJob extends Omit<Job, 'run'> {
  /** Returns the round that is due after the last one, as made by `dailyRounds`. */
  readonly round: (previous: string | undefined, now: Date) => string | undefined;
  /** Reads the next ids, at most `limit`, such as `activeTradingPage`. */
  readonly page: (
    runtime: Runtime,
    cursor: string | undefined,
    limit: number,
  ) => Promise<{ readonly items: readonly number[]; readonly next: string | undefined }>;
  /**
   * Handles one item in a round. May repeat for the same round, also in parallel: the item's own transaction
   * decides, for instance by storing its last round.
   */
  readonly attend: (runtime: Runtime, id: number, round: string) => Promise<unknown>;
}

const cursorSchema = z.object({
  /** Cursor of the next page; absent at the beginning. */
  at: z.string().optional(),
  ended: z.boolean().default(false),
  /** Failed items with their number of failures. */
  failed: z.array(z.tuple([z.number(), z.number()])).default([]),
});

type Cursor = z.output<typeof cursorSchema>;

interface Attempt {
  readonly cursor: Cursor;
  readonly done: number;
  readonly errors: readonly unknown[];
  readonly pause: boolean;
  readonly givenUp: number;
}

/** Returns whether an item failed for a record that cannot be read: a retry in minutes does not mend it. */
const isDamage = (error: unknown): boolean =>
  error instanceof z.ZodError || error instanceof DamagedItemError;

/**
 * Makes a job that handles each of many items once a round: page by page, in any number of runs. A failing
 * item does not block the others. It is retried after all others, once a run and five times at most, then
 * counted as `given_up` and logged by its id. If hundreds fail, the walk stops and the next run retries them; those that fail
 * for a damaged record are given up at once then.
 *
 * @example
 * export const closeEquityDaysJob = walkJob({
 *   name: 'close-equity-days',
 *   summary: 'Closes the trading day of every live deployment',
 *   expression: 'rate(5 minutes)',
 *   timeZone: 'UTC',
 *   uses: [],
 *   round: dailyRounds(0, 'America/New_York'),
 *   page: ({ store }, cursor, limit) => activeTradingPage(store, cursor, limit),
 *   attend: (runtime, id, round) => closeEquityDays(runtime, id, addDays(round, -1)),
 * });
 */
export const walkJob = ({ page, attend, ...job }: WalkJob): Job => {
  const giveUp = ({ log }: Runtime, round: string, id: number, error: unknown): void =>
    log.error('a job gave up', { job: job.name, round, id, ...describeError(error) });

  const attendPage = async (
    runtime: Runtime,
    from: Cursor,
    { round, hasTime }: { round: string; hasTime: () => boolean },
  ): Promise<Attempt> => {
    const { items, next } = await page(runtime, from.at, PAGE);
    const { done, failures } = await attendAll(items, (id) => attend(runtime, id, round), hasTime);
    const errors = failures.map(({ error }) => error);
    // A record that many items share, such as a series, does not stop the walk over the others.
    const isFull = from.failed.length + failures.length > MAX_FAILED;
    const givenUp = isFull ? failures.filter(({ error }) => isDamage(error)) : [];
    const again = failures.filter((failure) => !givenUp.includes(failure));
    const failed = [...from.failed, ...again.map(({ item }): [number, number] => [item, 1])];
    // Out of time within the page, or too many failures: the page repeats.
    const stays = done < items.length || failed.length > MAX_FAILED;
    if (stays) return { cursor: from, done: 0, errors, pause: true, givenUp: 0 };
    for (const { item, error } of givenUp) giveUp(runtime, round, item, error);
    return {
      cursor: { at: next, ended: next === undefined, failed },
      done: done - failures.length,
      errors,
      pause: false,
      givenUp: givenUp.length,
    };
  };

  const retry = async (runtime: Runtime, from: Cursor, round: string): Promise<Attempt> => {
    const tries = new Map(from.failed);
    const { failures } = await attendAll(
      [...tries.keys()],
      (id) => attend(runtime, id, round),
      () => true,
    );
    const again: [number, number][] = [];
    let givenUp = 0;
    for (const { item, error } of failures) {
      const count = (tries.get(item) ?? 0) + 1;
      if (count < MAX_TRIES) again.push([item, count]);
      else {
        givenUp++;
        giveUp(runtime, round, item, error);
      }
    }
    return {
      cursor: { ...from, failed: again },
      done: tries.size - failures.length,
      errors: failures.map(({ error }) => error),
      pause: again.length > 0,
      givenUp,
    };
  };

  return roundJob({
    ...job,
    batch: async (runtime, { round, cursor, hasTime }): Promise<Batch> => {
      const from = cursorSchema.parse(cursor === undefined ? {} : JSON.parse(cursor));
      const {
        cursor: to,
        givenUp,
        ...did
      } = from.ended
        ? await retry(runtime, from, round)
        : await attendPage(runtime, from, { round, hasTime });
      const over = to.ended && to.failed.length === 0;
      return {
        ...did,
        cursor: over ? undefined : JSON.stringify(to),
        ...(givenUp > 0 && { counts: { given_up: givenUp } }),
      };
    },
  });
};
