import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FORMATS } from '../../infra/catalogue/formats.ts';
import { importLines } from '../../infra/catalogue/import-list.ts';
import type { Target } from '../../infra/catalogue/target.ts';
import { type Writer, withWriter } from '../../infra/catalogue/writer.ts';
import { createTable } from '../../infra/local/database/create-table.ts';
import { startDynamo } from '../../infra/local/database/dynamo.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { ListLine } from '../../shared/domain/csv/cells.ts';
import { openEngineClient } from '../support/engine.ts';

const dir = await mkdtemp(join(tmpdir(), 'hub-overlap-'));
const file = join(dir, 'table.sqlite');
const dynamo = await startDynamo(file);
const client = openEngineClient(dynamo.endpoint);
afterAll(async () => {
  client.destroy();
  await dynamo.close();
  await rm(dir, { recursive: true });
});

type Place = Pick<Target, 'store' | 'file'>;

let tables = 0;

/** Creates an empty table. */
const emptyStore = async (): Promise<Store> => {
  const table = `overlap-${++tables}`;
  await createTable(client, table);
  return new Store(client, table);
};

/** Opens a store whose transactions from the n-th on fail. */
const failingFrom = (store: Store, n: number): { readonly store: Store; readonly close: () => void } => {
  const failing = openEngineClient(dynamo.endpoint);
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

/** Lines per batch. */
const BATCH = 200;

interface Options {
  readonly dryRun?: boolean;
  readonly stopAfter?: number;
  /** Replaces the writer. */
  readonly change?: (writer: Writer) => Writer;
}

const importInto = async (
  place: Place,
  lines: AsyncIterable<ListLine>,
  { dryRun = false, stopAfter, change = (writer) => writer }: Options = {},
) => {
  const stop = new AbortController();
  const seen: string[] = [];
  const summary = await withWriter(place, dryRun, (writer) =>
    importLines(
      {
        store: place.store,
        writer: { ...change(writer), lines: BATCH },
        reading: { format, classes: new Map(), qualify: false },
        signal: stop.signal,
        onProblem: (line, problem) => seen.push(`line ${line}: ${problem}`),
        onProgress: (soFar) => {
          seen.push(`${soFar.lines} lines`);
          if (soFar.lines === stopAfter) stop.abort();
        },
      },
      lines,
    ),
  );
  return { summary, seen };
};

const each = async function* (lines: Iterable<ListLine>): AsyncGenerator<ListLine> {
  yield* lines;
};

const found = async (store: Store, ...symbols: readonly string[]) =>
  (await findInstruments(store, symbols, { consistent: true })).map((one) => one?.name);

describe.each([
  ['transactions', undefined],
  ['bulk loads', file],
])('an import by %s', (_, usedFile) => {
  const emptyPlace = async (): Promise<Place> => ({ store: await emptyStore(), file: usedFile });

  test('an instrument of the batch before is updated, left unchanged or refused as it was written', async () => {
    const place = await emptyPlace();
    const lines = [
      ...linesOf(BATCH),
      lineOf(BATCH + 2, 'S99', 'Renamed'),
      lineOf(BATCH + 3, 'S98', 'Number 98'),
      lineOf(BATCH + 4, 'S97', 'Number 97', 'NYSE'),
    ];
    const { summary, seen } = await importInto(place, each(lines));
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
    expect(await found(place.store, 'S97', 'S98', 'S99')).toEqual(['Number 97', 'Number 98', 'Renamed']);
  });

  test('the same instruments in every batch are created once and updated in the order of the lines', async () => {
    const place = await emptyPlace();
    // The last batch has half the lines, so the first half of the instruments has a later name.
    const all = 4 * BATCH + BATCH / 2;
    const lines = Array.from({ length: all }, (_, n) => lineOf(n + 2, symbolOf(n % BATCH), `Number ${n}`));
    const { summary } = await importInto(place, each(lines));
    expect(summary).toEqual({
      lines: all,
      created: BATCH,
      updated: all - BATCH,
      unchanged: 0,
      skipped: 0,
      failed: 0,
    });
    const half = BATCH / 2;
    expect(await found(place.store, 'S0', symbolOf(half - 1), symbolOf(half), symbolOf(BATCH - 1))).toEqual([
      `Number ${4 * BATCH}`,
      `Number ${all - 1}`,
      `Number ${3 * BATCH + half}`,
      `Number ${4 * BATCH - 1}`,
    ]);
  });

  test('a dry run counts each batch against the stored instruments and writes nothing', async () => {
    const place = await emptyPlace();
    const { summary } = await importInto(
      place,
      each([...linesOf(BATCH), lineOf(BATCH + 2, 'S0', 'Renamed')]),
      {
        dryRun: true,
      },
    );
    expect(summary).toMatchObject({ lines: BATCH + 1, created: BATCH + 1 });
    expect(await found(place.store, 'S0')).toEqual([undefined]);
  });

  test('a failed write ends the import, and a repeat completes it', async () => {
    const place = await emptyPlace();
    let staged = 0;
    const change = (writer: Writer): Writer => ({
      ...writer,
      stage: async (changes) => {
        if (++staged < 3) return writer.stage(changes);
        return () => Promise.reject(new Error('the disk is full'));
      },
    });
    const all = 5 * BATCH;
    await expect(importInto(place, each(linesOf(all)), { change })).rejects.toThrow('the disk is full');
    const [last, next] = [2 * BATCH - 1, 2 * BATCH];
    expect(await found(place.store, symbolOf(last), symbolOf(next))).toEqual([`Number ${last}`, undefined]);
    const { summary } = await importInto(place, each(linesOf(all)));
    expect(summary).toMatchObject({ lines: all, unchanged: next, created: all - next, failed: 0 });
  });

  test('a stopped import has written the lines that it counted, and no others', async () => {
    const place = await emptyPlace();
    const { summary, seen } = await importInto(place, each(linesOf(5 * BATCH)), { stopAfter: 2 * BATCH });
    expect(seen).toEqual([`${BATCH} lines`, `${2 * BATCH} lines`]);
    expect(summary).toMatchObject({ lines: 2 * BATCH, created: 2 * BATCH });
    const last = 2 * BATCH - 1;
    expect(await found(place.store, symbolOf(last), symbolOf(last + 1), symbolOf(last + BATCH))).toEqual([
      `Number ${last}`,
      undefined,
      undefined,
    ]);
  });

  test('a failure of the list itself ends the import after the batch under way', async () => {
    const place = await emptyPlace();
    const broken = async function* () {
      yield* linesOf(BATCH);
      throw new Error('the file is gone');
    };
    await expect(importInto(place, broken())).rejects.toThrow('the file is gone');
    expect(await found(place.store, 'S0', 'S99')).toEqual(['Number 0', 'Number 99']);
  });
});

test('a failed transaction ends the import, and a repeat completes it', async () => {
  const store = await emptyStore();
  const all = 5 * BATCH;
  const last = all - 1;
  const lines = linesOf(all);
  // An instrument is four members of a transaction: itself, its symbol and the two words of its name.
  const firstBatch = Math.ceil(BATCH / Math.floor(100 / 4));
  const failing = failingFrom(store, firstBatch + 2);
  await expect(importInto({ store: failing.store, file: undefined }, each(lines))).rejects.toThrow(
    'the disk is full',
  );
  failing.close();
  const ends = [symbolOf(BATCH - 1), symbolOf(last)];
  expect(await found(store, 'S0', ...ends)).toEqual(['Number 0', `Number ${BATCH - 1}`, undefined]);
  const { summary } = await importInto({ store, file: undefined }, each(lines));
  expect(summary).toMatchObject({ lines: all, updated: 0, failed: 0 });
  expect(summary.created + summary.unchanged).toBe(all);
  expect(await found(store, 'S0', symbolOf(last))).toEqual(['Number 0', `Number ${last}`]);
});
