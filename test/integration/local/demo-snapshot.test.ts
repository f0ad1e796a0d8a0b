import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import { createTable } from '../../../infra/local/database/create-table.ts';
import { type Dynamo, makeScratchFolder, startScratchDynamo } from '../../../infra/local/database/dynamo.ts';
import { findSnapshot, saveSnapshot } from '../../../infra/local/demo/snapshot.ts';
import { Store } from '../../../shared/data/table/store.ts';

const KEY = { pk: 'THING', sk: '1' };
const thing = z.object({ value: z.number() });
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const sources = { digest: 'present', hasMarket: true };

let root: string;
const running: Dynamo[] = [];

beforeAll(async () => {
  root = await makeScratchFolder();
});
afterAll(async () => {
  for (const dynamo of running) await dynamo.close();
  await rm(root, { recursive: true });
});

const open = async (source?: string): Promise<{ store: Store; table: string }> => {
  const dynamo = await startScratchDynamo(source);
  running.push(dynamo);
  const client = new DynamoDBClient({ endpoint: dynamo.endpoint, region: 'eu-west-1', credentials });
  await createTable(client, 'things');
  return { store: new Store(client, 'things'), table: dynamo.scratchFile ?? '' };
};

test('a copy of the demo data is that of its sources, and the first one stays', async () => {
  const { store, table } = await open();
  await store.transact([{ put: { ...KEY, entity: 'thing', value: 1 } }]);
  saveSnapshot({ ...sources, digest: 'past' }, { table, checkpoints: {} }, root);
  saveSnapshot(sources, { table, checkpoints: { relay: '7' } }, root);
  expect(await readdir(root)).toEqual(['present']);
  await store.transact([{ put: { ...KEY, entity: 'thing', value: 2 } }]);
  saveSnapshot(sources, { table, checkpoints: { relay: '9' } }, root);

  const found = findSnapshot(sources, root);
  expect(found?.checkpoints).toEqual({ relay: '7' });
  for (const other of [
    { ...sources, digest: 'past' },
    { ...sources, hasMarket: false },
  ]) {
    expect(findSnapshot(other, root)).toBeUndefined();
  }

  const copied = await open(found?.table);
  expect(await copied.store.get(KEY, thing)).toMatchObject({ value: 1 });
  await copied.store.transact([{ put: { ...KEY, entity: 'thing', value: 3 } }]);
  expect(await (await open(found?.table)).store.get(KEY, thing)).toMatchObject({ value: 1 });
  expect(await readdir(join(root, 'present'))).toHaveLength(1);
});
