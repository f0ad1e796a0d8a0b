import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentBuild } from '../../../infra/bundle/current-build.ts';
import { type Hub, startHub } from '../../../infra/local/hub.ts';
import { type Engine, startEngine } from '../../support/engine.ts';
import { STALLS, type Stall, type Stalling, startStalling } from '../../support/stalling.ts';

const NAMES = Object.keys(STALLS) as Stall[];

/** A hub on a database that stalls in its own way, so that all can stall at the same time. */
interface StalledHub {
  readonly hub: Hub;
  readonly database: Stalling;
}

let engine: Engine;
let hubs: Map<Stall, StalledHub>;

const start = async (): Promise<StalledHub> => {
  const database = await startStalling(engine.endpoint);
  const build = await currentBuild();
  const hub = await startHub({
    environment: { HUB_DYNAMODB_ENDPOINT: database.url },
    build: async () => ({
      ...build,
      functions: build.functions.filter(({ name }) => name === 'strategies'),
    }),
    demoData: false,
    schedules: false,
    print: () => undefined,
  });
  return { hub, database };
};

const categories = async ({ hub }: StalledHub) => {
  const begun = performance.now();
  const response = await fetch(`${hub.url}/get_strategy_categories`);
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body, ms: performance.now() - begun };
};

/** Sends a request before, during and after a stall. */
const stallFor = async (stall: Stall, stalled: StalledHub) => {
  const { database } = stalled;
  const before = await categories(stalled);
  const stalledBefore = database.stalled();
  database.stall = stall;
  const during = await categories(stalled);
  const calls = database.stalled() - stalledBefore;
  database.stall = undefined;
  return { before, during, calls, after: await categories(stalled) };
};

let seen: Map<Stall, Awaited<ReturnType<typeof stallFor>>>;

beforeAll(async () => {
  engine = await startEngine();
  hubs = new Map();
  // One after the other: the first one creates the table.
  for (const stall of NAMES) hubs.set(stall, await start());
  seen = new Map(
    await Promise.all(
      [...hubs].map(async ([stall, stalled]) => [stall, await stallFor(stall, stalled)] as const),
    ),
  );
});

afterAll(async () => {
  for (const { hub, database } of hubs.values()) {
    await hub.close();
    await database.close();
  }
  await engine.stop();
});

describe.each(NAMES)('a database that %s', (stall) => {
  it('delays a request by a few seconds, and the answer says that it may be repeated', () => {
    const { before, during, calls, after } = seen.get(stall) ?? {};
    expect(before).toMatchObject({ status: 200 });
    expect({ status: during?.status, body: during?.body }).toEqual({
      status: 503,
      body: {
        detail: expect.stringMatching(/in time/),
        code: 'unavailable',
        request_id: during?.headers.get('apigw-requestid'),
      },
    });
    expect(during?.headers.get('retry-after')).toBe('5');
    expect(during?.ms).toBeGreaterThan(3_000);
    // The function gave up by itself: a gateway or a function out of time answers otherwise. `time-limits.test.ts`
    // measures the limits, without the time that a busy machine takes.
    expect(calls).toBe(2);
    expect(after).toMatchObject({ status: 200 });
  });
});
