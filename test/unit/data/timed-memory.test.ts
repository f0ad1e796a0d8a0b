import { expect, jest, test } from '@jest/globals';
import { TimedMemory } from '../../../shared/data/table/timed-memory.ts';

const at = (ms: number) => new Date(ms);

test('callers that come during a read share it', async () => {
  const memory = new TimedMemory<number>(1);
  const read = jest.fn(async () => 7);
  const all = await Promise.all([1, 2, 3].map(() => memory.find('a', at(0), read, () => 5)));
  expect(all).toEqual([7, 7, 7]);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a failed read is not kept, and fails all that share it', async () => {
  const memory = new TimedMemory<number>(1);
  const fail = async (): Promise<number> => {
    throw new Error('unreachable');
  };
  const all = await Promise.allSettled([1, 2].map(() => memory.find('a', at(0), fail, () => 5)));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(
    await memory.find(
      'a',
      at(0),
      async () => 8,
      () => 5,
    ),
  ).toBe(8);
});

test('a value is kept from the beginning of its read, for the time that it says', async () => {
  const memory = new TimedMemory<number>(2);
  const find = (now: number, value: number) =>
    memory.find(
      'a',
      at(now),
      async () => value,
      (kept) => kept,
    );
  expect([await find(0, 5), await find(4, 9), await find(5, 9), await find(13, 1)]).toEqual([5, 5, 9, 9]);
});

test('the oldest value makes room', async () => {
  const memory = new TimedMemory<string>(2);
  const find = (key: string, value: string) =>
    memory.find(
      key,
      at(0),
      async () => value,
      () => 9,
    );
  for (const key of ['a', 'b', 'c']) await find(key, `first ${key}`);
  expect([await find('c', 'again'), await find('b', 'again'), await find('a', 'again')]).toEqual([
    'first c',
    'first b',
    'again',
  ]);
});

test('a read that does not end is shared for seconds only, and its late value is not kept', async () => {
  const memory = new TimedMemory<number>(1);
  const { promise, resolve } = Promise.withResolvers<number>();
  const read = jest.fn(() => promise);
  void memory.find('a', at(0), read, () => 9);
  void memory.find('a', at(4_999), read, () => 9);
  expect(read).toHaveBeenCalledTimes(1);
  const find = (now: number) =>
    memory.find(
      'a',
      at(now),
      async () => 2,
      () => 9,
    );
  expect(await find(5_000)).toBe(2);
  resolve(1);
  await promise;
  expect(await find(5_001)).toBe(2);
});
