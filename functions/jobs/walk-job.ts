import * as z from 'zod';
import { describeError } from '../../shared/api/redact.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { attendAll } from './attend-all.ts';
import type { Job } from './job.ts';
import { type Batch, roundJob } from './round-job.ts';

const PAGE = 100;
/** A run that nothing succeeds in goes no further; what fails alone is tried again so often. */
const MAX_FAILED = 200;
const MAX_TRIES = 5;

interface WalkJob extends Omit<Job, 'run'> {
  /** The round that is due after the last one; as `dailyRounds` makes them. */
  readonly round: (previous: string | undefined, now: Date) => string | undefined;
  /** Reads the next ids, at most `limit`, such as `activeTradingPage`. */
  readonly page: (
    runtime: Runtime,
    cursor: string | undefined,
    limit: number,
  ) => Promise<{ readonly items: readonly number[]; readonly next: string | undefined }>;
  /**
   * Does for one what the round asks for. It may come again for the same round, also at the same time: the
   * item's own transaction decides, for instance by keeping the last round that it has seen.
   */
  readonly attend: (runtime: Runtime, id: number, round: string) => Promise<unknown>;
}

const cursorSchema = z.object({
  /** Where the pages go on; absent at the beginning. */
  at: z.string().optional(),
  ended: z.boolean().default(false),
  /** Those that failed, with how often. */
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

/**
 * A job that does something for each of many things, once a round: page by page, in any number of runs. One
 * that fails keeps no other from its turn: it is tried again when all had theirs, once a run and five times
 * at most, and then counted as `given_up` and logged by its id. Where hundreds fail, the walk stays where it
 * is and the next run tries those again.
 */
export const walkJob = ({ page, attend, ...job }: WalkJob): Job => {
  const attendPage = async (
    runtime: Runtime,
    from: Cursor,
    { round, hasTime }: { round: string; hasTime: () => boolean },
  ): Promise<Attempt> => {
    const { items, next } = await page(runtime, from.at, PAGE);
    const { done, failures } = await attendAll(items, (id) => attend(runtime, id, round), hasTime);
    const errors = failures.map(({ error }) => error);
    const failed = [...from.failed, ...failures.map(({ item }): [number, number] => [item, 1])];
    // Out of time within the page, or too much at fault: the page comes again.
    const stays = done < items.length || failed.length > MAX_FAILED;
    const cursor = stays ? from : { at: next, ended: next === undefined, failed };
    return { cursor, done: stays ? 0 : done - failures.length, errors, pause: stays, givenUp: 0 };
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
        runtime.log.error('a job gave up', { job: job.name, round, id: item, ...describeError(error) });
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
