/**
 * Measures pages, an addition and a removal on lists of very different lengths: calls and consumed
 * capacity must not depend on the length. Run by `npm run bench:pages [-- --largest 100000]`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { startDynamo } from '../../infra/local/dynamo.ts';
import { tableInput } from '../../shared/data/create-table.ts';
import { type NumberedList, readPage } from '../../shared/data/numbered-list.ts';
import { addEntry, removeEntry } from '../../shared/data/numbered-list-changes.ts';
import { Store } from '../../shared/data/store.ts';
import { cardSchema } from '../../shared/data/strategies.ts';
import { engineClient } from '../support/engine.ts';
import { cardAt, itemsOf, seqAt } from './list-items.ts';
import { type Cost, costOf, meteredClient } from './meter.ts';

const TABLE_NAME = 'bench-pages';
const OUTPUT = fileURLToPath(new URL('../../.build/bench/', import.meta.url));
const PAGE_SIZE = 20;
const BATCH = 25;
const WRITERS = 4;
const MAX_CALLS = 3;
/** How much more capacity than the least the most may be, among what is to cost alike. */
const TOLERANCE = 2;
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  pages: ['first page', 'middle page', 'last page'],
  appends: ['append'],
  removals: ['removal'],
};
const WHATS = Object.values(ALIKE).flat();

interface Measurement extends Cost {
  readonly entries: number;
  readonly what: string;
}

const measure = async (
  entries: number,
  what: string,
  request: (repeat: number) => Promise<unknown>,
): Promise<Measurement> => ({ entries, what, ...(await costOf(request)) });

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

const nextBatch = (items: Iterator<Record<string, unknown>>): WriteRequest[] => {
  const batch: WriteRequest[] = [];
  while (batch.length < BATCH) {
    const { done, value } = items.next();
    if (done) break;
    batch.push({ PutRequest: { Item: value } });
  }
  return batch;
};

/** Writes what so many additions and scattered removals would have left. */
const fill = async (document: DynamoDBDocumentClient, list: NumberedList, entries: number): Promise<void> => {
  const items = itemsOf(list, entries);
  let written = 0;
  const write = async (): Promise<void> => {
    for (let batch = nextBatch(items); batch.length > 0; batch = nextBatch(items)) {
      for (let pending: WriteRequest[] | undefined = batch; pending && pending.length > 0; ) {
        const command = new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: pending } });
        pending = (await document.send(command)).UnprocessedItems?.[TABLE_NAME];
      }
      written += batch.length;
      if (process.stderr.isTTY) process.stderr.write(`\r${written} of ${entries} entries`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
};

const measurePage = (store: Store, list: NumberedList, entries: number, name: string, page: number) =>
  measure(entries, name, async () => {
    const { entries: cards, total } = await readPage(store, list, { page, size: PAGE_SIZE }, cardSchema);
    const expected = cardAt(seqAt(entries - 1 - (page - 1) * PAGE_SIZE));
    if (total !== entries || cards.length !== PAGE_SIZE || cards[0]?.strategy_id !== expected.strategy_id) {
      throw new Error(`${name} of ${entries} entries is wrong`);
    }
  });

const measureList = async (store: Store, list: NumberedList, entries: number): Promise<Measurement[]> => {
  const pages = entries / PAGE_SIZE;
  return [
    await measurePage(store, list, entries, 'first page', 1),
    await measurePage(store, list, entries, 'middle page', Math.ceil(pages / 2)),
    await measurePage(store, list, entries, 'last page', pages),
    await measure(entries, 'append', (repeat) =>
      addEntry(store, list, { ...cardAt(entries + repeat), entity: 'strategy_card' }),
    ),
    await measure(entries, 'removal', (repeat) => removeEntry(store, list, seqAt(entries / 2 + repeat))),
  ];
};

/** What is not flat; none where all is well. */
const unevenOf = (measured: readonly Measurement[]): string[] => {
  const failures: string[] = [];
  for (const [what, same = []] of Map.groupBy(measured, (one) => one.what)) {
    if (new Set(same.map(({ calls }) => calls)).size > 1)
      failures.push(`the calls of ${what} depend on the length`);
    if (same.some(({ calls }) => calls > MAX_CALLS))
      failures.push(`${what} takes more than ${MAX_CALLS} calls`);
  }
  for (const [kind, names] of Object.entries(ALIKE)) {
    const units = measured.filter(({ what }) => names.includes(what)).map(({ capacity }) => capacity);
    if (Math.max(...units) > TOLERANCE * Math.min(...units))
      failures.push(`the capacity of ${kind} is not flat`);
  }
  return failures;
};

const { values: options } = parseArgs({ options: { largest: { type: 'string', default: '1000000' } } });
const largest = Number(options.largest);
if (!Number.isInteger(largest / 100) || largest <= 0) throw new TypeError('--largest is a multiple of 100');
const sizes = [100, 10_000, largest];

const dynamo = await startDynamo();
const plain = new DynamoDBClient(engineClient(dynamo.endpoint));
const metered = meteredClient(dynamo.endpoint);
try {
  // Without the stream: the engine looks through all stream records at every write.
  const { StreamSpecification: _, ...table } = tableInput(TABLE_NAME);
  await plain.send(new CreateTableCommand(table));
  const store = new Store(metered, TABLE_NAME);
  const measured: Measurement[] = [];
  for (const entries of sizes) {
    const list: NumberedList = { pk: `EXPLORE#${entries}` };
    const started = performance.now();
    await fill(DynamoDBDocumentClient.from(plain), list, entries);
    const filledInS = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${entries.toLocaleString('en')} entries written in ${filledInS} s`);
    measured.push(...(await measureList(store, list, entries)));
  }
  console.table(measured.toSorted((a, b) => WHATS.indexOf(a.what) - WHATS.indexOf(b.what)));
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(`${OUTPUT}pages.json`, `${JSON.stringify({ pageSize: PAGE_SIZE, measured }, null, 2)}\n`);
  for (const failure of unevenOf(measured)) {
    console.error(failure);
    process.exitCode = 1;
  }
} finally {
  plain.destroy();
  metered.destroy();
  await dynamo.close();
}
