import { expect, test } from '@jest/globals';
import { followEvents } from '../../../infra/client/package/src/events.ts';

test('a feed is followed page by page, and each event has the cursor to go on from', async () => {
  const asked: unknown[] = [];
  const pages = [
    { items: [{ id: 'a' }, { id: 'b' }], next: 'c1' },
    { items: [{ id: 'c' }], next: 'c2' },
  ];
  const feed = followEvents(
    async (choice) => {
      asked.push(choice);
      return pages[asked.length - 1] ?? { items: [], next: 'c2' };
    },
    'c0',
    undefined,
  );
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
    controller.signal,
  );
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(feed.next()).rejects.toThrow('enough');
  expect(asked).toBe(1);
});

test('a feed that begins at its end learns its position without waiting', async () => {
  const asked: unknown[] = [];
  const feed = followEvents(
    async (choice) => {
      asked.push(choice);
      return asked.length === 1 ? { items: [], next: 'c5' } : { items: [{ id: 'f' }], next: 'c6' };
    },
    'latest',
    undefined,
  );
  expect(await feed.next()).toMatchObject({ value: { id: 'f', cursor: 'c6' } });
  expect(asked).toEqual([
    { after: 'latest', wait: 0 },
    { after: 'c5', wait: 10 },
  ]);
});
