import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { FORMATS } from '../../infra/catalogue/formats.ts';
import { BATCH, importLines } from '../../infra/catalogue/import-list.ts';
import type { ListLine } from '../../infra/catalogue/read-list.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import { Store } from '../../shared/data/table/store.ts';
import { engineClient } from '../support/engine.ts';
import { openStore } from '../support/open-store.ts';

const { endpoint, emptyStore } = await openStore();

/** Opens a store whose transactions from the n-th on fail. */
const failingFrom = (store: Store, n: number): { readonly store: Store; readonly close: () => void } => {
  const failing = new DynamoDBClient(engineClient(endpoint));
  let transactions = 0;
  failing.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === TransactWriteItemsCommand.name && ++transactions >= n) {
          throw new Error('the disk is full');
        }
        return next(args);
      },
    { step: 'initialize', name: 'full' },
  );
  return { store: new Store(failing, store.table), close: () => failing.destroy() };
};

const lineOf = (line: number, symbol: string, name: string, exchange = 'NASDAQ'): ListLine => ({
  line,
  row: { symbol, name, exchange, asset_class: 'equity', quote_currency: 'USD', tick_size: '0.01' },
});

const symbolOf = (n: number): string => `S${n}`;

/** Returns lines of different instruments, the first one in line 2. */
const linesOf = (count: number): ListLine[] =>
  Array.from({ length: count }, (_, n) => lineOf(n + 2, symbolOf(n), `Number ${n}`));

const [format] = FORMATS;
if (!format) throw new Error('there is no format');

const importInto = async (
  store: Store,
  lines: readonly ListLine[],
  { dryRun = false, stopAfter }: { readonly dryRun?: boolean; readonly stopAfter?: number } = {},
) => {
  const stop = new AbortController();
  const seen: string[] = [];
  const summary = await importLines(
    {
      store,
      reading: { format, classes: new Map(), qualify: false },
      dryRun,
      signal: stop.signal,
      onProblem: (line, problem) => seen.push(`line ${line}: ${problem}`),
      onProgress: (soFar) => {
        seen.push(`${soFar.lines} lines`);
        if (soFar.lines === stopAfter) stop.abort();
      },
    },
    (async function* () {
      yield* lines;
    })(),
  );
  return { summary, seen };
};

const found = async (store: Store, ...symbols: readonly string[]) =>
  (await findInstruments(store, symbols, { consistent: true })).map((one) => one?.name);

test('an instrument of the batch before is updated, left unchanged or refused as it was written', async () => {
  const store = await emptyStore();
  const lines = [
    ...linesOf(BATCH),
    lineOf(BATCH + 2, 'S99', 'Renamed'),
    lineOf(BATCH + 3, 'S98', 'Number 98'),
    lineOf(BATCH + 4, 'S97', 'Number 97', 'NYSE'),
  ];
  const { summary, seen } = await importInto(store, lines);
  expect(summary).toEqual({
    lines: BATCH + 3,
    created: BATCH,
    updated: 1,
    unchanged: 1,
    skipped: 0,
    failed: 1,
  });
  expect(seen).toEqual([
    `${BATCH} lines`,
    `line ${BATCH + 4}: S97 is already an instrument of NASDAQ; use --qualify to add the exchange to symbols`,
    `${BATCH + 3} lines`,
  ]);
  expect(await found(store, 'S97', 'S98', 'S99')).toEqual(['Number 97', 'Number 98', 'Renamed']);
});

test('the same instruments in every batch are created once and updated in the order of the lines', async () => {
  const store = await emptyStore();
  // The last batch has half the lines, so the first half of the instruments has a later name.
  const all = 4 * BATCH + BATCH / 2;
  const lines = Array.from({ length: all }, (_, n) => lineOf(n + 2, symbolOf(n % BATCH), `Number ${n}`));
  const { summary } = await importInto(store, lines);
  expect(summary).toEqual({
    lines: all,
    created: BATCH,
    updated: all - BATCH,
    unchanged: 0,
    skipped: 0,
    failed: 0,
  });
  const half = BATCH / 2;
  expect(await found(store, 'S0', symbolOf(half - 1), symbolOf(half), symbolOf(BATCH - 1))).toEqual([
    `Number ${4 * BATCH}`,
    `Number ${all - 1}`,
    `Number ${3 * BATCH + half}`,
    `Number ${4 * BATCH - 1}`,
  ]);
});

test('a dry run counts each batch against the stored instruments and writes nothing', async () => {
  const store = await emptyStore();
  const { summary } = await importInto(store, [...linesOf(BATCH), lineOf(BATCH + 2, 'S0', 'Renamed')], {
    dryRun: true,
  });
  expect(summary).toMatchObject({ lines: BATCH + 1, created: BATCH + 1 });
  expect(await found(store, 'S0')).toEqual([undefined]);
});

test('a failed write ends the import, and a repeat completes it', async () => {
  const store = await emptyStore();
  const all = 5 * BATCH;
  const last = all - 1;
  const lines = linesOf(all);
  // An instrument is four members of a transaction: itself, its symbol and the two words of its name.
  const firstBatch = Math.ceil(BATCH / Math.floor(100 / 4));
  const failing = failingFrom(store, firstBatch + 2);
  await expect(importInto(failing.store, lines)).rejects.toThrow('the disk is full');
  failing.close();
  const ends = [symbolOf(BATCH - 1), symbolOf(last)];
  expect(await found(store, 'S0', ...ends)).toEqual(['Number 0', `Number ${BATCH - 1}`, undefined]);
  const { summary } = await importInto(store, lines);
  expect(summary).toMatchObject({ lines: all, updated: 0, failed: 0 });
  expect(summary.created + summary.unchanged).toBe(all);
  expect(await found(store, 'S0', symbolOf(last))).toEqual(['Number 0', `Number ${last}`]);
});

test('a stopped import has written the lines that it counted, and no others', async () => {
  const store = await emptyStore();
  const { summary, seen } = await importInto(store, linesOf(5 * BATCH), { stopAfter: 2 * BATCH });
  expect(seen).toEqual([`${BATCH} lines`, `${2 * BATCH} lines`]);
  expect(summary).toMatchObject({ lines: 2 * BATCH, created: 2 * BATCH });
  const last = 2 * BATCH - 1;
  expect(await found(store, symbolOf(last), symbolOf(last + 1), symbolOf(last + BATCH))).toEqual([
    `Number ${last}`,
    undefined,
    undefined,
  ]);
});

test('a failure of the list itself ends the import after the batch under way', async () => {
  const store = await emptyStore();
  const broken = async function* () {
    yield* linesOf(BATCH);
    throw new Error('the file is gone');
  };
  const task = {
    store,
    reading: { format, classes: new Map(), qualify: false },
    dryRun: false,
    onProblem: () => undefined,
    onProgress: () => undefined,
  };
  await expect(importLines(task, broken())).rejects.toThrow('the file is gone');
  expect(await found(store, 'S0', 'S99')).toEqual(['Number 0', 'Number 99']);
});
