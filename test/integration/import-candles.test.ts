import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importBarLines } from '../../infra/candles/import-file.ts';
import { openCandleFile } from '../../infra/candles/open-candle-file.ts';
import { loadCatalogue, readCatalogue } from '../../infra/catalogue/load.ts';
import { UsageError } from '../../infra/commands/command-line.ts';
import { appendBars, changeSeries } from '../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../shared/data/candles/import-bars.ts';
import { findCandleSeries, readCandles } from '../../shared/data/candles/read-candles.ts';
import { kindOf, type SeriesFacts } from '../../shared/data/candles/series.ts';
import { seriesInUseWrite } from '../../shared/data/engine/series-in-use.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { Store } from '../../shared/data/table/store.ts';
import { type BarColumns, barCount, columnsOf } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { DAILY } from '../support/candles.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { type Engine, engineClient, startEngine } from '../support/engine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HEADERS = 'time,open,high,low,close,volume';

let engine: Engine;
let client: DynamoDBClient;
let dir: string;
let store: Store;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-candles-'));
  engine = await startEngine();
  client = new DynamoDBClient(engineClient(engine.endpoint));
  store = new Store(client, engine.table);
  const { instruments, ...lists } = readCatalogue();
  await loadCatalogue(store, {
    ...lists,
    instruments: instruments.filter(({ symbol }) => ['SPY', 'AAPL', 'EURUSD'].includes(symbol)),
  });
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
  await rm(dir, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: readonly string[];
}

/** Runs a command as a person does. */
const runCommand = (command: string, ...args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const env = {
      ...CHILD_ENVIRONMENT,
      HUB_DYNAMODB_ENDPOINT: engine.endpoint,
      HUB_TABLE: engine.table,
    };
    execFile(
      process.execPath,
      [`infra/commands/${command}.ts`, ...args],
      { cwd: ROOT, env },
      (error, out, err) => {
        const lines = err.split('\n').filter((line) => line !== '');
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, err: lines });
      },
    );
  });

const run = (...args: readonly string[]): Promise<Run> => runCommand('import-candles', ...args);

let files = 0;

const fileOf = async (...lines: readonly string[]): Promise<string> => {
  const file = join(dir, `candles-${++files}.csv`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
};

const read = async (symbol: string, timeframe: Timeframe): Promise<BarColumns> => {
  const series = await findCandleSeries(store, symbol, timeframe);
  if (!series) throw new Error('the series does not exist');
  return (await readCandles(store, series, timeframe, { from: 0, to: Date.UTC(2200, 0) })).bars;
};

const startsOf = (bars: BarColumns): string[] => Array.from(bars.start, (at) => new Date(at).toISOString());

test('candles after the newest one are refused while deployments use the series, and so is replacing it', async () => {
  const used = { ...DAILY, symbol: 'AAPL', timeframe: '1h' } as const;
  const bar = { open: 10, high: 11, low: 9, close: 10, volume: 1 };
  await appendBars(store, used, columnsOf([{ ...bar, start: Date.parse('2021-03-16T15:00Z') }]));
  await store.transact([seriesInUseWrite('AAPL', '1h')]);
  const times = ['2021-03-16T14:00Z', '2021-03-16T15:00Z', '2021-03-16T16:00Z'];
  const file = await fileOf(HEADERS, ...times.map((time) => `${time},10,11,9,10,1`));
  const series = ['--symbol', 'AAPL', '--timeframe', '1h'];
  const args = [file, ...series, '--source', 'test', '--adjustment', DAILY.adjustment];
  const [imported, replaced] = await Promise.all([run(...args), run(...args, '--replace')]);
  expect(imported.err).toEqual([
    'line 4: the bar is after the newest stored one, and active deployments would trade it',
  ]);
  expect(imported.out).toContain('3 lines: 1 added, 0 replaced, 1 unchanged, 1 failed.');
  expect([replaced.code, replaced.err]).toEqual([
    1,
    ['Active deployments use the candles of AAPL 1h. End the deployments before replacing them.'],
  ]);
  expect(startsOf(await read('AAPL', '1h'))).toHaveLength(2);
});

test('npm run held-bars shows held bars and confirms one', async () => {
  const start = Date.UTC(2021, 0, 3);
  const bar = { start, open: 1.2, high: 1.2, low: 1.2, close: 1.2, volume: 1 };
  const held = { ...bar, start: start + 86_400_000, open: 12, high: 12, low: 12, close: 12 };
  const facts = { ...DAILY, symbol: 'EURUSD', calendar: 'forex', asset_class: 'forex' } as const;
  await changeSeries(store, facts, () => ({ bars: columnsOf([bar]), held }));
  const { out } = await runCommand('held-bars', '--symbol', 'eurusd', '--timeframe', '1d', '--confirm');
  expect(out).toBe(
    'EURUSD 1d 2021-01-04T00:00:00.000Z: open 12, close 12, after a close of 1.2 at 2021-01-03T00:00:00.000Z\nThe bar is appended.\n',
  );
  expect(startsOf(await read('EURUSD', '1d'))).toHaveLength(2);
});

test('npm run declare-split declares, shows and withdraws a split, and an import does not pass it', async () => {
  const facts = { ...DAILY, timeframe: '4h', adjustment: 'none' } as const;
  const bar = { start: Date.parse('2021-03-16T12:00Z'), open: 10, high: 11, low: 9, close: 10, volume: 1 };
  await appendBars(store, facts, columnsOf([bar]));
  const series = ['--symbol', 'spy', '--timeframe', '4h'];
  const split = (...more: readonly string[]) => runCommand('declare-split', ...series, ...more);
  expect(await split()).toMatchObject({ code: 0, out: 'No split is declared.\n' });
  expect((await split('--ratio', '4:1', '--at', '2021-03-16T08:00')).err).toEqual([
    'SPY 4h: bars from then on were taken',
  ]);
  const declared = '4:1 at 2021-03-16T16:00:00.000Z: declared\n';
  expect((await split('--ratio', '4:1', '--at', '2021-03-16T12:00')).out).toBe(declared);
  expect((await split()).out).toBe(declared);
  const file = await fileOf(HEADERS, '2021-03-16T08:00Z,10,11,9,10,1', '2021-03-16T16:00Z,2.5,3,2,2.5,1');
  const imported = await run(file, ...series, '--source', 'test');
  expect(imported.err).toEqual(['line 3: a split of 4:1 is declared, and a feed sends the bars from it on']);
  expect(imported.out).toContain('2 lines: 1 added, 0 replaced, 0 unchanged, 1 failed.');
  expect((await split('--withdraw')).out).toBe('4:1 at 2021-03-16T16:00:00.000Z is withdrawn.\n');
  expect((await split('--withdraw', '--ratio', '4:1')).err).toEqual([
    '--withdraw and --ratio exclude each other.',
  ]);
  const [wrong, unknown] = await Promise.all([
    split('--ratio', '4', '--at', '2021-03-17'),
    runCommand('declare-split', '--symbol', 'SPY', '--timeframe', '3m'),
  ]);
  await removeSeries(store, facts);
  expect([wrong.code, wrong.err]).toEqual([1, ['--ratio is no ratio such as 4:1: 4']]);
  expect([unknown.code, unknown.err]).toEqual([1, ['There are no candles of SPY 3m.']]);
});

test('npm run held-bars shows the bars of other series if one cannot be read', async () => {
  const bar = { start: Date.UTC(2021, 0, 3), open: 1.2, high: 1.2, low: 1.2, close: 1.2, volume: 1 };
  const held = { ...bar, start: Date.UTC(2021, 0, 4), open: 12, high: 12, low: 12, close: 12 };
  const facts = { ...DAILY, symbol: 'GBPUSD', calendar: 'forex', asset_class: 'forex' } as const;
  await changeSeries(store, facts, () => ({ bars: columnsOf([bar]), held }));
  const damaged = keys.series('USDJPY', '1d');
  await store.put({ ...damaged, entity: 'series', symbol: 'USDJPY', timeframe: '1d' });
  await store.transact([seriesInUseWrite('USDJPY', '1d'), seriesInUseWrite('GBPUSD', '1d')]);
  const { code, out, err } = await runCommand('held-bars');
  await store.delete(damaged);
  expect(code).toBe(1);
  expect(out).toContain('GBPUSD 1d 2021-01-04T00:00:00.000Z: open 12');
  expect(err).toEqual([
    expect.stringMatching(/^the item SERIES#USDJPY#1d, TAIL cannot be read: asset_class: field required; /),
  ]);
});

test('npm run held-bars shows the bars of other series if an entry of those in use cannot be read', async () => {
  const bar = { start: Date.UTC(2021, 0, 3), open: 1.2, high: 1.2, low: 1.2, close: 1.2, volume: 1 };
  const held = { ...bar, start: Date.UTC(2021, 0, 4), open: 12, high: 12, low: 12, close: 12 };
  const facts = { ...DAILY, symbol: 'EURGBP', calendar: 'forex', asset_class: 'forex' } as const;
  await changeSeries(store, facts, () => ({ bars: columnsOf([bar]), held }));
  const damaged = keys.seriesInUse('AUDUSD', '1d');
  await store.put({ ...damaged, entity: 'series_in_use', timeframe: '1d', programs: 1 });
  await store.transact([seriesInUseWrite('EURGBP', '1d')]);
  const { code, out, err } = await runCommand('held-bars');
  const file = await fileOf(HEADERS, '2021-01-03,1.2,1.2,1.2,1.2,1');
  const imported = await run(file, '--symbol', 'EURUSD', '--timeframe', '1w', '--source', 'other');
  await store.delete(damaged);
  expect(code).toBe(1);
  expect(out).toContain('EURGBP 1d 2021-01-04T00:00:00.000Z: open 12');
  expect(err).toEqual(['the item SERIES_IN_USE, AUDUSD#1d cannot be read: symbol: field required']);
  expect(imported.err).toEqual([]);
});

describe('npm run import-candles', () => {
  test('imports a file, names bad lines, gaps and suspicious candles, and repeats without a change', async () => {
    const file = await fileOf(
      HEADERS,
      '2021-03-15,10,12,9,11,1000',
      '2021-03-16,11,12,10,11.5,1000',
      '2021-03-16,11,12,10,11.5,1000',
      '2021-03-15,11,12,10,11.5,1000',
      '2021-03-17,11,10,10,11.5,1000',
      'yesterday,11,12,10,11.5,1000',
      '2021-03-18,-1,12,-1,11.5,1000',
      '2021-03-18,11,12,10,eleven,1000',
      '2021-03-22,11,19,10,18,1000',
    );
    const args = [file, '--symbol', 'spy', '--timeframe', '1d', '--adjustment', 'splits'];
    const first = await run(...args);
    expect(first.err).toEqual([
      'line 4: the time is the same as that of line 3',
      'line 5: the time is before that of line 3',
      'line 6: the high is not the highest price',
      'line 7: the time is no date or time that exists',
      'line 8: the open is not above zero',
      'line 9: the close is not a number',
    ]);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/^dialect: plain\n/);
    expect(first.out).toContain(
      'Lines to look at: 1 with the time of an earlier line (first: line 4), 1 out of order (first: line 5), 1 after a gap (first: line 10), 1 with a jump of the close (first: line 10).',
    );
    expect(first.out).toContain('9 lines: 3 added, 0 replaced, 0 unchanged, 6 failed.');
    expect(first.out).toContain('SPY 1d, source import, adjustment splits, local times in America/New_York.');
    expect(first.out).toContain('3 candles of open markets are missing, in 1 gaps.');
    expect(first.out).toContain('3 between 2021-03-16T04:00:00Z and 2021-03-22T04:00:00Z');
    expect(first.out).toContain('2021-03-22T04:00:00Z: the close jumps');
    expect(startsOf(await read('SPY', '1d'))).toEqual([
      '2021-03-15T04:00:00.000Z',
      '2021-03-16T04:00:00.000Z',
      '2021-03-22T04:00:00.000Z',
    ]);
    expect((await run(...args)).out).toContain('0 added, 0 replaced, 3 unchanged');
    const other = await run(...args.slice(0, 5));
    expect(other).toMatchObject({ code: 1, out: '' });
    expect(other.err[0]).toBe(
      'SPY 1d is stored from the source import, adjustment splits, and these candles are from the source import, adjustment none. Name the same ones, or use --replace to remove the stored candles.',
    );
    const replaced = await run(
      await fileOf(HEADERS, '2021-03-16,11,12,10,11.5,5'),
      ...args.slice(1, 5),
      '--replace',
    );
    expect(replaced.code).toBe(0);
    expect(barCount(await read('SPY', '1d'))).toBe(1);
  });

  test('finds the anchor of candles within a day, continues it, and refuses another one', async () => {
    const hours = (day: string) =>
      ['14:30', '15:30', '16:30', '17:30', '18:30', '19:30', '20:30'].map(
        (hour) => `2024-01-${day}T${hour}Z,10,12,9,11,1000`,
      );
    const of = ['--symbol', 'SPY', '--timeframe', '1h'];
    const first = await run(await fileOf(HEADERS, ...hours('02')), ...of);
    expect(first).toMatchObject({ code: 0, err: [] });
    expect(first.out).toMatch(/^dialect: TradingView, anchor session \(09:30\)\n/);
    expect(first.out).toContain(
      'SPY 1h, source import, adjustment none, anchor session (09:30), local times in America/New_York.',
    );
    expect(barCount(await read('SPY', '1h'))).toBe(7);
    expect(await run(await fileOf(HEADERS, ...hours('03')), ...of)).toMatchObject({ code: 0, err: [] });
    const clock = await fileOf(
      HEADERS,
      '2024-01-04T15:00Z,10,12,9,11,1000',
      '2024-01-04T16:00Z,10,12,9,11,1000',
    );
    const other = await run(clock, ...of);
    expect(other).toMatchObject({ code: 1, out: '' });
    expect(other.err).toEqual([
      'SPY 1h is stored from the source import, adjustment none, anchor session (09:30), and these candles are from the source import, adjustment none, anchor clock. Name the same ones, or use --replace to remove the stored candles.',
    ]);
    expect(await run(clock, ...of, '--replace')).toMatchObject({ code: 0 });
    expect(startsOf(await read('SPY', '1h'))).toEqual([
      '2024-01-04T15:00:00.000Z',
      '2024-01-04T16:00:00.000Z',
    ]);
  });

  test('refuses candles of the session that deployments await with the clock', async () => {
    await store.transact([seriesInUseWrite('AAPL', '30m')]);
    const file = await fileOf(HEADERS, '2024-01-02T14:30Z,10,12,9,11,1', '2024-01-02T15:00Z,10,12,9,11,1');
    const of = [file, '--symbol', 'AAPL', '--timeframe', '30m'];
    expect((await run(...of, '--anchor', 'session')).err).toEqual([
      'Active deployments wait for candles of AAPL 30m that start with the clock, and these have the anchor session (09:30). End the deployments first.',
    ]);
    expect((await run(...of, '--dry-run')).code).toBe(0);
    await store.transact([seriesInUseWrite('AAPL', '30m', -1)]);
  });

  test('reads local times in another zone, and writes nothing in a dry run', async () => {
    const file = await fileOf('Date,Open,High,Low,Close', '2018-01-05 16:00,1.2,1.3,1.1,1.2');
    const args = [file, '--symbol', 'EURUSD', '--timeframe', '1h', '--time-zone', 'America/New_York'];
    const dry = await run(...args, '--dry-run');
    expect(dry.out).toContain('1 lines: 1 added, 0 replaced, 0 unchanged, 0 failed. Nothing was written');
    expect(await findCandleSeries(store, 'EURUSD', '1h')).toBeUndefined();
    expect((await run(...args)).code).toBe(0);
    const bars = await read('EURUSD', '1h');
    expect(startsOf(bars)).toEqual(['2018-01-05T21:00:00.000Z']);
    expect([...bars.volume]).toEqual([0]);
  });

  test.each<[string, readonly string[], string]>([
    ['an unknown instrument', ['--symbol', 'NOPE', '--timeframe', '1d'], 'There is no instrument NOPE.'],
    ['an unknown timeframe', ['--symbol', 'SPY', '--timeframe', '2d'], '--timeframe must be one of 1m'],
    [
      'an unknown time zone',
      ['--symbol', 'SPY', '--timeframe', '1d', '--time-zone', 'Mars'],
      'There is no time zone Mars.',
    ],
  ])('refuses %s', async (_, args, message) => {
    const { code, err } = await run(await fileOf(HEADERS), ...args);
    expect(code).toBe(1);
    expect(err[0]).toContain(message);
  });
});

describe('the import of a file', () => {
  const facts: SeriesFacts = { ...DAILY, symbol: 'AAPL' };
  const kind = { calendar: calendarById('us'), timeframe: '1d', assetClass: 'equity' } as const;
  const days = Array.from({ length: 40 }, (_, year) => `${1985 + year}-07-05,10,12,9,11,1000`);

  const importOf = async (file: string, signal?: AbortSignal) => {
    const { lines, findings } = await openCandleFile(file, { kind });
    return importBarLines(
      {
        store,
        facts,
        kind,
        dryRun: false,
        findings,
        onProblem: () => undefined,
        onProgress: () => undefined,
        ...(signal && { signal }),
      },
      lines,
    );
  };

  test('that is interrupted keeps the candles so far, and continues', async () => {
    const file = await fileOf(HEADERS, ...days);
    const stopping = new AbortController();
    const { lines: all, findings } = await openCandleFile(file, { kind });
    const some = async function* () {
      let lines = 0;
      for await (const line of all) {
        if (++lines === 25) stopping.abort();
        yield line;
      }
    };
    const task = {
      store,
      facts,
      kind,
      dryRun: false,
      findings,
      onProblem: () => undefined,
      onProgress: () => undefined,
    };
    expect(await importBarLines({ ...task, signal: stopping.signal }, some())).toMatchObject({ added: 24 });
    expect(barCount(await read('AAPL', '1d'))).toBe(24);
    expect(await importOf(file)).toMatchObject({ added: 16, unchanged: 24 });
    expect(barCount(await read('AAPL', '1d'))).toBe(40);
    const series = await findCandleSeries(store, 'AAPL', '1d');
    expect(series && kindOf(series)).toEqual(kind);
    expect(series).toMatchObject({ count: 40, source: 'test' });
  });

  test('sorted newest first is turned round', async () => {
    const file = await fileOf(HEADERS, ...days.toReversed());
    expect(await importOf(file)).toMatchObject({ lines: 40, unchanged: 40, failed: 0 });
  });

  test('sorted newest first is refused beyond the lines that are held, and read up to them', async () => {
    const file = await fileOf(HEADERS, ...days.toReversed());
    const readWith = async (mostHeld: number): Promise<number> => {
      let read = 0;
      for await (const _ of (await openCandleFile(file, { kind, mostHeld })).lines) read += 1;
      return read;
    };
    expect(await readWith(40)).toBe(40);
    await expect(readWith(39)).rejects.toThrow(
      new UsageError(
        'The candles are sorted newest first, and more than 39. Sort the lines by time, oldest first, or divide the file.',
      ),
    );
  });

  test('of JSON beyond 256 MiB is refused before it is read', async () => {
    const file = join(dir, 'large.json');
    const most = 256 * 1024 * 1024;
    await writeFile(file, '[');
    await truncate(file, most + 1);
    await expect(openCandleFile(file, { kind })).rejects.toThrow(
      new UsageError('The JSON is larger than 256 MiB. Export CSV, or divide the file.'),
    );
  });

  test('names the true line of each fault, after blank lines and lines within quotes', async () => {
    const file = join(dir, 'lines.csv');
    const lines = [
      '\ufeff',
      '"Time",open,high,low,close,"volume\r\n",note',
      '2021-03-15,1e1,12,9,11.000000000000002,1000,"of\r\ntwo lines\u2028really"',
      '',
      '# a comment',
      '2021-02-30,10,12,9,11,1000',
      '2021-03-16,11,10,9,11,1000',
      '2021-03-17,11,12,10,11,1000',
    ];
    await writeFile(file, `${lines.join('\r\n')}\r\n`);
    const read = [];
    for await (const one of (await openCandleFile(file, { kind })).lines) read.push(one);
    expect(read).toMatchObject([
      { line: 4, bar: { open: 10, close: 11 } },
      { line: 7, fault: 'the time is no date or time that exists' },
      { line: 8, fault: 'the time is no date or time that exists' },
      { line: 9, fault: 'the high is not the highest price' },
      { line: 10, bar: { close: 11 } },
    ]);
  });

  test('refuses local times that clocks skip', async () => {
    const file = await fileOf(HEADERS, '2021-03-14 01:30,1,1,1,1,1', '2021-03-14 02:30,1,1,1,1,1');
    const hourly = { ...kind, timeframe: '30m' } as const;
    const read = [];
    for await (const one of (await openCandleFile(file, { kind: hourly })).lines) read.push(one);
    expect(read).toMatchObject([
      { line: 2, bar: { start: Date.parse('2021-03-14T06:30Z') } },
      {
        line: 3,
        fault: 'the local time does not exist in America/New_York, where clocks are put forward',
      },
    ]);
  });

  test.each(['time,open,high,low,close,Close', 'TIME,time,open,high,low,close'])(
    'with a column that is there twice is refused: %s',
    async (headers) => {
      const file = await fileOf(headers, '2021-03-15,1,1,1,1,1');
      await expect(openCandleFile(file, { kind })).rejects.toThrow(
        /The file has several columns (close|time)\. Keep one/,
      );
    },
  );

  test('without a column of prices is refused', async () => {
    const file = await fileOf('time,open,high,low', '2021-03-15,1,1,1');
    await expect(importOf(file)).rejects.toThrow('The columns close are missing.');
  });
});
