import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { ENGINE_REQUESTED, SCANNERS_DUE } from '../../../shared/data/engine/events.ts';
import { findPrograms } from '../../../shared/data/engine/programs.ts';
import { findScanners } from '../../../shared/data/engine/scanners.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { rulesWith } from '../../support/rules.ts';
import { matchesOfUser, minute } from '../../support/scanners.ts';
import { allInUse } from '../../support/series-in-use.ts';
import { soakable } from '../../support/soak.ts';
import { build, furnishWithInstruments, person } from '../../support/strategies.ts';

const SYMBOLS = ['BTCUSD', 'BTCUSDT'];

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, SYMBOLS);
});
afterAll(() => hub.close());

/** Lets a test fail for a record that cannot be read. */
const fail = (error: Error): never => {
  throw error;
};

const barOf = (index: number, close: number) => ({
  start: minute(index),
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});

let worlds = 0;

/** Returns a universe whose instruments but the last have candles of minute 0, and a feed that sends the next ones. */
const newWorld = async () => {
  const name = `world-${++worlds}`;
  const symbols = ['AAA', 'BBB', 'CCC', 'NOBARS'].map((symbol) => `${symbol}${worlds}`);
  const { store } = hub.runtime;
  const [item] = await store.getMany([keys.instrument('BTCUSD')]);
  for (const symbol of symbols) await store.put({ ...item, ...keys.instrument(symbol), symbol });
  const universe = { universe_id: name, name, description: '', symbols };
  await store.put({ ...universe, ...keys.universe(name), entity: 'universe' });
  const facts = {
    timeframe: '1m',
    asset_class: 'crypto',
    calendar: 'always',
    source: name,
    adjustment: 'none',
  } as const;
  const stored = symbols.slice(0, 3);
  for (const symbol of stored) await appendBars(store, { ...facts, symbol }, columnsOf([barOf(0, 100)]));

  const send = (on: Worker, type: string, detail: object) =>
    takeEngineEvent(on.engine, {
      'detail-type': type,
      source: name,
      time: new Date(hub.runtime.clock().getTime() - 60_000).toISOString(),
      detail: { version: 1, timeframe: '1m', ...detail },
    });
  return {
    name,
    stored,
    group: { timeframe: '1m' as const, feed: `1m#${name}` },
    deploy: async (rules: unknown, timeframe = '1m') => {
      const { user_id } = await person(hub);
      // Only this plan scans bars of one minute.
      await store.transact([{ key: keys.user(user_id), set: { plan: 'unlimited' } }]);
      const { body: strategy } = await build(hub, { user_id, symbol: 'BTCUSD', timeframe });
      const set = await hub.call('POST /set_strategy_rules', {
        query: { user_id, strategy_id: String(strategy.strategy_id) },
        json: rules,
      });
      expect(set.status).toBe(200);
      const { body } = await hub.call('POST /deploy_scanner', {
        query: { keygen: strategy.keygen, universe_id: name },
      });
      return { user_id, id: body.deployment_id as number };
    },
    close: (on: Worker, symbol: string, index: number, close: number) =>
      send(on, 'Bar Closed', {
        symbol,
        ...barOf(index, close),
        start: new Date(minute(index)).toISOString(),
      }),
    split: (on: Worker, symbol: string, index: number) =>
      send(on, 'Split Declared', { symbol, ratio: '4:1', at: new Date(minute(index)).toISOString() }),
    complete: (on: Worker, index: number) =>
      send(on, 'Bars Complete', { through: new Date(minute(index + 1)).toISOString() }),
  };
};

const found = ({ user_id }: { user_id: string }) => matchesOfUser(hub, user_id);
const above = (price: number) => rulesWith({ left: { price: 'close' }, op: 'gt', right: price });

test('a scanner compares the bars of a split symbol in new units', async () => {
  const { stored, deploy, close, complete, split } = await newWorld();
  const [aaa = '', bbb = ''] = stored;
  const falling = rulesWith({ left: { price: 'close' }, op: 'lt', right: { indicator: 'sma', length: 3 } });
  const scanner = await deploy(falling);
  const on = worker(hub);
  await startEngine(on, scanner.id);
  // Two containers, of which one keeps its programs.
  const bars = async (index: number, closes: readonly number[]) => {
    for (const [number, price] of closes.entries()) {
      await close(number % 2 === index % 2 ? on : worker(hub), stored[number] ?? '', index, price);
    }
    await complete(on, index);
  };
  for (let index = 1; index < 5; index += 1) await bars(index, [100 + index, 100 + index]);
  await split(on, aaa, 5);
  await bars(5, [26.5, 106]);
  await bars(6, [26.75, 107]);
  expect(await found(scanner)).toEqual([]);
  await bars(7, [26, 104]);
  await bars(8, [27, 103]);
  expect(await found(scanner)).toEqual([
    { at: minute(7), symbols: [aaa, bbb] },
    { at: minute(8), symbols: [bbb] },
  ]);
});

test('a scanner starts with the instruments that have candles, and reports their matches of later bars', async () => {
  const { name, stored, group, deploy, close, complete } = await newWorld();
  const [aaa = '', bbb = '', ccc = ''] = stored;
  const scanner = await deploy(above(90));
  const on = worker(hub);
  await startEngine(on, scanner.id);
  await startEngine(on, scanner.id);
  const { body } = await hub.call('POST /get_scanner_deployments', { query: { user_id: scanner.user_id } });
  expect(body.items[0]).toMatchObject({ status: 'active', universe_id: name, matches_count: 0 });
  expect(await findScanners(hub.runtime.store, group, fail)).toHaveLength(1);
  const used = (await allInUse(hub.runtime.store)).map(({ symbol }) => symbol);
  expect(used).toEqual(expect.arrayContaining(stored));
  await close(on, aaa, 1, 91);
  await close(on, bbb, 1, 89);
  // Another container repeats a bar.
  await close(worker(hub), aaa, 1, 91);
  await complete(on, 1);
  expect(await found(scanner)).toEqual([{ at: minute(1), symbols: [aaa] }]);
  await close(worker(hub), aaa, 2, 92);
  await close(on, ccc, 2, 93);
  await complete(on, 2);
  expect((await found(scanner)).slice(1)).toEqual([{ at: minute(2), symbols: [aaa, ccc] }]);
  // The hub itself says so for the feeds that it pulls.
  await close(on, bbb, 3, 94);
  await takeEngineEvent(on.engine, {
    'detail-type': SCANNERS_DUE,
    time: new Date(0).toISOString(),
    detail: { version: 1, feed: name, timeframe: '1m', through: new Date(minute(4)).toISOString() },
  });
  expect((await found(scanner)).slice(2)).toEqual([{ at: minute(3), symbols: [bbb] }]);
});

/** Damages the series of symbols. @returns a function that mends them */
const damageSeries = async (symbols: readonly string[]) => {
  const { store } = hub.runtime;
  const found = await store.getMany(symbols.map((symbol) => keys.series(symbol, '1m')));
  const before = found.flatMap((item): Item[] => (item ? [item] : []));
  for (const item of before) await store.put({ ...item, count: undefined });
  return async () => {
    for (const item of before) await store.put(item);
  };
};

test('a scanner starts without an instrument whose series is damaged, and tells which one', async () => {
  const { stored, deploy, close, complete } = await newWorld();
  const [aaa = '', bbb = '', ccc = ''] = stored;
  const scanner = await deploy(above(90));
  const mend = await damageSeries([bbb]);
  const on = worker(hub);
  hub.log.length = 0;
  await startEngine(on, scanner.id);
  expect(hub.log).toContainEqual(
    expect.objectContaining({
      message: 'a record cannot be read',
      extra: {
        operation: 'engine',
        record: `the item SERIES#${bbb}#1m, TAIL cannot be read: count: field required`,
      },
    }),
  );
  const { body } = await hub.call('POST /get_scanner_deployments', { query: { user_id: scanner.user_id } });
  expect(body.items[0]).toMatchObject({ status: 'active' });
  await mend();
  const { body: engine } = await hub.call('GET /get_deployment_engine', {
    query: { user_id: scanner.user_id, deployment_id: String(scanner.id) },
  });
  expect(engine.scanner).toMatchObject({
    watched: [aaa, ccc],
    without_candles_count: 2,
    without_candles: [bbb, expect.stringMatching(/^NOBARS/)],
  });
  await close(on, aaa, 1, 91);
  await close(on, ccc, 1, 92);
  await complete(on, 1);
  expect(await found(scanner)).toEqual([{ at: minute(1), symbols: [aaa, ccc] }]);
});

test('a scanner waits while all series of its universe are damaged', async () => {
  const { stored, deploy } = await newWorld();
  const scanner = await deploy(above(90));
  const mend = await damageSeries(stored);
  await expect(startEngine(worker(hub), scanner.id)).rejects.toThrow();
  await mend();
  await startEngine(worker(hub), scanner.id);
  const { body } = await hub.call('POST /get_scanner_deployments', { query: { user_id: scanner.user_id } });
  expect(body.items[0]).toMatchObject({ status: 'active' });
});

test('programs are shared by scanners and removed with the last one', async () => {
  const { stored, group, deploy, close, complete } = await newWorld();
  const [aaa = ''] = stored;
  const scanners = [await deploy(above(80)), await deploy(above(80))];
  const on = worker(hub);
  for (const { id } of scanners) await startEngine(on, id);
  const programs = async () => (await findPrograms(hub.runtime.store, aaa, '1m', 0)).programs;
  expect(await programs()).toMatchObject([{ scans: true }]);
  for (const [index, { user_id, id }] of scanners.entries()) {
    await hub.call('POST /undeploy_scanner', { query: { user_id, deployment_id: String(id) } });
    await endEngine(on, id);
    await endEngine(on, id);
    expect(await programs()).toHaveLength(1 - index);
    expect(await findScanners(hub.runtime.store, group, fail)).toHaveLength(1 - index);
  }
  await close(on, aaa, 1, 91);
  await complete(on, 1);
  for (const each of scanners) expect(await found(each)).toEqual([]);
});

test('a program that works for another deployment stays without the mark of the last scanner', async () => {
  const { stored, deploy } = await newWorld();
  const [aaa = ''] = stored;
  const scanner = await deploy(above(80));
  const on = worker(hub);
  await startEngine(on, scanner.id);
  const programs = async () => (await findPrograms(hub.runtime.store, aaa, '1m', 0)).programs;
  const [program] = await programs();
  await hub.runtime.store.put({ ...keys.subscriber(program?.program_id ?? '', 'N', 1) });
  await hub.call('POST /undeploy_scanner', {
    query: { user_id: scanner.user_id, deployment_id: String(scanner.id) },
  });
  await endEngine(on, scanner.id);
  const [kept] = await programs();
  expect([kept?.program_id, kept?.scans]).toEqual([program?.program_id, undefined]);
});

test('a scanner of a universe without candles ends with the reason', async () => {
  const { name, deploy } = await newWorld();
  const { store } = hub.runtime;
  const [item] = await store.getMany([keys.universe(name)]);
  await store.put({ ...item, ...keys.universe(name), symbols: ['NOBARS'] });
  const { user_id, id } = await deploy(above(80));
  await startEngine(worker(hub), id);
  const { body } = await hub.call('POST /get_scanner_deployments', { query: { user_id } });
  expect(body.items[0]).toMatchObject({ status: 'error' });
});

test('a watermark closes larger bars without their last minute, and runs their scanners', async () => {
  const { stored, deploy, close, complete } = await newWorld();
  const [aaa = '', bbb = ''] = stored;
  const scanner = await deploy(above(90), '5m');
  const on = worker(hub);
  await startEngine(on, scanner.id);
  for (let index = 1; index <= 9; index++) {
    await close(on, aaa, index, 91);
    if (index !== 9) await close(on, bbb, index, 92);
    if (index !== 9) await complete(on, index);
  }
  expect(await found(scanner)).toEqual([]);
  await complete(on, 9);
  expect(await found(scanner)).toEqual([{ at: minute(5), symbols: [aaa, bbb] }]);
});

test('a scanner, or a match, that cannot be read stops no other scanner', async () => {
  const { stored, group, deploy, close, complete } = await newWorld();
  const [aaa = '', bbb = ''] = stored;
  const scanners = [await deploy(above(90)), await deploy(above(91))];
  const on = worker(hub);
  for (const { id } of scanners) await startEngine(on, id);
  const { store } = hub.runtime;
  const key = keys.scanner(group.timeframe, group.feed, scanners[0]?.id ?? 0);
  const [item] = await store.getMany([key]);
  await store.put({ ...key, entity: 'scanner' });
  // A group of a larger timeframe whose progress is damaged.
  await store.put({ ...keys.scannerRun('5m', group.feed), entity: 'scanner_run' });
  hub.log.length = 0;
  await close(on, aaa, 1, 95);
  await complete(on, 1);
  const [, other = { user_id: '' }] = scanners;
  expect(await found(other)).toEqual([{ at: minute(1), symbols: [aaa] }]);
  const named = (): unknown[] =>
    hub.log.flatMap(({ message, extra }) => (message === 'a record cannot be read' ? [extra.record] : []));
  expect(new Set(named())).toEqual(
    new Set([
      `the item ${key.pk}, ${key.sk} cannot be read: deployment_id: field required; rules_hash: field required`,
      expect.stringMatching(/^the item SCANNERS#5m#.*, RUN cannot be read: through: field required/),
    ]),
  );
  await store.put({ ...item, ...key });
  await close(on, aaa, 2, 96);
  await close(on, bbb, 2, 96);
  const own = (await findScanners(store, group, fail)).find(
    ({ deployment_id }) => deployment_id === scanners[0]?.id,
  );
  const { pk } = keys.scanMatch(own?.rules_hash ?? '', group.timeframe, group.feed, 0, '');
  const matches = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
  });
  const match = matches.find(({ symbol, start }) => symbol === aaa && start === minute(2));
  if (!match) throw new Error('there is no match to damage');
  await store.put({ ...match, price: undefined });
  hub.log.length = 0;
  await complete(on, 2);
  expect((await found(scanners[0] ?? other)).at(-1)).toEqual({ at: minute(2), symbols: [bbb] });
  expect((await found(other)).at(-1)).toEqual({ at: minute(2), symbols: [aaa, bbb] });
  expect(named()).toContain(`the item ${pk}, ${match.sk} cannot be read: price: field required`);
});

test('a start without time for all instruments goes on in another run', async () => {
  const { stored, group, deploy } = await newWorld();
  const scanner = await deploy(above(80));
  const hurried = worker(hub);
  await startEngine({ ...hurried, engine: { ...hurried.engine, hasTime: () => false } }, scanner.id);
  expect(hurried.events).toEqual([
    { 'detail-type': ENGINE_REQUESTED, detail: { version: 1, deployment_id: scanner.id } },
  ]);
  expect(await findScanners(hub.runtime.store, group, fail)).toEqual([]);
  await startEngine(worker(hub), scanner.id);
  expect(await findScanners(hub.runtime.store, group, fail)).toHaveLength(1);
  for (const symbol of stored) {
    expect((await findPrograms(hub.runtime.store, symbol, '1m', 0)).programs).toHaveLength(1);
  }
});

/** Evaluates rules plainly: the close over the mean of the last closes, from the bar after the first mean on. */
const plainMatches = (length: number, bars: readonly (readonly [index: number, close: number])[]): number[] =>
  bars.flatMap(([index, close], position) => {
    if (position < length) return [];
    const last = bars.slice(position - length + 1, position + 1);
    return close > last.reduce((sum, [, each]) => sum + each, 0) / length ? [index] : [];
  });

test('the matches of a scanner are those of a plain evaluation of its rules over the candles', async () => {
  const step = fc.record({
    /** Instruments with a bar, in the order of arrival. */
    closes: fc.shuffledSubarray([0, 1, 2]),
    price: fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 3, maxLength: 3 }),
    isComplete: fc.boolean(),
    isCold: fc.boolean(),
    isRepeated: fc.boolean(),
  });
  const steps = fc.array(step, { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 4 }), steps, async (length, all) => {
      const { stored, deploy, close, complete } = await newWorld();
      const scanner = await deploy(
        rulesWith({ left: { price: 'close' }, op: 'gt', right: { indicator: 'sma', length } }),
      );
      const bars = new Map(stored.map((symbol) => [symbol, [[0, 100] as [number, number]]]));
      let on = worker(hub);
      await startEngine(on, scanner.id);
      for (const [before, { closes, price, isComplete, isCold, isRepeated }] of all.entries()) {
        const index = before + 1;
        if (isCold) on = worker(hub);
        for (const one of isRepeated ? [...closes, ...closes] : closes) {
          await close(on, stored[one] ?? '', index, price[one] ?? 0);
        }
        for (const one of closes) bars.get(stored[one] ?? '')?.push([index, price[one] ?? 0]);
        if (isComplete || index === all.length) await complete(on, index);
        if (isRepeated && isComplete) await complete(worker(hub), index);
      }
      const reported = (await found(scanner)).flatMap(({ at, symbols }: { at: number; symbols: string[] }) =>
        symbols.map((symbol) => `${(at - minute(0)) / 60_000} ${symbol}`),
      );
      const expected = [...bars].flatMap(([symbol, own]) =>
        plainMatches(length, own).map((index) => `${index} ${symbol}`),
      );
      expect(reported.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: soakable(3, 30), endOnFailure: true },
  );
});
