import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import type { SeriesFacts } from '../../../shared/data/candles/series.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type Bar, type BarColumns, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { takeJobEvents } from '../../support/backtest-jobs.ts';
import { runBacktest, usedOf, workKey } from '../../support/backtests.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { importOwnCandles } from '../../support/own-candles.ts';
import { closeIs } from '../../support/small-backtests.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const BLOCKS = 24;
/** Minute at which the price passes the stop entry, after it has been at the stop. */
const ENTRY_MINUTE = 900;

/** Start of a third of a month, whose minutes are one item. */
const blockStart = (block: number): number => Date.UTC(2023, Math.floor(block / 3), 1 + 10 * (block % 3));

const flat = (start: number, price: number): Bar => ({
  start,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 1,
});

/** Days at 99, but one of each third closes at 100, and the day after it falls to 97 before it rises to 102. */
const dailyBars = (): BarColumns => {
  const days: Bar[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    for (let start = blockStart(block); start < blockStart(block + 1); start += DAY_MS) {
      const day = (start - blockStart(block)) / DAY_MS;
      if (day === 2) days.push({ start, open: 100, high: 102, low: 97, close: 101.5, volume: 1 });
      else days.push(flat(start, day === 1 ? 100 : 99));
    }
  }
  return columnsOf(days);
};

/** Minutes of the day of a third on which the price moves. */
const minutesOf = (block: number): Bar[] =>
  Array.from({ length: 1440 }, (_, minute) => {
    const start = blockStart(block) + 2 * DAY_MS + minute * MINUTE_MS;
    if (minute === 100) return { ...flat(start, 98), open: 100, high: 100, low: 97 };
    if (minute < 100) return flat(start, 100);
    if (minute < ENTRY_MINUTE) return flat(start, 98);
    if (minute === ENTRY_MINUTE) return { ...flat(start, 102), open: 100, low: 100 };
    return flat(start, 101.5);
  });

const SERIES: SeriesFacts = {
  symbol: 'BTCUSD',
  timeframe: '1d',
  asset_class: 'crypto',
  calendar: 'always',
  source: 'test',
  adjustment: 'none',
};
const MINUTES: SeriesFacts = { ...SERIES, timeframe: '1m' };
/** Block whose minutes are not stored at first. */
const MISSING = 5;

const RULES = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: closeIs(100),
      stop: { percent: 1 },
      valid_bars: 1,
      size: { type: 'units', units: 10 },
      stop_loss: { type: 'percent', percent: 2 },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 1 } }],
};

let hub: TestHub;
let user_id: string;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  const { store } = hub.runtime;
  await importBars(store, SERIES, dailyBars());
  for (let block = 0; block < BLOCKS; block += 1) {
    if (block !== MISSING) await importBars(store, MINUTES, columnsOf(minutesOf(block)));
  }
  user_id = (await person(hub)).user_id;
});
afterAll(() => hub.close());

const ask = (more: object = {}) =>
  runBacktest(hub, user_id, { rules: RULES, symbol: 'BTCUSD', timeframe: '1d', ...more });

const iso = (at: number): string => new Date(at).toISOString();

test('a backtest reads the minutes of the bars that reach a level, and fills at their time', async () => {
  const { status, body } = await ask({ to: iso(blockStart(4)) });
  expect({ status, state: body.status }).toEqual({ status: 200, state: 'done' });
  expect(body.statistics).toMatchObject({ trades_count: 4, ambiguous_bars: 0, resolved_bars: 4 });
  const { items } = (
    await hub.call('GET /get_backtest_trades', { query: { user_id, backtest_id: body.backtest_id } })
  ).body;
  expect(items[0]).toMatchObject({
    entry_at: iso(blockStart(0) + 2 * DAY_MS + ENTRY_MINUTE * MINUTE_MS),
    entry_price: 101,
    exit_at: iso(blockStart(0) + 4 * DAY_MS),
    exit_price: 99,
  });
});

test('a backtest on own candles reads own minutes', async () => {
  const own = { symbol: 'BTCUSD', source: 'own' };
  const rowsOf = ({ start, open, high, low, close, volume }: BarColumns, to: number) =>
    Array.from(start, (at, index) =>
      [at, open, high, low, close, volume].map((one) => (typeof one === 'number' ? one : (one[index] ?? 0))),
    ).filter(([at = 0]) => at < to);
  const to = blockStart(2);
  const asked = { to: iso(to), candles: 'own' };
  await importOwnCandles(hub, user_id, { ...own, timeframe: '1d', bars: rowsOf(dailyBars(), to) });
  expect((await ask(asked)).body.statistics).toMatchObject({ ambiguous_bars: 2, resolved_bars: 0 });
  for (const block of [0, 1]) {
    await importOwnCandles(hub, user_id, {
      ...own,
      timeframe: '1m',
      bars: rowsOf(columnsOf(minutesOf(block)), to),
    });
  }
  const { body } = await ask(asked);
  expect(body.statistics).toMatchObject({ ambiguous_bars: 0, resolved_bars: 2 });
  expect(body.candles_hash).toBe((await ask({ to: iso(to) })).body.candles_hash);
});

test('without the minutes of a bar, it is decided against the trader and counted', async () => {
  const { body } = await ask({ from: iso(blockStart(MISSING)), to: iso(blockStart(MISSING + 1)) });
  expect(body.statistics).toMatchObject({ ambiguous_bars: 1, resolved_bars: 0 });
  expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'ambiguous_bars', count: 1 }));
  const old = await ask({ to: iso(blockStart(4)), account: { entry_bar: 'next_bar' } });
  expect(old.body.statistics).toMatchObject({ ambiguous_bars: 0, resolved_bars: 0 });
});

test('a sweep reads no minutes: the open bars are decided against the trader', async () => {
  const rules = {
    ...RULES,
    params: { off: { default: 1, min: 1, max: 2 } },
    entries: [{ ...RULES.entries[0], stop: { percent: { param: 'off' } } }],
  };
  const json = { rules, symbol: 'BTCUSD', timeframe: '1d', params: { off: [1] }, to: iso(blockStart(4)) };
  const { body } = await hub.call('POST /sweep_strategy', { query: { user_id }, json });
  for (const event of await takeJobEvents(hub)) await takeJobEvent(hub.runtime, event, () => 600_000);
  const sweep = await hub.call('GET /get_sweep', { query: { user_id, sweep_id: body.sweep_id } });
  expect(sweep.body).toMatchObject({
    status: 'done',
    best: [{ in_sample: { expectancy_pct: expect.closeTo(-2, 9) } }],
  });
});

const usedWork = async (): Promise<number> => usedOf(hub, await workKey(hub, user_id));

test('a request counts the minutes that it read as work', async () => {
  const chargedTo = async (entry_bar: string): Promise<number> => {
    const before = await usedWork();
    expect((await ask({ to: iso(blockStart(4)), account: { entry_bar } })).body.status).toBe('done');
    return (await usedWork()) - before;
  };
  const plain = await chargedTo('next_bar');
  // The minutes of four days.
  expect((await chargedTo('worst')) - plain).toBe(4 * 1440);
});

test('more reads than a request makes become a job, which has the same figures and counts the smaller bars', async () => {
  const before = await usedWork();
  const { body } = await ask();
  expect(body).toMatchObject({ status: 'queued' });
  const asked = (await usedWork()) - before;
  expect(asked).toBeGreaterThan((BLOCKS - 1) * 1440);
  for (const event of await takeJobEvents(hub)) await takeJobEvent(hub.runtime, event, () => 600_000);
  const { backtest_id } = body;
  const done = await hub.call('GET /get_backtest', { query: { user_id, backtest_id } });
  expect(done.body).toMatchObject({ status: 'done' });
  expect(done.body.statistics).toMatchObject({
    trades_count: BLOCKS,
    ambiguous_bars: 1,
    resolved_bars: BLOCKS - 1,
  });
});

test('a job returns the work of the smaller bars that it did not read', async () => {
  const { store } = hub.runtime;
  const before = await usedWork();
  // The bars before it warm the indicators up: no trade looks at their minutes.
  const { body } = await ask({ from: iso(blockStart(2)) });
  expect(body).toMatchObject({ status: 'queued' });
  const asked = (await usedWork()) - before;
  for (const event of await takeJobEvents(hub)) await takeJobEvent(hub.runtime, event, () => 600_000);
  const ran = (await usedWork()) - before;
  expect(asked - ran).toBeGreaterThanOrEqual(2 * 1440);
  expect(ran).toBeGreaterThan(0);
  const { backtest_id } = body;
  // With its event again, nothing is returned twice.
  for (const event of await takeJobEvents(hub)) await takeJobEvent(hub.runtime, event, () => 600_000);
  expect((await usedWork()) - before).toBe(ran);
  expect((await store.getMany([keys.backtest(backtest_id)]))[0]).toMatchObject({ status: 'done' });
});

test('the minutes are part of the hash of the candles: another import changes it', async () => {
  const range = { from: iso(blockStart(4)), to: iso(blockStart(7)) };
  const { body } = await ask(range);
  const full = () =>
    hub.call('GET /get_backtest', { query: { user_id, backtest_id: body.backtest_id, full: 'true' } });
  expect((await full()).status).toBe(200);
  await importBars(hub.runtime.store, MINUTES, columnsOf(minutesOf(MISSING)));
  expect(await full()).toMatchObject({ status: 409, body: { code: 'candles_changed' } });
  const again = (await ask(range)).body;
  expect(again.candles_hash).not.toBe(body.candles_hash);
  expect(again.statistics).toMatchObject({ ambiguous_bars: 0, resolved_bars: 3 });
});
