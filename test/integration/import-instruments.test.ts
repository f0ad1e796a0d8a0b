import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTarget } from '../../infra/catalogue/target.ts';
import { createTable } from '../../infra/local/database/create-table.ts';
import { startDynamo } from '../../infra/local/database/dynamo.ts';
import { openState } from '../../infra/local/database/state.ts';
import { LOCAL } from '../../infra/local/lambda/environment.ts';
import { listedBrokerWrites } from '../../shared/data/brokers/brokers.ts';
import { listOffered } from '../../shared/data/instruments/instrument-brokers.ts';
import { findInstruments, suggestInstruments } from '../../shared/data/instruments/instruments.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { Instrument } from '../../shared/domain/instruments/instrument-records.ts';
import type { AssetClass } from '../../shared/domain/instruments/instruments.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { openEngineClient } from '../support/engine.ts';
import { openStore } from '../support/open-store.ts';
import { inSoak } from '../support/soak.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { client, endpoint, store: shared, emptyStore } = await openStore();
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-import-'));
});
afterAll(() => rm(dir, { recursive: true }));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: readonly string[];
}

/** Runs the command like a person. */
const run = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  node: readonly string[] = [],
): Promise<Run> =>
  new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...CHILD_ENVIRONMENT, ...env } };
    execFile(
      process.execPath,
      [...node, 'infra/commands/import-instruments.ts', ...args],
      options,
      (error, out, err) => {
        const lines = err.split('\n').filter((line) => line !== '');
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, err: lines });
      },
    );
  });

const into = (store: Store): Record<string, string> => ({
  HUB_DYNAMODB_ENDPOINT: endpoint,
  HUB_TABLE: store.table,
});

let files = 0;

const list = async (...lines: readonly string[]): Promise<string> => {
  const file = join(dir, `list-${++files}.csv`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
};

const find = async (store: Store, symbol: string): Promise<Instrument | undefined> =>
  (await findInstruments(store, [symbol]))[0];

const suggested = async (store: Store, text: string, assetClass: AssetClass = 'equity'): Promise<string[]> =>
  (await suggestInstruments(store, { text, assetClass, scope: 'all' })).map(({ symbol }) => symbol);

const PROPERTIES =
  'market,symbol,type,description,quote_currency,contract_multiplier,minimum_price_variation,lot_size,market_ticker,minimum_order_size';

describe('a list', () => {
  test('of index constituents is recognised, imported and found', async () => {
    const store = await emptyStore();
    const file = await list(
      'Symbol,Security,GICS Sector,Headquarters Location',
      'MMM,3M,Industrials,"Saint Paul, Minnesota"',
      'BRK.B,Berkshire Hathaway,Financials,"Omaha, Nebraska"',
    );
    const { code, out, err } = await run([file], into(store));
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out).toContain(
      'read as constituents. 2 lines: 2 created, 0 updated, 0 unchanged, 0 skipped, 0 failed.',
    );
    expect(await find(store, 'BRK.B')).toEqual({
      symbol: 'BRK.B',
      name: 'Berkshire Hathaway',
      exchange: 'US',
      asset_class: 'equity',
      quote_currency: 'USD',
      tick_size: 0.01,
      digits: 2,
      contract_size: 1,
      min_volume: 1,
      volume_step: 1,
      tradable: true,
      listings: {},
    });
    expect(await suggested(store, 'hath')).toEqual(['BRK.B']);
  });

  test('of contract properties keeps its figures exactly', async () => {
    const store = await emptyStore();
    const file = await list(
      PROPERTIES,
      'oanda,AUDCAD,forex,AUD/CAD,CAD,1,0.00001,1',
      'binance,SHIBUSDT,crypto,Shiba-Tether,USDT,1,0.00000001,1,SHIB-USDT,1000,',
    );
    const { code, out } = await run([file], into(store));
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('read as properties. 2 lines: 2 created'),
    });
    expect(await find(store, 'AUDCAD')).toMatchObject({
      name: 'AUD/CAD',
      exchange: 'oanda',
      base_currency: 'AUD',
      tick_size: 0.00001,
      digits: 5,
      contract_size: 1,
      min_volume: 1,
    });
    expect(await find(store, 'SHIBUSDT')).toMatchObject({
      base_currency: 'SHIB',
      tick_size: 1e-8,
      digits: 8,
      min_volume: 1000,
      volume_step: 1,
    });
  });

  test('imported twice changes nothing; a changed one leaves no old search entries', async () => {
    const store = await emptyStore();
    const header = 'symbol,name,exchange,asset_class,quote_currency';
    const file = await list(header, 'AAA,Alpha Works,NYSE,equity,USD', 'BBB,Beta,NYSE,equity,USD');
    await run([file], into(store));
    expect((await run([file], into(store))).out).toContain('0 created, 0 updated, 2 unchanged');
    const renamed = await list(header, 'AAA,Omega Works,NYSE,equity,USD', 'BBB,Beta,NYSE,equity,USD');
    expect((await run([renamed], into(store))).out).toContain('0 created, 1 updated, 1 unchanged');
    expect(await suggested(store, 'alpha')).toEqual([]);
    expect(await suggested(store, 'omega')).toEqual(['AAA']);
    expect(await suggested(store, 'works')).toEqual(['AAA']);
    expect(await suggested(store, 'beta')).toEqual(['BBB']);
  });

  test('adds to the stored instruments and removes none', async () => {
    const store = await emptyStore();
    const full =
      'symbol,name,exchange,asset_class,quote_currency,tick_size,swap_long,swap_calculation,tradable';
    await run([await list(full, 'CCC,Gamma,NYSE,equity,USD,0.05,-1.5,percentage,no')], into(store));
    await run([await list('symbol,security', 'ccc,Gamma Corporation')], into(store));
    expect(await find(store, 'CCC')).toMatchObject({
      name: 'Gamma Corporation',
      exchange: 'NYSE',
      tick_size: 0.05,
      swap_long: -1.5,
      tradable: false,
    });
  });

  test('is only checked in a dry run', async () => {
    const store = await emptyStore();
    const file = await list('symbol,security', 'DDD,Delta', ',Nothing');
    const { code, out, err } = await run(['--dry-run', file], into(store));
    expect({ code, err }).toEqual({ code: 1, err: ['line 3: the line has no symbol'] });
    expect(out).toContain('1 created, 0 updated, 0 unchanged, 0 skipped, 1 failed. Nothing was written');
    expect(out).not.toContain('Written to');
    expect(await find(store, 'DDD')).toBeUndefined();
    expect(await suggested(store, 'delta')).toEqual([]);
  });

  test("that a broker offers is listed under the broker's tickers", async () => {
    const store = await emptyStore();
    await store.transact(listedBrokerWrites({ broker_id: 77, name: 'North Broker', subdomain: 'north' }));
    const file = await list(PROPERTIES, 'oanda,EURUSD,forex,EUR/USD,USD,1,0.00001,1,EURUSD.x');
    expect((await run([file, '--broker', 'North'], into(store))).code).toBe(0);
    expect((await listOffered(store, 'north')).map(({ listings }) => listings)).toEqual([
      { north: { broker_id: 77, symbol: 'EURUSD.x', servers: [] } },
    ]);
    const found = await suggestInstruments(store, {
      text: 'eurusdx',
      assetClass: 'forex',
      scope: 'broker:77',
    });
    expect(found.map(({ symbol }) => symbol)).toEqual(['EURUSD']);
    const { code, err } = await run([file, '--broker', 'south'], into(store));
    expect({ code, err }).toEqual({ code: 1, err: ['There is no broker south.'] });
  });
});

describe('a wrong line', () => {
  test('is reported, and the other lines are imported', async () => {
    const store = await emptyStore();
    const file = await list(
      '\ufeffSymbol,Name,Exchange,Asset Class,Quote Currency,Tick Size,Tradable',
      'OK1,"Quoted, Inc.",NYSE,equity,USD,0.01,true',
      '[*],Wildcard,NYSE,equity,USD,0.01,true',
      'BAD1,No Number,NYSE,equity,USD,1.2.3,true',
      'BAD2,Negative,NYSE,equity,USD,-1,true',
      'BAD3,Unknown Class,NYSE,bond,USD,0.01,true',
      '',
      'BAD4,Too many,NYSE,equity,USD,0.01,true,1',
      'BAD5,"Never closed,NYSE,equity,USD,0.01,true',
      'BAD6,Broken "quote",NYSE,equity,USD,0.01,true',
      'BAD7,No Exchange,,equity,USD,0.01,true',
      'BAD8,Hex,NYSE,equity,USD,0x10,true',
      'OK2,"Two\nLines",NYSE,equity,USD,0.01,false',
      'BAD9,Neither,NYSE,equity,USD,0.01,perhaps',
      'OK3,Short,NYSE,equity,USD',
    );
    const { code, out, err } = await run([file], into(store));
    expect(code).toBe(1);
    expect(out).toContain('13 lines: 3 created, 0 updated, 0 unchanged, 0 skipped, 10 failed');
    const failed = err.map((line) => Number(/^line (\d+): ./.exec(line)?.[1]));
    expect(failed).toEqual([3, 4, 5, 6, 8, 9, 10, 11, 12, 15]);
    expect(err.join('\n')).toContain('line 6: bond is not one of the classes');
    for (const symbol of ['OK1', 'OK2', 'OK3']) expect(await find(store, symbol)).toBeDefined();
    expect(await find(store, 'OK2')).toMatchObject({ name: 'Two Lines', tradable: false });
  });

  test('is one whose symbol already belongs to another instrument', async () => {
    const store = await emptyStore();
    const file = await list(
      PROPERTIES,
      'coinbase,BTCEUR,crypto,Bitcoin-Euro,EUR,1,0.01,0.0001',
      'binance,BTCEUR,crypto,BTCEUR,EUR,1,0.01,0.00001',
    );
    const first = await run([file], into(store));
    expect(first.code).toBe(1);
    expect(first.err).toEqual([
      expect.stringMatching(/^line 3: BTCEUR is already an instrument of coinbase/),
    ]);
    expect((await run([file], into(store))).out).toContain('1 unchanged, 0 skipped, 1 failed');
    expect((await run([file, '--qualify'], into(store))).code).toBe(0);
    expect(await suggested(store, 'btceur', 'crypto')).toEqual([
      'BTCEUR',
      'BINANCE:BTCEUR',
      'COINBASE:BTCEUR',
    ]);
  });

  test('can get a class, or be left out, by its type', async () => {
    const store = await emptyStore();
    const file = await list(
      PROPERTIES,
      'oanda,US30USD,cfd,US Wall St 30,USD,1,0.1,0.1',
      'cme,ES,future,E-mini S&P 500 Futures,USD,50,0.25,1',
    );
    expect((await run([file], into(store))).err).toHaveLength(2);
    const { code, out } = await run([file, '--map', 'cfd=index', '--map', 'future=skip'], into(store));
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('1 created, 0 updated, 0 unchanged, 1 skipped'),
    });
    expect(await find(store, 'US30USD')).toMatchObject({ asset_class: 'index' });
  });
});

describe('an import that cannot start', () => {
  test.each([
    [[], 'npm run import-instruments -- FILE'],
    [['nowhere.csv'], 'nowhere.csv is not a list: it cannot be read.'],
    [['infra'], 'infra is not a list: it is not a file.'],
    [['package.json', '--format', 'xml'], 'There is no format xml'],
    [['--map', 'x=bond', 'infra/catalogue/data/index.csv'], '--map x=bond: expected TYPE=CLASS'],
  ])('%j is refused with the reason', async (args, message) => {
    const { code, err } = await run(args, into(shared));
    expect({ code, err: err.join('\n') }).toEqual({ code: 1, err: expect.stringContaining(message) });
  });

  test('a file with unknown columns is refused with the reason', async () => {
    const file = await list('a,b', '1,2');
    const { code, err } = await run([file], into(shared));
    expect({ code, err }).toEqual({
      code: 1,
      err: [expect.stringContaining('The columns match no format')],
    });
    const repeated = await list('symbol,asset_class,Quote Currency,quote_currency', 'A,equity,USD,EUR');
    expect((await run([repeated], into(shared))).err).toEqual([
      expect.stringContaining('it has several columns quote_currency.'),
    ]);
    const empty = await run([await list()], into(shared));
    expect(empty.code).toBe(1);
  });
});

describe('the data of the local engine', () => {
  test('gets the import while the engine is stopped', async () => {
    const dataDir = join(dir, 'hub');
    const file = await list('symbol,security', 'EEE,Epsilon');
    expect(await run([file], { HUB_DATA_DIR: dataDir })).toMatchObject({ code: 0, err: [] });
    expect((await run([file], { HUB_DATA_DIR: dataDir })).out).toContain('1 unchanged');
  });

  test('gets the items of one import at once, with those of the search', async () => {
    const dataDir = join(dir, 'loaded');
    const lines = Array.from({ length: 1500 }, (_, n) => `L${n},equity,USD,Loaded Share ${n},NASDAQ`);
    const file = await list('symbol,asset_class,quote_currency,name,exchange', ...lines);
    expect(await run([file], { HUB_DATA_DIR: dataDir })).toMatchObject({ code: 0, err: [] });
    const target = await openTarget({ HUB_DATA_DIR: dataDir });
    expect(await find(target.store, 'L1499')).toMatchObject({ name: 'Loaded Share 1499' });
    expect(await suggested(target.store, 'share 1499')).toEqual(['L1499']);
    await target.close();
    // A changed name leaves no old search entries.
    const renamed = await list(
      'symbol,asset_class,quote_currency,name,exchange',
      'L7,equity,USD,Seventh,NASDAQ',
      'M,equity,USD,M,NASDAQ',
    );
    expect((await run([renamed], { HUB_DATA_DIR: dataDir })).out).toContain('1 created, 1 updated');
    const again = await openTarget({ HUB_DATA_DIR: dataDir });
    expect(await suggested(again.store, 'share 7')).not.toContain('L7');
    expect(await suggested(again.store, 'seventh')).toEqual(['L7']);
    await again.close();
  });

  test('gets the import while the engine runs on it', async () => {
    const dataDir = join(dir, 'served');
    const state = openState(dataDir);
    const served = join(dataDir, 'table.sqlite');
    const dynamo = await startDynamo(served);
    const store = new Store(openEngineClient(dynamo.endpoint), LOCAL.table);
    await createTable(store.client, store.table);
    await store.batchWrite([{ put: { pk: 'other', sk: 'item', n: 1 } }]);
    state.announce({
      url: 'http://localhost:3000',
      dynamodb: dynamo.endpoint,
      bus: 'http://127.0.0.1:3001',
      file: served,
    });
    const file = await list('symbol,security', 'GGG,Gamma Group');
    const imported = await run([file], { HUB_DATA_DIR: dataDir });
    expect(imported).toMatchObject({ code: 0, err: [] });
    expect(imported.out).toContain('of the service at http://localhost:3000');
    expect(await find(store, 'GGG')).toMatchObject({ name: 'Gamma Group' });
    expect(await suggested(store, 'group')).toEqual(['GGG']);
    expect(await store.getMany([{ pk: 'other', sk: 'item' }])).toEqual([{ pk: 'other', sk: 'item', n: 1 }]);
    store.client.destroy();
    await dynamo.close();
    state.close();
  });

  inSoak('gets the import through a running engine without a file, and not while it starts', async () => {
    const dataDir = join(dir, 'running');
    const file = await list('symbol,security', 'FFF,Phi');
    const store = new Store(client, LOCAL.table);
    await createTable(client, store.table);
    const state = openState(dataDir);
    const starting = await run([file], { HUB_DATA_DIR: dataDir });
    expect(starting).toMatchObject({ code: 1, err: [expect.stringContaining('is in use by')] });
    state.announce({ url: 'http://localhost:3000', dynamodb: endpoint, bus: 'http://127.0.0.1:3001' });
    const running = await run([file], { HUB_DATA_DIR: dataDir });
    state.close();
    expect(running).toMatchObject({ code: 0, err: [] });
    expect(running.out).toContain('of the service at http://localhost:3000');
    expect(await find(store, 'FFF')).toMatchObject({ name: 'Phi' });
  });
});

inSoak.each([
  ['dry runs', ['--dry-run']],
  ['bulk loads', []],
])('a list larger than the heap can be imported by %s', async (way, flags) => {
  // The heap must hold the program with room for its garbage, and be smaller than the list as objects.
  const [count, heapMb] = [120_000, 96];
  const file = join(dir, `${way}.csv`);
  const stream = createWriteStream(file);
  stream.write('symbol,name,exchange,asset_class,quote_currency\n');
  for (let index = 0; index < count; index++) {
    if (!stream.write(`L${index},"Long List Company ${index}, Incorporated",NYSE,equity,USD\n`))
      await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  const { code, out } = await run([...flags, file], { HUB_DATA_DIR: join(dir, way) }, [
    `--max-old-space-size=${heapMb}`,
  ]);
  const all = count.toLocaleString('en');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`${all} lines: ${all} created`) });
});

inSoak('Ctrl-C ends an import with a summary, and the same command continues it', async () => {
  const store = await emptyStore();
  const lines = Array.from({ length: 4000 }, (_, n) => `S${n},equity,USD,Number ${n},NASDAQ`);
  const file = await list('symbol,asset_class,quote_currency,name,exchange', ...lines);
  const child = spawn(process.execPath, ['infra/commands/import-instruments.ts', file], {
    cwd: ROOT,
    env: { ...CHILD_ENVIRONMENT, ...into(store) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  while ((await find(store, 'S0')) === undefined) await wait(20);
  child.kill('SIGINT');
  expect(await exited).toEqual([130, null]);
  const [, done = ''] = /^Interrupted after ([\d,]+) lines\. Run the same command/.exec(said) ?? [];
  const count = Number(done.replace(',', ''));
  expect(said).toContain(`${done} lines: ${done} created`);
  expect(count).toBeLessThan(4000);
  const { code, out } = await run([file], into(store));
  const left = (4000 - count).toLocaleString('en');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`4,000 lines: ${left} created, 0 updated, ${done} unchanged`),
  ]);
  expect(await find(store, 'S3999')).toMatchObject({ name: 'Number 3999' });
});

inSoak('Ctrl-C in a terminal ends a bulk load with a summary', async () => {
  const dataDir = join(dir, 'interrupted');
  const lines = Array.from({ length: 20_000 }, (_, n) => `S${n},equity,USD,Number ${n},NASDAQ`);
  const file = await list('symbol,asset_class,quote_currency,name,exchange', ...lines);
  const child = spawn(process.execPath, ['infra/commands/import-instruments.ts', file], {
    cwd: ROOT,
    env: { ...CHILD_ENVIRONMENT, HUB_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A terminal sends Ctrl-C to all processes of the group.
    detached: true,
  });
  const exited = once(child, 'exit');
  const said = text(child.stdout);
  const hasItems = (): boolean => {
    try {
      using database = new DatabaseSync(join(dataDir, 'table.sqlite'), { readOnly: true });
      return database.prepare(`SELECT 1 FROM "${LOCAL.table}" LIMIT 1`).get() !== undefined;
    } catch {
      return false; // The table does not exist yet.
    }
  };
  while (!hasItems()) await wait(20);
  process.kill(-Number(child.pid), 'SIGINT');
  expect(await exited).toEqual([130, null]);
  const [, done = ''] = /^Interrupted after ([\d,]+) lines\. Run the same command/.exec(await said) ?? [];
  const count = Number(done.replace(',', ''));
  expect(count % 1000).toBe(0);
  expect(count).toBeLessThan(20_000);
  const { code, out } = await run([file], { HUB_DATA_DIR: dataDir });
  const left = (20_000 - count).toLocaleString('en');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`20,000 lines: ${left} created, 0 updated, ${done} unchanged`),
  ]);
});
