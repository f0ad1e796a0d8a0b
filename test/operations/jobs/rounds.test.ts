import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as z from 'zod';
import type { JobReport } from '../../../functions/jobs/job.ts';
import { dailyRounds, weeklyRound } from '../../../functions/jobs/rounds.ts';
import { runJob } from '../../../functions/jobs/run-job.ts';
import { walkJob } from '../../../functions/jobs/walk-job.ts';
import {
  activeDeploymentWrite,
  activeKey,
  activeTradingPage,
  endedDeploymentWrite,
} from '../../../shared/data/books/active-deployments.ts';
import { findProgress } from '../../../shared/data/table/job-state.ts';
import { integerId } from '../../../shared/ids.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { soakable } from '../../support/soak.ts';

const DAY = 24 * 3_600_000;

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub([]);
});
afterEach(() => hub.close());

const begin = async (count: number): Promise<number[]> => {
  const { store, clock, random } = hub.runtime;
  const ids = new Set<number>();
  for (let n = 0; ids.size < count; n++) ids.add(integerId(new Date(clock().getTime() + n), random));
  for (const id of ids) await store.transact([activeDeploymentWrite({ deployment_id: id })]);
  return [...ids];
};

/** Returns a job that records the deployments it processes. */
const noting = (attend: (id: number, round: string) => Promise<void> = async () => undefined) => {
  const seen: string[] = [];
  const job = walkJob({
    name: 'note',
    summary: 'Notes everyone',
    expression: 'rate(1 minute)',
    timeZone: 'UTC',
    uses: [],
    round: dailyRounds(17, 'America/New_York'),
    page: ({ store }, cursor) => activeTradingPage(store, cursor, 10),
    attend: async (_, id, round) => {
      await attend(id, round);
      seen.push(`${round} ${id}`);
    },
  });
  const run = (remainingMs: () => number = () => 60_000, by_hand = false): Promise<JobReport> =>
    runJob(hub.runtime, [job], { job: 'note', by_hand }, remainingMs);
  return { seen, run };
};

/** Time for a number of reads of the clock; a batch of a walk takes two. */
const looks = (count: number) => {
  let left = count;
  return () => (left-- > 0 ? 60_000 : 5_000);
};

describe('active live deployments', () => {
  test('are visited once each, with any size of pages, without ended ones', async () => {
    const ids = await begin(60);
    const gone = ids.filter((_, index) => index % 5 === 0);
    for (const id of gone) await hub.runtime.store.transact([endedDeploymentWrite(id)]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), async (limit) => {
        const met: number[] = [];
        let cursor: string | undefined;
        do {
          const { items, next } = await activeTradingPage(hub.runtime.store, cursor, limit);
          expect(items.length).toBeLessThanOrEqual(limit);
          met.push(...items);
          cursor = next;
        } while (cursor !== undefined);
        expect(met.sort()).toEqual(ids.filter((id) => !gone.includes(id)).sort());
      }),
      { numRuns: soakable(2, 24) },
    );
  });

  test('are visited although an entry is damaged', async () => {
    const ids = await begin(20);
    const { store } = hub.runtime;
    for (const id of ids.slice(0, 3)) await store.put({ ...activeKey('LIVE', id), entity: 'active_live' });
    const { seen, run } = noting();
    await run();
    expect(new Set(seen)).toEqual(new Set(ids.map((id) => `2026-03-01 ${id}`)));
  });

  test('that begin and end during a walk do not block the others', async () => {
    const ids = await begin(40);
    const { seen, run } = noting(async () => {
      const [fresh] = await begin(1);
      if (fresh !== undefined) await hub.runtime.store.transact([endedDeploymentWrite(fresh)]);
    });
    await run();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids.map((id) => `2026-03-01 ${id}`)));
  });
});

describe('a walk', () => {
  test('visits each deployment once a round, and makes up for missed days', async () => {
    const ids = await begin(25);
    const { seen, run } = noting();
    expect(await run()).toMatchObject({ done: 25, more: false, round: { name: '2026-03-01' } });
    expect(await run()).toMatchObject({ done: 0, more: false });
    hub.advance(3 * DAY);
    expect(await run()).toMatchObject({ done: 75, more: false });
    const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
    expect(seen.map((one) => one.slice(0, 10))).toEqual(days.flatMap((day) => ids.map(() => day)));
    expect([...seen].sort()).toEqual(days.flatMap((day) => [...ids].sort().map((id) => `${day} ${id}`)));
    expect(await run(undefined, true)).toMatchObject({ done: 25, round: { name: '2026-03-04' } });
  });

  test('continues where its time was up', async () => {
    const ids = await begin(45);
    const { seen, run } = noting();
    const reports: JobReport[] = [];
    do reports.push(await run(looks(3)));
    while (reports.at(-1)?.more);
    expect(reports.length).toBeGreaterThan(3);
    expect(seen.sort()).toEqual(ids.map((id) => `2026-03-01 ${id}`).sort());
    expect(reports.at(-1)?.round).toMatchObject({ done: 45, finished_at: expect.any(String) });
  });

  test('is done by one of two simultaneous runs', async () => {
    await begin(45);
    const { seen, run } = noting();
    const reports = await Promise.all([run(), run(), run()]);
    expect(reports.map(({ done }) => done).sort()).toEqual([0, 0, 45]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is taken over from a run that died, and that one changes nothing if it continues', async () => {
    await begin(30);
    const asleep = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let first = true;
    const { seen, run } = noting(async () => {
      if (!first) return;
      first = false;
      begun.resolve();
      await asleep.promise;
    });
    const dead = run();
    await begun.promise;
    expect(await run()).toMatchObject({ done: 0, more: true });
    hub.advance(80_000);
    expect(await run()).toMatchObject({ done: 30, more: false });
    const after = await findProgress(hub.runtime.store, 'note');
    asleep.resolve();
    expect(await dead).toMatchObject({ more: true });
    expect(await findProgress(hub.runtime.store, 'note')).toEqual(after);
    expect(seen.length).toBe(40);
  });

  test('retries a failing one after all others, and abandons it after the last attempt', async () => {
    const ids = await begin(25);
    const [bad, worse] = [ids[3], ids[7]];
    let well = false;
    const { seen, run } = noting(async (id) => {
      if (id === worse || (id === bad && !well)) throw new RangeError('not today');
    });
    await expect(run()).rejects.toThrow(/failed/);
    expect(seen.length).toBe(23);
    well = true;
    await expect(run()).rejects.toThrow(/failed/);
    expect(seen.length).toBe(24);
    for (let tries = 0; tries < 2; tries++) await expect(run()).rejects.toThrow(/failed/);
    const last = await run().catch(() => run());
    expect(last.round).toMatchObject({ done: 24, counts: { given_up: 1 }, finished_at: expect.any(String) });
    expect(hub.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'a job gave up',
        extra: expect.objectContaining({ id: worse }),
      }),
    );
    expect(JSON.stringify(hub.log)).not.toContain('not today');
    hub.advance(DAY);
    await run().catch(() => undefined);
    expect(seen.length).toBe(48);
  });

  test('goes on although hundreds fail for a damaged record that they share', async () => {
    const ids = await begin(450);
    const bad = new Set(ids.slice(0, 250));
    const { seen, run } = noting(async (id) => {
      if (bad.has(id)) z.object({ bars: z.array(z.number()) }).parse({});
    });
    let runs = 0;
    for (let more = true; more && runs < 20; runs++) {
      more = await run().then(
        (report) => report.more,
        () => true,
      );
    }
    expect(seen).toHaveLength(200);
    const { round } = await run();
    expect(round).toMatchObject({ done: 200, counts: { given_up: 250 }, finished_at: expect.any(String) });
    const givenUp = hub.log.flatMap(({ message, extra }) => (message === 'a job gave up' ? [extra.id] : []));
    expect(new Set(givenUp)).toEqual(bad);
  });

  test('does not advance while everything fails', async () => {
    await begin(230);
    let down = true;
    const { seen, run } = noting(async () => {
      if (down) throw new Error('down');
    });
    await expect(run()).rejects.toThrow();
    down = false;
    while ((await run()).more);
    expect(new Set(seen).size).toBe(230);
  });
});

describe('rounds', () => {
  const newYork = dailyRounds(17, 'America/New_York');
  test.each([
    // Daylight saving begins on the 8th and ends on the 1st of November.
    ['2026-03-06T21:59:59Z', '2026-03-05'],
    ['2026-03-06T22:00:00Z', '2026-03-06'],
    ['2026-03-09T20:59:59Z', '2026-03-08'],
    ['2026-03-09T21:00:00Z', '2026-03-09'],
    ['2026-11-01T21:59:59Z', '2026-10-31'],
    ['2026-11-01T22:00:00Z', '2026-11-01'],
    ['2026-12-31T23:00:00Z', '2026-12-31'],
  ])('at %s the day %s is the last one that has ended in New York', (now, day) => {
    expect(newYork(undefined, new Date(now))).toBe(day);
    expect(newYork(day, new Date(now))).toBeUndefined();
  });

  test('follow one another', () => {
    const now = new Date('2026-03-10T21:00:00Z');
    expect(newYork('2026-03-07', now)).toBe('2026-03-08');
    expect(newYork('2026-02-28', now)).toBe('2026-03-01');
    expect(dailyRounds(0, 'UTC')('2025-12-31', now)).toBe('2026-01-01');
  });

  test('of a week begin on Sundays', () => {
    expect(weeklyRound(undefined, new Date('2026-03-06T10:00:00Z'))).toBe('2026-03-01');
    expect(weeklyRound('2026-03-01', new Date('2026-03-07T23:59:59Z'))).toBeUndefined();
    expect(weeklyRound('2026-02-15', new Date('2026-03-08T00:00:00Z'))).toBe('2026-03-08');
  });
});
