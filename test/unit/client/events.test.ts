import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { followEvents } from '../../../infra/client/package/src/events.ts';
import { type FollowOptions, HubClient, HubTimeoutError } from '../../../infra/client/package/src/index.ts';
import { stubFetch } from './stub-fetch.ts';

test('a feed is followed page by page, and each event has the cursor to go on from', async () => {
  const asked: unknown[] = [];
  const pages = [
    { items: [{ id: 'a' }, { id: 'b' }], next: 'c1' },
    { items: [{ id: 'c' }], next: 'c2' },
  ];
  const feed = followEvents(async (choice) => {
    asked.push(choice);
    return pages[asked.length - 1] ?? { items: [], next: 'c2' };
  }, 'c0');
  const read: unknown[] = [];
  for await (const event of feed) {
    read.push(event);
    if (read.length === 3) break;
  }
  expect(read).toEqual([
    { id: 'a', cursor: 'c0' },
    { id: 'b', cursor: 'c1' },
    { id: 'c', cursor: 'c2' },
  ]);
  expect(asked).toEqual([
    { after: 'c0', wait: 10 },
    { after: 'c1', wait: 10 },
  ]);
});

test('a feed that answers at once without events is asked again a second later, until the signal', async () => {
  const controller = new AbortController();
  let asked = 0;
  const feed = followEvents(
    async () => {
      asked++;
      return { items: [], next: null };
    },
    undefined,
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(feed.next()).rejects.toThrow('enough');
  expect(asked).toBe(1);
});

test('a feed that begins at its end learns its position without waiting', async () => {
  const asked: unknown[] = [];
  const feed = followEvents(async (choice) => {
    asked.push(choice);
    return asked.length === 1 ? { items: [], next: 'c5' } : { items: [{ id: 'f' }], next: 'c6' };
  }, 'latest');
  expect(await feed.next()).toMatchObject({ value: { id: 'f', cursor: 'c6' } });
  expect(asked).toEqual([
    { after: 'latest', wait: 0 },
    { after: 'c5', wait: 10 },
  ]);
});

describe('an outage', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const page = (id: string, next: string) => ({
    json: { items: [{ id, type: 'order.filled', data: {} }], next },
  });
  const refusal = (status: number, code?: string, retryAfter?: string) => ({
    status,
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
    json: code === undefined ? { message: 'No.' } : { detail: 'No.', code },
  });
  const follow = (stub: ReturnType<typeof stubFetch>, options: FollowOptions = {}) => {
    const hub = new HubClient({
      baseUrl: 'https://hub.example',
      fetch: stub.fetch,
      maxRetries: 0,
      token: async () => 't',
    });
    return hub.followEvents({ user_id: 'a-user', after: 'c0' }, options);
  };
  const positions = ({ sent }: ReturnType<typeof stubFetch>) =>
    sent.map(({ url }) => url.searchParams.get('after'));

  test.each([
    ['a network error', new TypeError('fetch failed'), 500],
    ['a 500 of the service', refusal(500, 'internal'), 500],
    ['a 501', refusal(501), 500],
    ['a 503 of the gateway', refusal(503), 500],
    ['a 530 of a proxy', refusal(530), 500],
    ['a 429', refusal(429, 'rate_limited'), 500],
    ['a 429 with Retry-After', refusal(429, 'rate_limited', '90'), 90_000],
    ['a 503 with Retry-After', refusal(503, 'unavailable', '7'), 7000],
    ['a 409 with Retry-After', refusal(409, 'newer_version', '2'), 2000],
    ['a Retry-After of a month', refusal(503, 'unavailable', '2592000'), 3_600_000],
  ])('by %s does not end a feed, which reads on from its cursor', async (_, failure, delayMs) => {
    const stub = stubFetch(page('a', 'c1'), failure, page('b', 'c2'));
    const outages: unknown[] = [];
    const feed = follow(stub, { onOutage: (error, ms) => outages.push([error instanceof Error, ms]) });
    expect(await feed.next()).toMatchObject({ value: { id: 'a', cursor: 'c1' } });
    const next = feed.next();
    await jest.advanceTimersByTimeAsync(delayMs - 1);
    expect(stub.sent).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(await next).toMatchObject({ value: { id: 'b', cursor: 'c2' } });
    expect(positions(stub)).toEqual(['c0', 'c1', 'c1']);
    expect(outages).toEqual([[true, delayMs]]);
  });

  test('by reads that get no answer, as after the computer slept, does not end a feed', async () => {
    let asked = 0;
    const feed = followEvents(async () => {
      if (asked++ < 3) throw new HubTimeoutError('late');
      return { items: [{ id: 'a' }], next: 'c1' };
    }, 'c0');
    const next = feed.next();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await next).toMatchObject({ value: { id: 'a', cursor: 'c1' } });
  });

  test('waits longer after each failure, up to half a minute, and briefly again after a success', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const down = new TypeError('fetch failed');
    const stub = stubFetch(...Array.from({ length: 8 }, () => down), page('a', 'c1'), down, page('b', 'c2'));
    const waits: number[] = [];
    const feed = follow(stub, { onOutage: (_, ms) => waits.push(ms) });
    for (const id of ['a', 'b']) {
      const next = feed.next();
      await jest.advanceTimersByTimeAsync(600_000);
      expect(await next).toMatchObject({ value: { id } });
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 1000]);
  });

  test('ends with the signal, while it waits and while it reads', async () => {
    const stop = new AbortController();
    const feed = follow(stubFetch(new TypeError('fetch failed')), { signal: stop.signal });
    const waiting = expect(feed.next()).rejects.toThrow('enough');
    await jest.advanceTimersByTimeAsync(100);
    stop.abort(new Error('enough'));
    await waiting;
    const again = follow(stubFetch(new TypeError('fetch failed')), { signal: stop.signal });
    await expect(again.next()).rejects.toThrow('enough');
  });

  test('a token that ended is asked for again once, and a second refusal ends the feed', async () => {
    const refused = refusal(401, 'session_invalid');
    const stub = stubFetch(refused, page('a', 'c1'), refused, refused);
    const feed = follow(stub);
    expect(await feed.next()).toMatchObject({ value: { id: 'a' } });
    await expect(feed.next()).rejects.toMatchObject({ status: 401 });
    expect(stub.sent).toHaveLength(4);
  });

  test.each([
    [403, 'session_mismatch'],
    [404, 'user_unknown'],
    [409, 'state_conflict'],
    [410, 'cursor_expired'],
  ])('is no refusal: %i %s ends the feed with its error', async (status, code) => {
    const stub = stubFetch(refusal(status, code));
    await expect(follow(stub).next()).rejects.toMatchObject({ status, code });
    expect(stub.sent).toHaveLength(1);
  });
});
