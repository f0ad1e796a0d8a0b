import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { findNewestSeries } from '../../../shared/data/candles/newest-series.ts';
import { ownSeriesIn, ownSeriesWrite } from '../../../shared/data/candles/own-series.ts';
import { ownSymbol } from '../../../shared/data/candles/own-symbol.ts';
import { budgetOf } from '../../../shared/data/table/budgets.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import { ownCandleLimits, ownCandleWork } from '../../../shared/domain/plans.ts';
import { takeJobEvents } from '../../support/backtest-jobs.ts';
import { runBacktest, sweepStrategy } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { runJob } from '../../support/jobs.ts';
import { importOwnCandles, ownRows } from '../../support/own-candles.ts';
import { prove, registerUnproven } from '../../support/people.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { furnishWithInstruments, list, person, setState } from '../../support/strategies.ts';
import { passTime } from '../../support/track-records.ts';
import { deployTrading } from '../../support/trading.ts';

const MINUTE_MS = 60_000;

/** Returns a value without the fields that follow the clock. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, one) => (/_at$|^as_of$|^delay/.test(name) ? undefined : one)));

const DAY_MS = 1440 * MINUTE_MS;

let hub: TestHub;
let user_id: string;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY', 'QQQ', 'IBM', 'BTCUSD']);
});
beforeEach(async () => {
  user_id = (await person(hub)).user_id;
});
afterAll(() => hub.close());

const listed = async (owner = user_id) =>
  (await hub.call('GET /get_own_candles', { query: { user_id: owner } })).body;

const remove = (more: Readonly<Record<string, string>> = {}) =>
  hub.call('POST /remove_own_candles', { query: { user_id, symbol: 'SPY', timeframe: '1d', ...more } });

/** Lets workers finish everything. */
const workOff = async (): Promise<void> => {
  for (let events = await takeJobEvents(hub); events.length > 0; events = await takeJobEvents(hub)) {
    for (const event of events) await takeJobEvent(hub.runtime, event, () => Number.POSITIVE_INFINITY);
  }
};

/** Minutes of a market that never closes, each some days after the one before. */
const minuteRows = (count: number, everyMs: number): number[][] =>
  Array.from({ length: count }, (_, index) => {
    const price = 100 + 5 * Math.sin(index / 7);
    return [Date.UTC(2020, 0, 6) + index * everyMs, price, price + 0.5, price - 0.5, price + 0.25, 10];
  });

describe('own candles', () => {
  test('are listed, and replaced and removed by their owner', async () => {
    const rows = ownRows();
    expect((await importOwnCandles(hub, user_id)).body).toMatchObject({
      taken: 500,
      added: 500,
      replaced: 0,
    });
    expect((await importOwnCandles(hub, user_id)).body).toMatchObject({ added: 0, replaced: 0 });
    const changed = rows.slice(3, 4).map(([start = 0]) => [start, 50, 60, 40, 55, 1]);
    expect((await importOwnCandles(hub, user_id, { bars: changed })).body).toMatchObject({
      added: 0,
      replaced: 1,
    });
    expect(await listed()).toEqual({
      items: [
        {
          symbol: 'SPY',
          timeframe: '1d',
          source: 'Yahoo',
          adjustment: 'none',
          time_zone: 'America/New_York',
          session_open: null,
          count: 500,
          first: '2010-01-04T05:00:00.000Z',
          last: new Date(rows.at(-1)?.[0] ?? 0).toISOString(),
          changed_at: expect.any(String),
        },
      ],
      most_series: ownCandleLimits('free').series,
      most_candles: ownCandleLimits('free').candles,
    });
    for (let time = 0; time < 2; time++) expect((await remove()).status).toBe(200);
    expect((await listed()).items).toEqual([]);
    expect(await hub.tableText()).not.toContain(ownSymbol(user_id, 'SPY'));
    const again = await importOwnCandles(hub, user_id, { source: 'Stooq', adjustment: 'splits' });
    expect(again.body.series).toMatchObject({ source: 'Stooq', adjustment: 'splits' });
  });

  test('of parts in any order make one series', async () => {
    const rows = ownRows();
    for (const bars of [rows.slice(300), rows.slice(0, 200), rows.slice(100, 400)]) {
      await importOwnCandles(hub, user_id, { bars });
    }
    expect((await listed()).items).toMatchObject([{ count: 500 }]);
    const own = await runBacktest(hub, user_id, { candles: 'own' });
    await remove();
    await importOwnCandles(hub, user_id);
    const whole = await runBacktest(hub, user_id, { candles: 'own' });
    expect(own.body.candles_hash).toBe(whole.body.candles_hash);
  });

  test('that reach over many items are taken in several requests', async () => {
    const rows = minuteRows(300, 5 * DAY_MS);
    const series = { symbol: 'BTCUSD', timeframe: '1m' };
    let left = rows;
    let requests = 0;
    while (left.length > 0) {
      const { body } = await importOwnCandles(hub, user_id, { ...series, bars: left });
      expect(body.taken).toBeGreaterThan(0);
      left = left.slice(body.taken);
      requests += 1;
    }
    expect(requests).toBeGreaterThan(3);
    expect((await listed()).items).toMatchObject([{ ...series, count: 300 }]);
  });

  test('with faults are refused with the place of each, and change nothing', async () => {
    const [a = [], b = [], c = []] = ownRows('2010-01-04', 3);
    const off = [(c[0] ?? 0) + 1, 1, 1, 1, 1, 1];
    const cases = [
      { bars: [b, a], at: ['body', 'bars', 1], msg: 'the time is not after that of the candle before' },
      { bars: [a, a], at: ['body', 'bars', 1], msg: 'the time is not after that of the candle before' },
      {
        bars: [a, [b[0] ?? 0, 10, 9, 8, 10, 0], c],
        at: ['body', 'bars', 1],
        msg: 'the high is not the highest price',
      },
      { bars: [a, off], at: ['body', 'bars', 1], msg: 'daily bars start at midnight in America/New_York' },
      {
        bars: [a, [b[0] ?? 0, 1, 1, 1, 1, 0]],
        at: ['body', 'bars', 1],
        msg: expect.stringContaining('not plausible after 101'),
      },
      {
        bars: [[Date.UTC(2150, 0, 5, 5), 1, 1, 1, 1, 1]],
        at: ['body', 'bars', 0],
        msg: 'the candle has not begun yet',
      },
      ...[-1e300, -8.7e15, -1e14, -1, 0.5].map((start) => ({
        bars: [[start, 1, 1, 1, 1, 1]],
        at: ['body', 'bars', 0],
        msg: expect.any(String),
      })),
      ...[-1, 1e300, 0.5e-300].map((price) => ({
        bars: [[a[0] ?? 0, price, price, price, price, 1]],
        at: ['body', 'bars', 0],
        msg: expect.stringMatching(/open/),
      })),
      {
        bars: [[a[0] ?? 0, 1, 1, 1, 1, 1e300]],
        at: ['body', 'bars', 0],
        msg: expect.stringContaining('volume'),
      },
      { bars: [[1, 2, 3]], at: ['body', 'bars', 0], msg: expect.any(String) },
      { bars: [], at: ['body', 'bars'], msg: expect.any(String) },
      { bars: Array.from({ length: 2001 }, () => a), at: ['body', 'bars'], msg: expect.any(String) },
    ];
    for (const { bars, at, msg } of cases) {
      const { status, body } = await importOwnCandles(hub, user_id, { bars });
      expect({ status, detail: body.detail[0] }).toMatchObject({ status: 422, detail: { loc: at, msg } });
    }
    for (const symbol of ['NOSUCH', '~x~SPY', '']) {
      const { status, body } = await importOwnCandles(hub, user_id, { symbol });
      expect({ status, loc: body.detail[0].loc }).toEqual({ status: 422, loc: ['body', 'symbol'] });
    }
    expect((await listed()).items).toEqual([]);
    // A later part is checked against the candle before it.
    await importOwnCandles(hub, user_id, { bars: [a] });
    expect((await importOwnCandles(hub, user_id, { bars: [[b[0] ?? 0, 1, 1, 1, 1, 0]] })).status).toBe(422);
  });

  test('that start with the session need its opening', async () => {
    const at = (clock: string): number => Date.parse(`2024-01-02T${clock}-05:00`);
    const bars = ['09:30', '10:30', '11:30'].map((clock) => [at(clock), 100, 101, 99, 100, 1]);
    const hours = { timeframe: '1h', bars };
    expect((await importOwnCandles(hub, user_id, hours)).status).toBe(422);
    const { body } = await importOwnCandles(hub, user_id, { ...hours, session_open: '09:30' });
    expect(body).toMatchObject({ added: 3, series: { session_open: '09:30' } });
    const halves = { timeframe: '30m', bars };
    expect((await importOwnCandles(hub, user_id, { ...halves, session_open: '09:30' })).status).toBe(200);
    const other = await importOwnCandles(hub, user_id, halves);
    expect(other.body).toMatchObject({
      code: 'state_conflict',
      detail: expect.stringMatching(/anchor session \(09:30\), and these are .*anchor clock/),
    });
    const wrong = await importOwnCandles(hub, user_id, { ...hours, session_open: '08:00' });
    expect(wrong.body.detail[0].loc).toEqual(['body', 'session_open']);
  });

  test('of another source or adjustment do not enter a series', async () => {
    await importOwnCandles(hub, user_id);
    for (const more of [{ source: 'Stooq' }, { adjustment: 'splits' }]) {
      expect((await importOwnCandles(hub, user_id, more)).body).toMatchObject({ code: 'state_conflict' });
    }
    expect((await listed()).items).toMatchObject([{ source: 'Yahoo', adjustment: 'none', count: 500 }]);
  });

  test('of two sources at once make one series of one source', async () => {
    const rows = ownRows();
    const parts = [
      { source: 'Yahoo', bars: rows.slice(0, 100) },
      { source: 'Stooq', bars: rows.slice(100, 180) },
    ];
    const answers = await Promise.all(parts.map((part) => importOwnCandles(hub, user_id, part)));
    expect(answers.map(({ body: { code } }) => code ?? 'taken').sort()).toEqual(['state_conflict', 'taken']);
    const taken = parts[answers.findIndex(({ status }) => status === 200)];
    expect((await listed()).items).toMatchObject([{ source: taken?.source, count: taken?.bars.length }]);
  });

  test('are bounded by the plan, however many imports run at once', async () => {
    const { store } = hub.runtime;
    const { series, candles } = ownCandleLimits('free');
    const timeframes = ['5m', '15m', '30m', '1h', '4h', '1d'];
    const rows = (at: number) => [[Date.UTC(2020, 0, 6) + at * 240 * MINUTE_MS * 6, 100, 101, 99, 100, 1]];
    const answers = await Promise.all(
      timeframes.map((timeframe) =>
        importOwnCandles(hub, user_id, { symbol: 'BTCUSD', timeframe, bars: rows(0) }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body: { code } }) => code)).toEqual(['quota_reached']);
    expect((await listed()).items).toHaveLength(series);

    const key = keys.ownSeries(user_id);
    const [item] = await store.getMany([key], { consistent: true });
    const owned = ownSeriesIn(item);
    const [first, ...others] = owned.list.series;
    if (!first) throw new Error('nothing was imported');
    const room = 30;
    const full = { ...first, count: candles - others.length - room };
    await store.transact([ownSeriesWrite(user_id, owned, [full, ...others])]);
    const [other] = others;
    const parts = Array.from({ length: 8 }, (_, part) =>
      Array.from({ length: 10 }, (_row, at) => rows(1 + part * 10 + at)[0] ?? []),
    );
    const imports = await Promise.all(
      parts.map((bars) =>
        importOwnCandles(hub, user_id, { symbol: other?.symbol, timeframe: other?.timeframe, bars }),
      ),
    );
    expect(imports.map(({ status, body }) => (status === 200 ? 'taken' : body.code)).sort()).toEqual([
      ...Array(5).fill('quota_reached'),
      ...Array(3).fill('taken'),
    ]);
    const sizes = (await listed()).items.map(({ count }: { count: number }) => count);
    expect(sizes.reduce((sum: number, count: number) => sum + count, 0)).toBe(candles);
    // A repeat of stored candles needs no room.
    const stored = parts[imports.findIndex(({ status }) => status === 200)] ?? [];
    const repeat = { symbol: other?.symbol, timeframe: other?.timeframe, bars: stored };
    expect((await importOwnCandles(hub, user_id, repeat)).status).toBe(200);
    // The room of an import that died is free again later.
    hub.advance(20 * MINUTE_MS);
    const more = { symbol: first.symbol, timeframe: first.timeframe, bars: rows(500) };
    expect((await importOwnCandles(hub, user_id, more)).body.series.count).toBe(2);
  });
});

test('users whose e-mail is not proven have fewer', async () => {
  const { store } = hub.runtime;
  const { user_id } = (await registerUnproven(hub)).body;
  const { candles } = ownCandleLimits('unproven');
  expect(candles).toBeLessThan(ownCandleLimits('free').candles);
  expect(await listed(user_id)).toMatchObject({ most_candles: candles });
  await importOwnCandles(hub, user_id);
  const key = keys.ownSeries(user_id);
  const [item] = await store.getMany([key], { consistent: true });
  const owned = ownSeriesIn(item);
  const full = owned.list.series.map((one) => ({ ...one, count: candles - 1 }));
  await store.transact([ownSeriesWrite(user_id, owned, full)]);
  const more = { symbol: 'QQQ', bars: ownRows('2010-01-04', 2) };
  const { body } = await importOwnCandles(hub, user_id, more);
  expect(body).toMatchObject({
    code: 'quota_reached',
    detail: expect.stringContaining('or confirm your e-mail to hold more'),
  });
  await prove(hub, user_id);
  expect((await importOwnCandles(hub, user_id, more)).status).toBe(200);
});

test('imports that rewrite much are bounded by the day', async () => {
  const all = minuteRows(2000, MINUTE_MS);
  const series = { symbol: 'BTCUSD', timeframe: '1m' };
  expect((await importOwnCandles(hub, user_id, { ...series, bars: all })).status).toBe(200);
  const ring = await hub.runtime.keyRing();
  const { key } = budgetOf(ring, 'own_candles_user', [user_id], new Date(hub.runtime.clock()));
  const used = async () => (await hub.runtime.store.getMany([key]))[0]?.used;
  expect(await used()).toBe(2000);
  // One candle rewrites the item of all.
  await importOwnCandles(hub, user_id, { ...series, bars: all.slice(0, 1) });
  expect(await used()).toBe(4000);
  await hub.runtime.store.transact([{ key, set: { used: ownCandleWork('free') - 1999 } }]);
  const { status, body, headers } = await importOwnCandles(hub, user_id, {
    ...series,
    bars: all.slice(0, 1),
  });
  expect([status, body.code]).toEqual([429, 'work_exhausted']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  // The reading of the refused import counts, so that further ones read nothing.
  expect(await used()).toBeGreaterThanOrEqual(ownCandleWork('free'));
  const small = { ...series, timeframe: '1h', bars: minuteRows(1, MINUTE_MS) };
  expect((await importOwnCandles(hub, user_id, small)).body.code).toBe('work_exhausted');
  hub.advance(DAY_MS);
  expect((await importOwnCandles(hub, user_id, { ...series, bars: all.slice(0, 1) })).status).toBe(200);
});

describe('a test on own candles', () => {
  test('has the figures of the same candles of the hub, and says whose they are', async () => {
    await importOwnCandles(hub, user_id, { symbol: 'QQQ' });
    const own = (await runBacktest(hub, user_id, { symbol: 'QQQ', candles: 'own' })).body;
    expect(own).toMatchObject({ status: 'done', candles: 'own', symbols: ['QQQ'] });
    await importBars(hub.runtime.store, { ...DAILY, symbol: 'QQQ' }, sessionBars('2010-01-04', 500));
    const hubs = (await runBacktest(hub, user_id, { symbol: 'QQQ' })).body;
    expect(hubs.candles).toBe('hub');
    expect(hubs.candles_hash).toBe(own.candles_hash);
    expect(hubs.statistics).toEqual(own.statistics);
    const query = { user_id, backtest_id: String(own.backtest_id), full: 'true' };
    expect((await hub.call('GET /get_backtest', { query })).body.equity).toHaveLength(own.bars);
    const { items } = (await hub.call('GET /get_backtests', { query: { user_id } })).body;
    expect(items.map(({ candles }: { candles: string }) => candles)).toEqual(['hub', 'own']);
    await remove({ symbol: 'QQQ' });
    expect((await hub.call('GET /get_backtest', { query })).body.code).toBe('candles_changed');
    expect((await hub.call('GET /get_backtest', { query: { ...query, full: 'false' } })).body).toMatchObject({
      candles: 'own',
      candles_hash: own.candles_hash,
    });
  });

  test('derives larger candles, and needs a series of the user for every symbol', async () => {
    const hours = minuteRows(2000, 60 * MINUTE_MS);
    await importOwnCandles(hub, user_id, { symbol: 'BTCUSD', timeframe: '1h', bars: hours });
    const ask = (symbols: string[]) =>
      runBacktest(hub, user_id, { symbol: undefined, symbols, timeframe: '4h', candles: 'own' });
    expect((await ask(['BTCUSD'])).body).toMatchObject({ status: 'done', bars: 500 });
    const { status, body } = await ask(['BTCUSD', 'SPY']);
    expect({ status, detail: body.detail }).toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'symbols', 1], msg: expect.stringContaining('no candles of SPY') }],
    });
  });

  test('runs as a job, and fails when they are removed', async () => {
    const minutes = minuteRows(20_000, MINUTE_MS * 7).map(([start = 0, ...rest]) => [
      Math.floor(start / MINUTE_MS) * MINUTE_MS,
      ...rest,
    ]);
    let left = minutes;
    while (left.length > 0) {
      const bars = left.slice(0, 2000);
      const { body } = await importOwnCandles(hub, user_id, { symbol: 'BTCUSD', timeframe: '1m', bars });
      left = left.slice(body.taken);
    }
    const request = { symbol: 'BTCUSD', timeframe: '1m', candles: 'own' };
    const averages = (at: number) => ({
      left: { indicator: 'stddev', length: 400 + at },
      op: 'gt',
      right: { indicator: 'stddev', length: 300 + at },
    });
    const heavy = {
      ...request,
      rules: {
        schema: 'hub.rules/1',
        entries: [{ side: 'long', when: { any: Array.from({ length: 8 }, (_, at) => averages(at)) } }],
        exits: [{ side: 'long', when: { bars_in_trade: 3 } }],
      },
    };
    const { body } = await runBacktest(hub, user_id, heavy);
    expect(body).toMatchObject({ status: 'queued', candles: 'own' });
    await workOff();
    const query = { user_id, backtest_id: String(body.backtest_id) };
    expect((await hub.call('GET /get_backtest', { query })).body).toMatchObject({
      status: 'done',
      bars: 20_000,
    });
    const second = (await runBacktest(hub, user_id, heavy)).body;
    await remove({ symbol: 'BTCUSD', timeframe: '1m' });
    await workOff();
    const failed = { user_id, backtest_id: String(second.backtest_id) };
    expect((await hub.call('GET /get_backtest', { query: failed })).body).toMatchObject({
      status: 'failed',
      error: 'Candles of this backtest were removed while it ran.',
    });
  });

  test('fails if they begin again with another anchor before it runs', async () => {
    const halves = (hour: number): number[][] =>
      Array.from({ length: 40 }, (_, day) => day).flatMap((day) =>
        [0, 30].map((minute) => [Date.UTC(2020, 0, 6 + day, hour, minute), 100, 101, 99, 100, 1]),
      );
    const series = { symbol: 'SPY', timeframe: '30m', bars: halves(15) };
    await importOwnCandles(hub, user_id, series);
    const form = { candles: 'own', timeframe: '1h', split: '2020-01-30T00:00:00Z' };
    const { body } = await sweepStrategy(hub, user_id, form);
    await remove({ symbol: 'SPY', timeframe: '30m' });
    await importOwnCandles(hub, user_id, { ...series, session_open: '09:30' });
    await workOff();
    const query = { user_id, sweep_id: String(body.sweep_id) };
    expect((await hub.call('GET /get_sweep', { query })).body).toMatchObject({
      status: 'failed',
      error: 'Candles of this sweep were removed while it ran.',
    });
  });

  test('may be a sweep', async () => {
    await importOwnCandles(hub, user_id);
    const { body } = await sweepStrategy(hub, user_id, { candles: 'own' });
    expect(body).toMatchObject({ status: 'queued', candles: 'own' });
    await workOff();
    const query = { user_id, sweep_id: String(body.sweep_id) };
    const sweep = (await hub.call('GET /get_sweep', { query })).body;
    expect(sweep).toMatchObject({ status: 'done', candles: 'own', candles_hash: expect.any(String) });
    expect(sweep.best.length).toBeGreaterThan(0);
  });
});

describe('own candles are private', () => {
  test('to other users, public charts, last prices and the engine', async () => {
    const { store } = hub.runtime;
    await importOwnCandles(hub, user_id);
    const other = (await person(hub)).user_id;
    expect((await listed(other)).items).toEqual([]);
    const tests = [
      await runBacktest(hub, other, { candles: 'own' }),
      await runBacktest(hub, other, { candles: 'hub' }),
      await runBacktest(hub, user_id, {}),
      await sweepStrategy(hub, other, { candles: 'own' }),
    ];
    expect(tests.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const stored = ownSymbol(user_id, 'SPY');
    expect(normaliseSymbol(stored)).toBeUndefined();
    for (const symbol of ['SPY', stored]) {
      const { status } = await hub.call('GET /get_candles', { query: { symbol, timeframe: '1d' } });
      expect(status).toBe(404);
    }
    expect(await store.getMany([keys.lastPrice('SPY'), keys.lastPrice(stored)])).toEqual([
      undefined,
      undefined,
    ]);
    expect(
      await findNewestSeries(
        store,
        new Map([
          ['SPY', 0],
          [stored, 0],
        ]),
      ),
    ).toEqual([]);
    // Its items name it in their keys, and its head as its symbol, too.
    const table = await hub.tableText();
    expect(table.split(stored).length - 1).toBe(table.split(`SERIES#${stored}#1d"`).length);
  });

  test('and change no answer of the hub', async () => {
    const { store } = hub.runtime;
    const now = hub.runtime.clock().getTime();
    const dayOf = (days: number): string => new Date(now - days * DAY_MS).toISOString().slice(0, 10);
    await importBars(store, { ...DAILY, symbol: 'IBM' }, sessionBars(dayOf(500), 300));
    const owner = await ruleTrader(hub, { symbol: 'IBM', user_id });
    const { strategy_id, keygen } = owner;
    expect((await setState(hub, user_id, strategy_id, 1)).status).toBe(200);
    expect((await list(hub, user_id, strategy_id)).status).toBe(200);
    await workOff();
    const { body: deployed } = await deployTrading(hub, keygen);
    const deployment_id = String(deployed.deployment_id);
    await startEngine(worker(hub), Number(deployment_id));
    const mine = { user_id };

    /** Returns all answers that candles of the hub decide. */
    const answers = async () => {
      await passTime(hub, 2 * 3_600_000);
      await runJob(hub.runtime, { job: 'rank-strategies' });
      const asked = [
        await hub.call('GET /get_candles', { query: { symbol: 'IBM', timeframe: '1d' } }),
        await hub.call('GET /get_candles', { query: { symbol: 'IBM', timeframe: '1w' } }),
        await hub.call('GET /get_instrument_suggestions_v2', { query: { ...mine, instrument: 'IBM' } }),
        await hub.call('GET /get_strategies_performance_metrics', {
          query: { ...mine, strategy_ids: String(strategy_id) },
        }),
        await hub.call('GET /get_explore_strategies', { query: mine }),
        await hub.call('GET /get_deployment_engine', { query: { ...mine, deployment_id } }),
        await hub.call('GET /get_live_deps_pnl', { query: { ...mine, deployment_ids: deployment_id } }),
        await hub.call('GET /get_account_overview', { query: mine }),
      ];
      const { status, body } = await runBacktest(hub, user_id, { symbol: 'IBM' });
      return [
        ...asked.map((answer) => [answer.status, withoutTimes(answer.body)]),
        [status, body.candles, body.candles_hash, body.statistics],
      ];
    };
    const before = await answers();
    expect(before.map(([status]) => status)).toEqual(Array(before.length).fill(200));
    // Higher prices, to a later day, and of a smaller timeframe, too.
    const rows = ownRows(dayOf(500), 320).map(([start = 0, ...prices]) => [
      start,
      ...prices.map((price) => price * 3),
    ]);
    expect((await importOwnCandles(hub, user_id, { symbol: 'IBM', bars: rows })).status).toBe(200);
    const hours = rows.map(([start = 0, ...prices]) => [start + 10 * 3_600_000, ...prices]);
    const smaller = { symbol: 'IBM', timeframe: '1h', bars: hours };
    expect((await importOwnCandles(hub, user_id, smaller)).status).toBe(200);
    expect(await answers()).toEqual(before);
    const bar = { start: `${dayOf(1)}T05:00:00Z`, open: 1, high: 1, low: 1, close: 1, volume: 1 };
    const event = {
      'detail-type': 'Bar Closed',
      source: 'Yahoo',
      time: new Date(now).toISOString(),
      detail: { version: 1, timeframe: '1d', symbol: ownSymbol(user_id, 'IBM'), ...bar },
    };
    await expect(takeEngineEvent(worker(hub).engine, event)).rejects.toThrow(
      'the symbol is not in the catalogue',
    );
  });

  test('and are removed by their owner alone', async () => {
    await importOwnCandles(hub, user_id);
    const other = (await person(hub)).user_id;
    await importOwnCandles(hub, other);
    await remove();
    expect((await listed(other)).items).toMatchObject([{ count: 500 }]);
    expect((await runBacktest(hub, other, { candles: 'own' })).status).toBe(200);
  });

  test('and unknown users get none', async () => {
    const query = { user_id: 'nobody' };
    const answers = [
      await hub.call('GET /get_own_candles', { query }),
      await importOwnCandles(hub, 'nobody'),
      await hub.call('POST /remove_own_candles', { query: { ...query, symbol: 'SPY', timeframe: '1d' } }),
    ];
    expect(answers.map(({ body: { code } }) => code)).toEqual(Array(3).fill('user_unknown'));
  });
});
