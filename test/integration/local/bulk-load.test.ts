import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openBulkLoad } from '../../../infra/local/database/bulk-load.ts';
import { createTable } from '../../../infra/local/database/create-table.ts';
import { startDynamo } from '../../../infra/local/database/dynamo.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { Store } from '../../../shared/data/table/store.ts';
import { CHILD_ENVIRONMENT } from '../../support/child-environment.ts';
import { openEngineClient } from '../../support/engine.ts';

const dir = await mkdtemp(join(tmpdir(), 'hub-bulk-'));
const file = join(dir, 'table.sqlite');
const dynamo = await startDynamo(file);
const client = openEngineClient(dynamo.endpoint);
const [written, loaded] = [new Store(client, 'written'), new Store(client, 'loaded')];
await createTable(client, written.table);
await createTable(client, loaded.table);
afterAll(async () => {
  client.destroy();
  await dynamo.close();
  await rm(dir, { recursive: true });
});

/** Returns the rows that the engine keeps for a table, without the order of attributes, which it draws. */
const rowsOf = ({ table }: Store) => {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(`SELECT * FROM "${table}" ORDER BY pk, sk`).all();
  database.close();
  return rows.map((row) => ({ ...row, item_json: JSON.parse(String(row.item_json)) }));
};

const load = async (...items: readonly Item[]): Promise<void> => {
  const bulk = await openBulkLoad(file, loaded.table);
  try {
    await (await bulk.stage(items))();
  } finally {
    await bulk.close();
  }
};

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
      .map((value) => Math.fround(value)),
    fc.boolean(),
    fc.constant(null),
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }).map((members) => new Set(members)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const itemsFrom = fc.uniqueArray(
  fc.record({
    pk: fc.constantFrom('A', 'B#é', 'C "quoted" \'too\''),
    sk: fc.string({ minLength: 1, maxLength: 20 }),
    value: values,
  }),
  { minLength: 1, maxLength: 20, selector: ({ pk, sk }) => `${pk}\n${sk}` },
);

test('a bulk load leaves the rows that transactions leave, replaced ones included', async () => {
  await fc.assert(
    fc.asyncProperty(itemsFrom, async (items) => {
      await written.transact(items.map((item) => ({ put: item })));
      await load(...items);
      expect(rowsOf(loaded)).toEqual(rowsOf(written));
      const keys = items.map(({ pk, sk }) => ({ pk, sk }));
      expect(await loaded.getMany(keys)).toEqual(await written.getMany(keys));
    }),
    { numRuns: 10 },
  );
});

test('an item that an index lists is refused, and nothing is written', async () => {
  const before = rowsOf(loaded);
  await expect(
    load({ pk: 'new', sk: '1' }, { pk: 'new', sk: '2', due_kind: 'main', due_at: 1 }),
  ).rejects.toThrow('an item that an index lists');
  expect(rowsOf(loaded)).toEqual(before);
});

test('an item that DynamoDB would not store is refused, and nothing is written', async () => {
  const before = rowsOf(loaded);
  await expect(load({ pk: 'large', sk: '1', text: 'x'.repeat(500_000) })).rejects.toThrow(
    'an item is larger than 400 KB',
  );
  await expect(load({ pk: 'bytes', sk: '1', bytes: new Uint8Array([1, 2, 3]) })).rejects.toThrow(
    'an item with bytes',
  );
  expect(rowsOf(loaded)).toEqual(before);
});

test('the engine reads and writes while items are loaded', async () => {
  const bulk = await openBulkLoad(file, loaded.table);
  const first = await bulk.stage(Array.from({ length: 2000 }, (_, n) => ({ pk: 'first', sk: String(n) })));
  const loading = first();
  const next = await bulk.stage([{ pk: 'second', sk: '1' }]);
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => loaded.batchWrite([{ put: { pk: 'meanwhile', sk: String(n) } }])),
  );
  await loading;
  await next();
  await bulk.close();
  const keys = [
    { pk: 'first', sk: '0' },
    { pk: 'first', sk: '1999' },
    { pk: 'second', sk: '1' },
    { pk: 'meanwhile', sk: '49' },
  ];
  expect(await loaded.getMany(keys)).toEqual(keys);
});

const SCRIPT = `
  import { openBulkLoad } from './infra/local/database/bulk-load.ts';
  const { stage } = await openBulkLoad(process.argv[1], 'loaded');
  await stage([{ pk: 'killed', sk: '1' }]);
  console.log('staged');
  setInterval(() => undefined, 1000);
`;

/** Returns the folders that the watchers of a process remove. */
const foldersOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')
    .map((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').at(-2) ?? '')
    .filter((last) => last.includes('/hub-'));

test('a killed process leaves no files', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, file], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: CHILD_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const folders = foldersOf(Number(child.pid));
  expect(folders.map(existsSync)).toEqual([true]);
  child.kill('SIGKILL');
  for (let waited = 0; folders.some(existsSync) && waited < 5000; waited += 20) await wait(20);
  expect(folders.map(existsSync)).toEqual([false]);
});
