import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { progressOn } from '../../infra/catalogue/progress.ts';
import { Store } from '../../shared/data/table/store.ts';
import { engineClient } from '../support/engine.ts';

interface Batch {
  readonly RequestItems: { readonly table: readonly unknown[] };
}

/** Returns a store whose DynamoDB leaves members of a batch unprocessed: those that `leave` returns. */
const busyStore = (leave: (attempt: number, members: readonly unknown[]) => readonly unknown[]) => {
  const client = new DynamoDBClient(engineClient('http://127.0.0.1:1'));
  const batches: (readonly unknown[])[] = [];
  client.middlewareStack.add(
    () => async (args) => {
      const members = z.custom<Batch>().parse(args.input).RequestItems.table;
      batches.push(members);
      const left = leave(batches.length, members);
      const output = { $metadata: {}, UnprocessedItems: left.length > 0 ? { table: left } : {} };
      return { response: {}, output };
    },
    { step: 'initialize', name: 'busy', priority: 'low' },
  );
  return { store: new Store(client, 'table'), batches };
};

const members = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ put: { pk: 'a', sk: String(index) } }));

test('unprocessed items of a batch are written again', async () => {
  const { store, batches } = busyStore((attempt, all) => (attempt <= 2 ? all.slice(20) : []));
  await store.batchWrite(members(30));
  expect(batches.map(({ length }) => length)).toEqual([25, 5, 5]);
});

test('an empty batch makes no call', async () => {
  const { store, batches } = busyStore(() => []);
  await store.batchWrite([]);
  expect(batches).toEqual([]);
});

test('the progress is shown on a terminal, at intervals and at the end', () => {
  const written: string[] = [];
  let now = 0;
  const terminal = { isTTY: true, write: (text: string) => written.push(text) > 0 };
  const bar = progressOn(terminal, () => now);
  bar.show(0.1, '1 line');
  now = 50;
  bar.show(0.2, '2 lines');
  bar.show(1, '9 lines');
  bar.clear();
  expect(written).toEqual([
    `\r\u001b[K${'█'.repeat(3)}${'░'.repeat(27)} 10 % 1 line`,
    `\r\u001b[K${'█'.repeat(30)} 100 % 9 lines`,
    '\r\u001b[K',
  ]);
});

test('the progress shows the remaining time, and without a terminal is a line at intervals', () => {
  const written: string[] = [];
  let now = 5;
  const log = progressOn(
    { isTTY: false, write: (text: string | Uint8Array) => written.push(String(text)) > 0 },
    () => now,
  );
  log.show(0.1, '1 line');
  now += 10_000;
  log.show(0.125, '2 lines');
  now += 5000;
  log.show(0.5, '3 lines');
  now += 5000;
  log.show(1, '9 lines');
  log.clear();
  expect(written).toEqual(['12 % 2 lines, 1:10 left\n', '100 % 9 lines\n']);
});
