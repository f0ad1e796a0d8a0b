import { describe, expect, test } from '@jest/globals';
import { DELIVERY_JOBS } from '../../../functions/jobs/delivery/jobs.ts';
import { dueJob } from '../../../functions/jobs/due-job.ts';
import { putInOutbox } from '../../../shared/data/outbox/outbox.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';

const hub = await openHub();

interface Settings {
  readonly page: number;
  readonly atOnce?: number;
  readonly staysDue?: boolean;
  readonly putOff?: (runtime: unknown, due: number) => Promise<unknown>;
  readonly recordsOf?: (due: number) => number;
}

/** Makes a job over a backlog of numbers, of which some cannot be handled. */
const overBacklog = (size: number, settings: Settings, isFailing: (due: number) => boolean = () => false) => {
  const waiting = new Set(Array.from({ length: size }, (_, n) => n));
  const reads: number[] = [];
  const job = dueJob<number>({
    name: 'test',
    summary: 'A test',
    expression: 'rate(1 minute)',
    timeZone: 'UTC',
    uses: [],
    called: 'numbers',
    nameOf: (due) => due,
    find: async (_, limit) => {
      reads.push(limit);
      return [...waiting.values().take(limit)];
    },
    attend: async (_, due) => {
      if (isFailing(due)) throw new Error('it cannot be handled');
      waiting.delete(due);
    },
    ...settings,
  });
  /** @param batches number of batches for which a run has time. */
  const run = (batches = Number.POSITIVE_INFINITY) => {
    let left = batches;
    return job.run(hub.runtime, { byHand: false, hasTime: () => left-- > 0 });
  };
  return { waiting, reads, run };
};

describe('a run over due items', () => {
  test('goes on with further pages until nothing is left', async () => {
    const { reads, run } = overBacklog(1050, { page: 100 });
    expect(await run()).toEqual({ done: 1050, more: false });
    expect(reads).toHaveLength(11);
  });

  test('ends without time for another batch, and the next run goes on', async () => {
    const { waiting, run } = overBacklog(1000, { page: 100, atOnce: 10 });
    expect(await run(25)).toMatchObject({ more: true });
    const left = waiting.size;
    expect(left).toBeGreaterThan(500);
    expect(await run()).toEqual({ done: left, more: false });
  });

  test('goes on behind a page of which nothing could be handled', async () => {
    const { reads, run, waiting } = overBacklog(1000, { page: 100 }, (due) => due < 250);
    await expect(run()).rejects.toThrow('250 numbers failed');
    expect(waiting.size).toBe(250);
    expect(reads.length).toBeLessThanOrEqual(12);
  });

  test('ends after ten pages that failed, and tries each item once', async () => {
    const { reads, run } = overBacklog(5000, { page: 100 }, () => true);
    await expect(run()).rejects.toThrow('1000 numbers failed');
    expect(reads).toHaveLength(10);
  });

  test('puts off items that failed', async () => {
    const put: number[] = [];
    const putOff = async (_: unknown, due: number) => put.push(due);
    const { run } = overBacklog(30, { page: 10, putOff }, (due) => due < 3);
    await expect(run()).rejects.toThrow('3 numbers failed');
    expect(put).toEqual([0, 1, 2]);
  });

  test('drains the others though some of each page fail', async () => {
    const { waiting, run } = overBacklog(1000, { page: 100 }, (due) => due < 5);
    await expect(run()).rejects.toThrow(/numbers failed/);
    expect([...waiting]).toEqual([0, 1, 2, 3, 4]);
  });

  test('handles each item once if handled items may still be due', async () => {
    const handled: number[] = [];
    const { run } = overBacklog(250, { page: 100, staysDue: true }, (due) => {
      handled.push(due);
      return true;
    });
    await expect(run()).rejects.toThrow('250 numbers failed');
    expect(handled).toHaveLength(250);
  });

  test('takes a page as full by the records of its items', async () => {
    const { run, waiting } = overBacklog(60, { page: 20, recordsOf: () => 5 });
    expect(await run()).toEqual({ done: 60, more: false });
    expect(waiting.size).toBe(0);
  });
});

test('an outage of an hour with 250,000 messages drains in at most 15 runs of 450 attempts one after another', async () => {
  // Each attempt takes a tenth of a second, and a run has 45 seconds for them.
  const { waiting, run } = overBacklog(250_000, { page: 500, atOnce: 50 });
  let runs = 0;
  for (; waiting.size > 0; runs++) await run(450);
  expect(runs).toBeLessThanOrEqual(15);
});

test('the sweep of the outbox delivers all that is due in one run', async () => {
  const { runtime } = hub;
  const sweep = DELIVERY_JOBS.find(({ name }) => name === 'sweep-deliveries');
  if (!sweep) throw new Error('the job is gone');
  const message = {
    kind: 'code_mail',
    to: 'a@b.example',
    purpose: 'password_reset',
    nonce: 'n',
    valid_until: 0,
  } as const;
  for (let n = 0; n < 520; n++) await putInOutbox(runtime.store, `message-${n}`, message, runtime.clock());
  hub.advance(61_000);
  // The codes are over, so no mail is sent.
  expect(await sweep.run(runtime, { byHand: false, hasTime: () => true })).toEqual({
    done: 520,
    more: false,
  });
  expect(await outbox(hub)).toEqual([]);
});
