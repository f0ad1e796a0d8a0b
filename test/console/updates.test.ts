import { afterEach, describe, expect, test } from '@jest/globals';
import { answerTo, delayAfterFailures, delayAfterLooks } from '../../functions/console/app/updates/follow.ts';
import {
  type LiveState,
  type TabMessage,
  type TabPorts,
  UpdateTab,
} from '../../functions/console/app/updates/tab.ts';
import { apiError } from '../../infra/client/package/src/errors.ts';
import { type GetEventsOutput, HubConnectionError } from '../../infra/client/package/src/index.ts';

type Event = GetEventsOutput['items'][number];

const eventOf = (id: string): Event => ({
  id,
  type: 'connection.lost',
  at: '2026-03-02T10:00:00.000Z',
  deployment_id: 7,
  sequence: 1,
  data: { broker_id: null },
});

const refusal = (status: number) =>
  apiError(
    { operation: 'get_events', status, requestId: undefined, retryAfterS: undefined, rateLimits: [] },
    {},
  );

/** Returns a service with a log, a browser with a lock and a channel, and a clock that each pause and each wait moves. */
const world = () => {
  const log: Event[] = [];
  const reads: { after: string; wait: number; at: number }[] = [];
  const failures: Error[] = [];
  const tabs: UpdateTab[] = [];
  let now = 0;
  let hasSlot = true;
  let hasLocks = true;
  let held: Promise<void> = Promise.resolve();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const open = () => {
    const published: string[] = [];
    const states: LiveState[] = [];
    let resyncs = 0;
    let readBefore: string | undefined;
    const ports: TabPorts = {
      now: () => now,
      random: () => 0,
      read: async ({ after, wait }, signal) => {
        reads.push({ after, wait, at: now });
        await turn();
        if (signal.aborted) throw signal.reason;
        const failure = failures.shift();
        if (failure) throw failure;
        const from = after === 'latest' ? log.length : Number(after);
        if (log.length === from && wait > 0 && hasSlot) now += wait * 1000;
        return { items: log.slice(from), next: String(log.length) };
      },
      pause: async (ms, signal) => {
        now += ms;
        await turn();
        if (signal.aborted) throw signal.reason;
      },
      alone: async (work, signal) => {
        if (!hasLocks) return work();
        const before = held;
        held = before.then(() => (signal.aborted ? undefined : work()));
        await held;
      },
      post: (message: TabMessage) => {
        for (const other of tabs) if (other !== tab) other.receive(message);
      },
      publish: ({ id }) => published.push(id),
      resync: () => {
        resyncs += 1;
        readBefore = reads.at(-1)?.after;
      },
      show: (state) => states.push(state),
    };
    const tab = new UpdateTab(ports);
    tabs.push(tab);
    started.push(tab);
    return { tab, published, states, resyncs: () => resyncs, readBefore: () => readBefore };
  };
  const pass = async (turns = 20) => {
    for (let count = 0; count < turns; count++) await turn();
  };
  return {
    log,
    reads,
    failures,
    open,
    pass,
    now: () => now,
    wait: (ms: number) => {
      now += ms;
    },
    refuseSlots: () => {
      hasSlot = false;
    },
    unlock: () => {
      hasLocks = false;
    },
  };
};

const started: UpdateTab[] = [];
afterEach(() => {
  for (const tab of started.splice(0)) tab.end();
});

describe('Following events', () => {
  test('begins at the end of the log and passes on what comes later, once', async () => {
    const { open, log, pass } = world();
    log.push(eventOf('before'));
    const { tab, published, states } = open();
    tab.start();
    await pass();
    log.push(eventOf('a'), eventOf('b'));
    await pass();
    expect(published).toEqual(['a', 'b']);
    expect(states.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['connecting', 'on']));
  });

  test('sends one request at a time over several tabs, and all tabs get each event', async () => {
    const { open, log, reads, pass } = world();
    const [first, second] = [open(), open()];
    first.tab.start();
    second.tab.start();
    await pass();
    const before = reads.length;
    log.push(eventOf('a'));
    await pass(4);
    expect(reads.length - before).toBeLessThanOrEqual(4);
    expect([first.published, second.published]).toEqual([['a'], ['a']]);
  });

  test('goes on in another tab at the same place', async () => {
    const { open, log, pass } = world();
    const [first, second] = [open(), open()];
    first.tab.start();
    second.tab.start();
    await pass();
    log.push(eventOf('a'));
    await pass();
    first.tab.rest();
    log.push(eventOf('b'));
    await pass();
    expect(second.published).toEqual(['a', 'b']);
    expect(first.published).toEqual(['a']);
  });

  test('slows down while the service has no place for waiting requests', async () => {
    const { open, pass, reads, refuseSlots, now } = world();
    refuseSlots();
    const { tab } = open();
    tab.start();
    await pass(200);
    const gaps = reads.slice(2).map(({ at }, index) => at - (reads[index + 1]?.at ?? 0));
    expect(gaps.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(reads.length).toBeLessThan(10 + now() / 15_000);
  });

  test('tries again after failures, ever later, and loses nothing', async () => {
    const { open, log, pass, failures, reads } = world();
    const { tab, published, states } = open();
    tab.start();
    await pass();
    const from = reads.length;
    failures.push(...Array.from({ length: 4 }, () => new HubConnectionError('get_events: no connection')));
    log.push(eventOf('a'));
    await pass(40);
    expect(published).toEqual(['a']);
    expect(states.map(({ kind }) => kind)).toContain('retrying');
    const tries = reads.slice(from).map(({ at }) => at);
    const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(gaps).toEqual(expect.arrayContaining([1000, 2000, 4000]));
  });

  test('reads everything again when the place is lost, once the next one is known', async () => {
    const { open, pass, failures } = world();
    const { tab, resyncs, readBefore } = open();
    tab.start();
    await pass();
    const before = resyncs();
    failures.push(refusal(410));
    await pass();
    expect([resyncs() - before, readBefore()]).toEqual([1, 'latest']);
  });

  test('reads everything again once the first place is known, since changes before it are in no event', async () => {
    const { open, pass } = world();
    const { tab, resyncs, readBefore } = open();
    tab.start();
    expect(resyncs()).toBe(0);
    await pass();
    expect([resyncs(), readBefore()]).toEqual([1, 'latest']);
  });

  test('reads everything again after a long time away, once the place is known, and only then', async () => {
    const { open, pass, wait } = world();
    const { tab, resyncs, readBefore } = open();
    tab.start();
    await pass();
    tab.rest();
    wait(60_000);
    tab.start();
    await pass();
    expect(resyncs()).toBe(1);
    tab.rest();
    wait(3_600_000);
    tab.start();
    expect(resyncs()).toBe(1);
    await pass();
    expect([resyncs(), readBefore()]).toEqual([2, 'latest']);
  });

  test('reads everything again in a tab that was hidden while another one heard events, once', async () => {
    const { open, log, pass } = world();
    const [first, second] = [open(), open()];
    first.tab.start();
    second.tab.start();
    await pass();
    const before = second.resyncs();
    second.tab.rest();
    log.push(eventOf('a'));
    await pass();
    second.tab.start();
    log.push(eventOf('b'));
    await pass();
    log.push(eventOf('c'));
    await pass();
    expect([second.resyncs() - before, first.resyncs()]).toEqual([1, 1]);
    expect(second.published).toEqual(['b', 'c']);
  });

  test('loses no change in a tab that opens while another one follows', async () => {
    const { open, log, pass } = world();
    const [first, second] = [open(), open()];
    first.tab.start();
    await pass();
    log.push(eventOf('a'));
    await pass();
    second.tab.start();
    expect(second.resyncs()).toBe(0);
    await pass();
    expect([second.resyncs(), first.resyncs()]).toEqual([1, 1]);
  });

  test('hears each event once where several tabs follow on their own', async () => {
    const { open, log, pass, unlock } = world();
    unlock();
    const [first, second] = [open(), open()];
    first.tab.start();
    second.tab.start();
    await pass();
    log.push(eventOf('a'));
    await pass();
    expect([first.published, second.published]).toEqual([['a'], ['a']]);
    expect([first.resyncs(), second.resyncs()]).toEqual([1, 1]);
  });

  test('ends with the session, and sends nothing more', async () => {
    const { open, pass, failures, reads } = world();
    const { tab, states } = open();
    tab.start();
    await pass();
    failures.push(refusal(401));
    await pass();
    const { length } = reads;
    await pass();
    expect(reads).toHaveLength(length);
    expect(states.at(-1)?.kind).toBe('off');
  });
});

test('Delays grow, are bounded, and respect the service', () => {
  expect([1, 2, 3, 30].map((failures) => delayAfterFailures(failures, () => 1))).toEqual([
    1000, 2000, 4000, 60_000,
  ]);
  expect(delayAfterFailures(1, () => 0)).toBe(500);
  expect(delayAfterFailures(1, () => 0, 120)).toBe(120_000);
  expect(delayAfterLooks(30)).toBe(15_000);
});

test('Errors are retried unless the user is refused', () => {
  expect([401, 403, 404].map((status) => answerTo(refusal(status)))).toEqual(['end', 'end', 'end']);
  expect([410, 422].map((status) => answerTo(refusal(status)))).toEqual(['resync', 'resync']);
  expect([429, 500, 503].map((status) => answerTo(refusal(status)))).toEqual(['retry', 'retry', 'retry']);
  expect(answerTo(new HubConnectionError('x'))).toBe('retry');
});
